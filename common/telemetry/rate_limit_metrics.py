"""How a worker has ruled on requests, for either service."""

from common.rate_limit.limiter import Limiter
from common.telemetry.catalogue import process as catalogue
from common.telemetry.declaration import Process
from common.telemetry.samples import SampleSet


def collect_rulings(process: Process, limiter: Limiter, readings: SampleSet, *, is_shared: bool) -> None:
    """Read them off."""
    decisions = catalogue.RATE_LIMIT_DECISIONS
    readings.add(decisions, limiter.admitted, process, "admitted", "shared")
    readings.add(decisions, limiter.refused, process, "refused", "shared")
    readings.add(decisions, limiter.admitted_alone, process, "admitted", "alone")
    readings.add(decisions, limiter.refused_alone, process, "refused", "alone")
    readings.add(catalogue.RATE_LIMITING_ALONE, not is_shared, process)
    readings.add(catalogue.RATE_LIMITED_CLIENTS, len(limiter), process)
