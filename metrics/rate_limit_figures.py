"""How a worker has ruled on requests, for either service."""

from common.rate_limits.limiter import Limiter
from metrics.catalogue import every_process as catalogue
from metrics.declaration import Process
from metrics.readings import Readings


def collect_rulings(process: Process, limiter: Limiter, readings: Readings, *, is_shared: bool) -> None:
    """Read them off."""
    decisions = catalogue.RATE_LIMIT_DECISIONS
    readings.add(decisions, limiter.admitted, process, "admitted", "shared")
    readings.add(decisions, limiter.refused, process, "refused", "shared")
    readings.add(decisions, limiter.admitted_alone, process, "admitted", "alone")
    readings.add(decisions, limiter.refused_alone, process, "refused", "alone")
    readings.add(catalogue.RATE_LIMITING_ALONE, not is_shared, process)
    readings.add(catalogue.RATE_LIMITED_CLIENTS, len(limiter), process)
