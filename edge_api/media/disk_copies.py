"""Copies of media files on the disk of an edge, which serve without the store. All workers of a host share them.

A file has the name of its object, whose digits are of its SHA-256, so a copy is checked by its name. A disk that fails
or hangs costs only the copies.
"""

import hashlib
import os
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import structlog

from common.media_names import DIGEST_DIGITS
from edge_api.disk_threads import DiskThreads

_LOG = structlog.stdlib.get_logger(__name__)

_FOLDER = "media"
_THREADS = 4
_DISK_SECONDS = 5.0
_PORTION_BYTES = 256 * 1024
#: The share of the limit that is in use after the least recently used copies were deleted.
_FULL_AGAIN = 0.9
#: After so many written bytes, in parts of the limit, the size of the folder is determined again.
_WRITTEN_PARTS = 20
#: The time of the last use is stored at most once in so many seconds.
_USE_SECONDS = 3600.0


class DiskCopy:
    """An open copy. It stays readable when it is evicted meanwhile."""

    def __init__(self, threads: DiskThreads, descriptor: int, size: int) -> None:
        self._threads = threads
        self._descriptor = descriptor
        self.size = size

    async def portions(self, start: int, end: int) -> AsyncIterator[bytes]:
        """Yield the bytes from `start` to before `end`. Raises OSError."""
        while start < end:
            length = min(_PORTION_BYTES, end - start)
            portion = await self._threads.run(os.pread, self._descriptor, length, start)
            if not portion:
                raise OSError("the copy of a media file is cut")
            start += len(portion)
            yield portion

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)


class DiskCopies:
    """The folder of the copies, below that of the snapshots."""

    def __init__(self, folder: Path, limit_bytes: int) -> None:
        self._folder = folder / _FOLDER
        self._limit = limit_bytes
        self._threads = DiskThreads("media-copies", _THREADS, _DISK_SECONDS)
        #: Bytes that this worker has written since it determined the size of the folder.
        self._written = limit_bytes

    async def read(self, key: str, most: int) -> bytes | None:
        """Return the content of a sound copy of at most `most` bytes, else None."""
        with suppress(OSError):
            return await self._threads.run(self._read, key, most)
        return None

    async def open(self, key: str) -> DiskCopy | None:
        """Open a copy, if there is one."""
        with suppress(OSError):
            descriptor, size = await self._threads.run(self._open, key)
            return DiskCopy(self._threads, descriptor, size)
        return None

    async def write(self, key: str, content: AsyncIterator[bytes]) -> bool:
        """Store a copy whose digest is that of its name. Return whether it is stored.

        The content is read to its end in each case. Raises its errors.
        """
        unfinished = self._folder / f".{os.getpid()}.{time.monotonic_ns()}"
        digest, size = hashlib.sha256(), 0
        file: BinaryIO | None = None
        try:
            file = await self._threads.run(_begin, unfinished)
            async for portion in content:
                digest.update(portion)
                size += len(portion)
                await self._threads.run(file.write, portion)
            is_sound = digest.hexdigest()[:DIGEST_DIGITS] == key.rpartition("/")[2].partition(".")[0]
            if not is_sound:
                return False
            await self._threads.run(self._finish, file, unfinished, key)
        except OSError as error:
            _LOG.warning("media_copy_not_written", reason=str(error))
            return False
        finally:
            if file is not None:
                with suppress(OSError):
                    file.close()
                    unfinished.unlink(missing_ok=True)
        self._written += size
        if self._written * _WRITTEN_PARTS > self._limit:
            self._written = 0
            with suppress(OSError):
                await self._threads.run(self._evict)
        return True

    def _finish(self, file: BinaryIO, unfinished: Path, key: str) -> None:
        file.flush()
        os.fsync(file.fileno())
        target = self._folder / key
        target.parent.mkdir(exist_ok=True, mode=0o700)
        unfinished.replace(target)

    def _read(self, key: str, most: int) -> bytes | None:
        path = self._folder / key
        if path.stat().st_size > most:
            return None
        content = path.read_bytes()
        if hashlib.sha256(content).hexdigest()[:DIGEST_DIGITS] != path.name.partition(".")[0]:
            path.unlink(missing_ok=True)
            return None
        _note_use(path)
        return content

    def _open(self, key: str) -> tuple[int, int]:
        path = self._folder / key
        descriptor = os.open(path, os.O_RDONLY)
        _note_use(path)
        return descriptor, os.fstat(descriptor).st_size

    def _evict(self) -> None:
        """Delete the least recently used copies above the limit, and files of writers that were killed."""
        found = []
        for path in self._folder.rglob("*"):
            # Another worker may delete a file after it was listed.
            with suppress(FileNotFoundError):
                status = path.stat()
                if path.is_file():
                    found.append((status.st_mtime, status.st_size, path))
        total = sum(size for _, size, _ in found)
        is_full = total > self._limit
        for used_at, size, path in sorted(found):
            is_left_over = path.name.startswith(".") and time.time() - used_at > _USE_SECONDS
            if is_left_over or (is_full and total > self._limit * _FULL_AGAIN):
                path.unlink(missing_ok=True)
                total -= size


def _begin(path: Path) -> BinaryIO:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    return path.open("wb")


def _note_use(path: Path) -> None:
    with suppress(OSError):
        if time.time() - path.stat().st_mtime > _USE_SECONDS:
            os.utime(path)
