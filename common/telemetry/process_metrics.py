"""Metrics that several processes have: of the process itself, and of its rate limiter."""

import os
import platform
import time
from pathlib import Path

from common.rate_limit.limiter import Limiter
from common.telemetry.catalogue import process as catalogue
from common.telemetry.metrics import Process
from common.telemetry.samples import SampleSet
from common.version import VERSION

_MEMORY = Path("/proc/self/statm")
_DESCRIPTORS = Path("/proc/self/fd")


def collect_process(process: Process, samples: SampleSet) -> None:
    """Add the resources of the current process. A system without /proc has only the processor time."""
    samples.add(catalogue.CPU_SECONDS, time.process_time(), process)
    samples.add(catalogue.RESIDENT_BYTES, _resident_bytes(), process)
    samples.add(catalogue.OPEN_FILES, _open_files(), process)


def collect_build_info(process: Process, samples: SampleSet) -> None:
    """Add the release and the version of Python."""
    samples.add(catalogue.BUILD_INFO, 1, process, VERSION, platform.python_version())


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


def _resident_bytes() -> int | None:
    try:
        pages = int(_MEMORY.read_bytes().split()[1])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def _open_files() -> int | None:
    try:
        return sum(1 for _ in _DESCRIPTORS.iterdir())
    except OSError:
        return None
