"""Locks that end with the processes that hold them, also after SIGKILL.

A lock is an flock on an open file. The lock of the launcher is its own (close-on-exec). A process of the stack and all
its children inherit the lock of that process, so it ends with the last of them.
"""

import fcntl
import os
from contextlib import suppress
from pathlib import Path


def try_lock(path: Path) -> int | None:
    """Lock the file, created if necessary, and return its descriptor; None when another process has the lock."""
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
    """Return whether a process has the lock; a missing file is not locked."""
    if not path.exists():
        return False
    descriptor = try_lock(path)
    if descriptor is None:
        return True
    os.close(descriptor)
    return False


def write_owner(descriptor: int, pid: int) -> None:
    """Write the id of the owner into the lock file, for error messages; a full disk is ignored."""
    os.ftruncate(descriptor, 0)
    with suppress(OSError):
        os.pwrite(descriptor, f"{pid}\n".encode(), 0)


def read_owner(path: Path) -> str:
    """Return the id of the owner, or "unknown"."""
    return path.read_text().strip() or "unknown"
