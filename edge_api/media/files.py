"""The media files that a worker delivers: from memory, from copies on the disk, else from the store.

The name of a file has a digest of its content, so a cached file is never outdated, and it is served while the store is
unavailable. A file is loaded once for all requests that wait for it.
"""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import AsyncIterator
from enum import Enum
from pathlib import Path
from typing import Protocol

import structlog

from common.errors import UnavailableError
from common.ids import IdPrefix, is_id
from common.media_names import DIGEST_DIGITS, is_object_name
from common.media_store import MediaStore, MediaStoreError, StoredObject
from common.telemetry.catalogue import edge as catalogue
from common.telemetry.samples import SampleSet
from edge_api.media.disk_copies import DiskCopies
from edge_api.single_flight import SingleFlight

_LOG = structlog.stdlib.get_logger(__name__)

MAX_MEMORY_BYTES = 64 * 1024 * 1024
#: Larger files are read from the disk for each request.
MAX_CACHED_FILE_BYTES = 1024 * 1024
#: Files that are looked for at once; further requests get 503.
_MAX_LOADS = 64
#: Requests to the store at once. The others wait for their turn.
_MAX_STORE_LOADS = 16


class _Load(Enum):
    """The result of a load that is no content: each request that waits for it opens the copy itself."""

    ON_DISK = "on disk"


class MediaContent(Protocol):
    """A file that can be sent in parts."""

    size: int

    def portions(self, start: int, end: int) -> AsyncIterator[bytes]:
        """Yield the bytes from `start` to before `end`. Raises OSError, MediaStoreError."""

    def close(self) -> None:
        """End the reading."""


class _InMemory:
    def __init__(self, content: bytes) -> None:
        self.content = content
        self.size = len(content)

    async def portions(self, start: int, end: int) -> AsyncIterator[bytes]:
        yield self.content[start:end]

    def close(self) -> None:
        """Do nothing: the content stays cached."""


class _InStore:
    """A file that is read from the store for each request, because there are no copies on a disk."""

    def __init__(self, store: MediaStore, project_id: str, name: str, size: int) -> None:
        self._store = store
        self._place = (project_id, name)
        self.size = size

    async def portions(self, start: int, end: int) -> AsyncIterator[bytes]:
        found = await self._store.open(*self._place, start, end)
        if found is None:
            raise MediaStoreError("a media file was deleted while it was sent")
        async for portion in found.content:
            yield portion

    def close(self) -> None:
        """Do nothing: each portion is a request of its own."""


class MediaFiles:
    """The bounded caches of a worker in front of the store. Without a store there are no files."""

    def __init__(self, store_url: str | None, folder: Path | None, folder_bytes: int) -> None:
        self._store = None if store_url is None else MediaStore(store_url)
        self._copies = None if folder is None else DiskCopies(folder, folder_bytes)
        self._cached: OrderedDict[str, _InMemory] = OrderedDict()
        self._bytes = 0
        self._loads = SingleFlight(self._load, limit=_MAX_LOADS)
        self._turns = asyncio.Semaphore(_MAX_STORE_LOADS)
        self._counts = {"memory": 0, "disk": 0, "store": 0, "unknown": 0, "failed": 0}

    async def get(self, project_id: str, name: str) -> MediaContent | None:
        """Return an open file, None when there is none. Raises UnavailableError when that cannot be determined now."""
        if self._store is None or not is_object_name(name) or not is_id(IdPrefix.PROJECT, project_id):
            return None
        key = f"{project_id}/{name}"
        cached = self._cached.get(key)
        if cached is not None:
            self._cached.move_to_end(key)
            self._counts["memory"] += 1
            return cached
        if not self._loads.may_load(key):
            raise UnavailableError("Too many media files are being loaded now")
        found = await self._loads.load(key)
        return await self._open_copy(key) if found is _Load.ON_DISK else found

    def collect(self, samples: SampleSet) -> None:
        """Add the metrics."""
        samples.add(catalogue.MEDIA_BYTES, self._bytes)
        for source, count in self._counts.items():
            samples.add(catalogue.MEDIA_READS, count, source)

    async def _load(self, key: str) -> MediaContent | _Load | None:
        """Return a file, or that there is a copy of it on the disk. Raises UnavailableError."""
        if self._copies is not None:
            content = await self._copies.read(key, MAX_CACHED_FILE_BYTES)
            if content is not None:
                self._counts["disk"] += 1
                return self._put(key, content)
            copy = await self._copies.open(key)
            if copy is not None:
                copy.close()
                self._counts["disk"] += 1
                return _Load.ON_DISK
        try:
            async with self._turns:
                return await self._load_from_store(key)
        except MediaStoreError as error:
            self._counts["failed"] += 1
            _LOG.warning("media_not_loaded", reason=str(error))
            raise UnavailableError("The media file cannot be loaded now") from error

    async def _load_from_store(self, key: str) -> MediaContent | _Load | None:
        store, (project_id, _, name) = self._store, key.partition("/")
        if store is None:
            return None
        found = await store.open(project_id, name)
        if found is None:
            self._counts["unknown"] += 1
            return None
        if found.size <= MAX_CACHED_FILE_BYTES:
            return await self._load_small(key, found)
        self._counts["store"] += 1
        if self._copies is not None and await self._copies.write(key, found.content):
            return _Load.ON_DISK
        return _InStore(store, project_id, name, found.size)

    async def _load_small(self, key: str, found: StoredObject) -> MediaContent:
        content = b"".join([portion async for portion in found.content])
        if hashlib.sha256(content).hexdigest()[:DIGEST_DIGITS] != key.partition("/")[2].partition(".")[0]:
            raise MediaStoreError("an object is damaged")
        self._counts["store"] += 1
        if self._copies is not None:
            await self._copies.write(key, _InMemory(content).portions(0, len(content)))
        return self._put(key, content)

    async def _open_copy(self, key: str) -> MediaContent | None:
        """Open a copy that was there, or was written, a moment ago. Raises UnavailableError if it is gone again."""
        copy = None if self._copies is None else await self._copies.open(key)
        if copy is None:
            raise UnavailableError("The media file cannot be loaded now")
        return copy

    def _put(self, key: str, content: bytes) -> _InMemory:
        file = self._cached[key] = _InMemory(content)
        self._bytes += file.size
        while self._bytes > MAX_MEMORY_BYTES:
            _, evicted = self._cached.popitem(last=False)
            self._bytes -= evicted.size
        return file
