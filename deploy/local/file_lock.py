"""Locks that live exactly as long as the processes that hold them, however those end.

A lock is an flock on an open file. The launcher keeps its own for itself (close-on-exec); that of a server or process
is inherited by it and by everything it forks, so it falls only when the last of them is gone, be it by kill -9.
"""

import fcntl
import os
from contextlib import suppress
from pathlib import Path


def try_lock(path: Path) -> int | None:
    """Lock the file, made when missing, and give its descriptor; None when somebody else holds it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def is_locked(path: Path) -> bool:
    """Tell whether somebody holds the lock; a file that is missing is free."""
    if not path.exists():
        return False
    descriptor = try_lock(path)
    if descriptor is None:
        return True
    os.close(descriptor)
    return False


def write_owner(descriptor: int, pid: int) -> None:
    """Note in the lock file who holds it, for the message to those who come later; on a full disk it stays unknown."""
    os.ftruncate(descriptor, 0)
    with suppress(OSError):
        os.pwrite(descriptor, f"{pid}\n".encode(), 0)


def read_owner(path: Path) -> str:
    """Give the noted process id, or "unknown"."""
    return path.read_text().strip() or "unknown"
