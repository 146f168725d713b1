"""Copies of page assets on the disk of an edge, which serve without Redis.

All workers of a host share the folder. A file begins with the SHA-256 of its content. A disk that fails or hangs costs
only the copies.
"""

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import structlog

from edge_api.disk_threads import DiskThreads

_LOG = structlog.stdlib.get_logger(__name__)

_FOLDER = "page-assets"
_DIGEST_BYTES = 32
#: Above so many files the oldest are removed, so many that not each write has to list the folder.
_MAX_FILES = 500
_KEPT_FILES = 400
_DISK_SECONDS = 2.0

T = TypeVar("T")


class PageAssetCopies:
    """The folder of the copies. Without a folder there are none.

    It has a thread for itself, so that a flood of requests for assets delays no other work.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = None if folder is None else folder / _FOLDER
        self._thread = DiskThreads("page-assets", 1, _DISK_SECONDS)
        #: The files when the folder was listed, and those written since then.
        self._files = 0

    async def names(self) -> list[str]:
        """Return the names of all files."""
        return await self._run(self._list, [])

    async def read(self, name: str) -> bytes | None:
        """Return the content of a file; None without a sound file."""
        return await self._run(lambda folder: _read(folder / name), None)

    async def write(self, name: str, content: bytes) -> None:
        """Replace a file in one step."""
        await self._run(lambda folder: self._write(folder, name, content), None)

    async def _run(self, work: Callable[[Path], T], otherwise: T) -> T:
        """Return the result of a job in the thread, or `otherwise` without a folder and while the disk hangs."""
        if self._folder is None:
            return otherwise
        try:
            return await self._thread.run(work, self._folder)
        except OSError as error:
            _LOG.warning("page_asset_copies_unavailable", folder=str(self._folder), reason=str(error))
            return otherwise

    def _list(self, folder: Path) -> list[str]:
        try:
            files = _by_age(folder)
        except OSError:
            # There is no folder before the first write. Another failure is logged by that write.
            return []
        self._files = len(files)
        return [path.name for path in files]

    def _write(self, folder: Path, name: str, content: bytes) -> None:
        unfinished = folder / f".{os.getpid()}.{name}"
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            unfinished.write_bytes(hashlib.sha256(content).digest() + content)
            unfinished.replace(folder / name)
            self._files += 1
            if self._files > _MAX_FILES:
                self._remove_old(folder)
        except OSError as error:
            _LOG.warning("page_asset_not_written", asset=name, reason=str(error))
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)

    def _remove_old(self, folder: Path) -> None:
        files = _by_age(folder)
        for path in files[:-_KEPT_FILES]:
            path.unlink(missing_ok=True)
        self._files = min(len(files), _KEPT_FILES)


def _read(path: Path) -> bytes | None:
    try:
        stored = path.read_bytes()
    except OSError:
        return None
    digest, content = stored[:_DIGEST_BYTES], stored[_DIGEST_BYTES:]
    return content if hashlib.sha256(content).digest() == digest else None


def _by_age(folder: Path) -> list[Path]:
    """Return all files, the oldest first. Raises OSError."""
    files = []
    for path in folder.iterdir():
        # Another worker may rename or remove a file after it was listed.
        with suppress(FileNotFoundError):
            files.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(files)]
