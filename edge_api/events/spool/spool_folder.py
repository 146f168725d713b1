"""The folder of all spools of a machine: each worker has one of its own in it, and takes over those of the dead.

Whoever holds the lock of a spool owns it; a lock falls with the process that holds it. The functions block.
"""

import contextlib
import fcntl
import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import structlog

from edge_api.events.spool.segment import SUFFIX, sync_folder

_LOG = structlog.stdlib.get_logger(__name__)

_LOCK = "lock"
_PREFIX = "spool-"
DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class OwnedFolder:
    """The folder of one spool, which no other process touches while the lock is held."""

    path: Path
    lock: int

    def segment_files(self) -> list[Path]:
        """Give the segments, the oldest first. Raises OSError."""
        return sorted(self.path.glob(f"*{SUFFIX}"))

    def release(self) -> None:
        """Let go of it, and delete it when nothing is in it any more. Raises nothing."""
        with contextlib.suppress(OSError):
            if not self.segment_files():
                (self.path / _LOCK).unlink(missing_ok=True)
                self.path.rmdir()
        os.close(self.lock)


class SpoolFolder:
    """Making the object touches nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def damaged(self) -> Path:
        """Where damaged segments are set aside."""
        return self._path / DAMAGED

    def make_own(self) -> OwnedFolder:
        """Make a new spool. Raises OSError."""
        self._path.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._path.chmod(0o700)
        while True:
            path = self._path / f"{_PREFIX}{secrets.token_hex(8)}"
            path.mkdir(mode=0o700)
            try:
                lock = os.open(path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            except FileNotFoundError:
                # Somebody took it for what a dead process had left: it was empty.
                continue
            if _is_locked(lock, path):
                sync_folder(self._path)
                return OwnedFolder(path, lock)
            os.close(lock)

    def take_over(self) -> Iterator[OwnedFolder]:
        """Take the spools that nobody owns, but those that cannot be opened. Raises OSError before the first."""
        with contextlib.suppress(FileNotFoundError):
            for path in sorted(self._path.glob(f"{_PREFIX}*")):
                try:
                    lock = os.open(path / _LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
                except FileNotFoundError:
                    # Its maker died before it had a lock, or deletes it just now.
                    with contextlib.suppress(OSError):
                        path.rmdir()
                    continue
                except OSError as error:
                    _LOG.warning("spool_not_taken_over", folder=path.name, reason=type(error).__name__)
                    continue
                if _is_locked(lock, path):
                    yield OwnedFolder(path, lock)
                else:
                    os.close(lock)


def _is_locked(lock: int, path: Path) -> bool:
    """Try to lock; a file that was deleted meanwhile is no lock."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return (path / _LOCK).stat().st_ino == os.fstat(lock).st_ino
    except OSError:
        return False
