"""How long the disk itself takes to make a few bytes durable: what no way to store can be quicker than."""

import os
import time
from pathlib import Path

_ENTRY = b"x" * 1000
#: The next write comes so many seconds after the last is durable, as a group comes after the other.
_PAUSE_SECONDS = 0.0005


def time_syncs(folder: Path, seconds: float) -> list[float]:
    """Append to a file for so long as Redis does, and give the seconds that each write and fdatasync took."""
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
