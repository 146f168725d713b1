"""What a process takes of its machine, and what it is."""

import os
import platform
import time
from pathlib import Path

from common.telemetry.catalogue import process as catalogue
from common.telemetry.declaration import Process
from common.telemetry.samples import SampleSet
from common.version import VERSION

_MEMORY = Path("/proc/self/statm")
_DESCRIPTORS = Path("/proc/self/fd")


class ProcessFigures:
    """Read off in each worker; a system without /proc leaves some out."""

    def __init__(self, process: Process) -> None:
        self._process: Process = process

    def collect(self, readings: SampleSet) -> None:
        """Read them off."""
        readings.add(catalogue.CPU_SECONDS, time.process_time(), self._process)
        readings.add(catalogue.RESIDENT_BYTES, _resident_bytes(), self._process)
        readings.add(catalogue.OPEN_FILES, _open_files(), self._process)


def build_info(process: Process, readings: SampleSet) -> None:
    """Say which release this is."""
    readings.add(catalogue.BUILD_INFO, 1, process, VERSION, platform.python_version())


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
