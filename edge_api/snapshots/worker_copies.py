"""The copies of snapshots on disk, for one worker: it reads them, and may become the worker that writes them."""

import asyncio
from contextlib import suppress
from pathlib import Path

import structlog

from edge_api.background_tasks import BackgroundTasks
from edge_api.snapshots.cache import SnapshotCache
from edge_api.snapshots.copy_reader import CopyReader
from edge_api.snapshots.copy_writer import CopyWriter
from edge_api.snapshots.disk_database import DISK_ERRORS
from edge_api.snapshots.disk_store import DiskStore
from edge_api.snapshots.metrics import CopyMetrics
from edge_api.snapshots.redis_source import RedisSource

_LOG = structlog.stdlib.get_logger(__name__)

#: A disk that hangs must not stop the start: Redis has all snapshots.
_OPEN_SECONDS = 5.0
_DRAIN_SECONDS = 5.0


class WorkerCopies:
    """Reader and writer have a connection and a thread each, so that a long transaction delays no read."""

    def __init__(self, folder: Path, limit_bytes: int, source: RedisSource, *, max_stale_seconds: float) -> None:
        """Store the settings; nothing is opened."""
        self._store = DiskStore(folder, limit_bytes)
        self.reader = CopyReader(self._store, max_stale_seconds)
        self._writer = CopyWriter(folder, limit_bytes, source)

    def metrics(self) -> CopyMetrics:
        """Return the state of the copies."""
        stores = (self._store, self._writer.store)
        is_failing = any(store.is_failing for store in stores)
        return CopyMetrics("failing" if is_failing else "written", sum(store.damaged for store in stores))

    async def open(self) -> tuple[bool, float | None]:
        """Return whether a copy can be served, and the Unix time at which the copies were last as new as Redis."""
        try:
            async with asyncio.timeout(_OPEN_SECONDS):
                return await self._store.in_thread(self._open)
        except (TimeoutError, *DISK_ERRORS) as error:
            _LOG.warning("snapshot_copies_not_opened", reason=str(error) or type(error).__name__)
            return False, None

    def start(self, tasks: BackgroundTasks, cache: SnapshotCache) -> None:
        """Start the background tasks."""
        tasks.start("snapshot_uses", lambda: self.reader.run(cache.project_ids))
        tasks.start("snapshot_copies", self._writer.run)

    async def finish(self) -> None:
        """Record the last uses, and copy those projects if this worker writes, while the tasks still run."""
        with suppress(TimeoutError, *DISK_ERRORS):
            async with asyncio.timeout(_DRAIN_SECONDS):
                await self.reader.flush()
                await self._writer.finish()

    async def close(self) -> None:
        """Close the database, after the tasks have ended."""
        for close, store in ((self._writer.close, self._writer.store), (self._store.close, self._store)):
            with suppress(OSError):
                await store.in_thread(close)

    def _open(self) -> tuple[bool, float | None]:
        self._store.open()
        return self._store.has_sound_copy(), self._store.synced_at()
