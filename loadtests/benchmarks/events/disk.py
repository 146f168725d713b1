"""Measures the disk: the time of a small write with fdatasync, the lower bound of every durable write."""

import os
import time
from pathlib import Path

_ENTRY = b"x" * 1000
#: Pause between writes, as between two groups of events.
_PAUSE_SECONDS = 0.0005


def time_syncs(folder: Path, seconds: float) -> list[float]:
    """Append to a file for this time, and return the seconds of each write with its fdatasync."""
    path, times = folder / "disk", []
    file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    try:
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            start = time.perf_counter()
            os.write(file, _ENTRY)
            os.fdatasync(file)
            times.append(time.perf_counter() - start)
            time.sleep(_PAUSE_SECONDS)
    finally:
        os.close(file)
        path.unlink()
    return times
