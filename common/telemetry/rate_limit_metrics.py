"""The rate limit metrics that edge and management share."""

from common.rate_limit.limiter import Limiter
from common.telemetry.catalogue import process as catalogue
from common.telemetry.declaration import Process
from common.telemetry.samples import SampleSet


def collect_rate_limits(process: Process, limiter: Limiter, samples: SampleSet, *, clock_difference: float) -> None:
    """Add the decisions of a worker's limiter; `clock_difference` is in seconds."""
    decisions = catalogue.RATE_LIMIT_DECISIONS
    samples.add(decisions, limiter.admitted, process, "admitted", "shared")
    samples.add(decisions, limiter.rejected, process, "rejected", "shared")
    samples.add(decisions, limiter.admitted_locally, process, "admitted", "local")
    samples.add(decisions, limiter.rejected_locally, process, "rejected", "local")
    samples.add(catalogue.RATE_LIMITING_LOCALLY, not limiter.redis_available, process)
    samples.add(catalogue.RATE_LIMITED_CLIENTS, len(limiter), process)
    samples.add(catalogue.REDIS_CLOCK_DIFFERENCE, abs(clock_difference), process)
