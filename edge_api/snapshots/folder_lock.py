"""The lock of a folder that several workers write to, and with it the folder's size, which they keep together."""

import fcntl
import os
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_TOTAL = struct.Struct(">q")


class FolderLock:
    """Falls with the process that holds it, however that ends. The folder is made when it is not there."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._threads = threading.Lock()
        self._descriptor: int | None = None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep all other threads and processes out for the length of the block. Raises OSError."""
        with self._threads:
            try:
                if self._descriptor is None:
                    self._descriptor = self._open()
                fcntl.flock(self._descriptor, fcntl.LOCK_EX)
                try:
                    yield
                finally:
                    fcntl.flock(self._descriptor, fcntl.LOCK_UN)
            except OSError:
                # Whatever happened to the folder, the next one to come starts from what is there then.
                self._close()
                raise

    @property
    def total(self) -> int:
        """How many bytes the folder holds, to be used while the lock is held; a kill in between leaves it wrong."""
        content = os.pread(self._held_descriptor(), _TOTAL.size, 0)
        return _TOTAL.unpack(content)[0] if len(content) == _TOTAL.size else 0

    @total.setter
    def total(self, value: int) -> None:
        os.pwrite(self._held_descriptor(), _TOTAL.pack(max(0, value)), 0)

    def close(self) -> None:
        """Let the file go."""
        with self._threads:
            self._close()

    def _open(self) -> int:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder.chmod(0o700)
        return os.open(self._folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)

    def _held_descriptor(self) -> int:
        if self._descriptor is None:
            raise RuntimeError("the lock is not held")
        return self._descriptor

    def _close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
