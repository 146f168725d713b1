"""Creates the snapshot cache of a worker with its tasks, and opens and closes it."""

import asyncio
from contextlib import suppress
from functools import partial

from redis.asyncio import Redis
from redis.exceptions import RedisError

from edge_api.background_tasks import BackgroundTasks
from edge_api.settings import EdgeSettings
from edge_api.snapshots.cache import SnapshotCache
from edge_api.snapshots.copy_reader import CopyReader
from edge_api.snapshots.copy_writer import CopyWriter
from edge_api.snapshots.disk_database import DISK_ERRORS
from edge_api.snapshots.disk_store import DiskStore
from edge_api.snapshots.metrics import CopyMetrics
from edge_api.snapshots.redis_health import RedisHealth
from edge_api.snapshots.redis_source import RedisSource
from edge_api.snapshots.subscriber import ChangeSubscriber

_DRAIN_SECONDS = 5.0
#: For how long a worker caches that a project is absent.
UNKNOWN_SECONDS = 1.0
_MEBIBYTE = 1024 * 1024


class WorkerSnapshots:
    """Opens nothing before :meth:`open`. Without a folder in the settings no copies are kept on disk."""

    def __init__(self, settings: EdgeSettings, client: Redis, background_client: Redis) -> None:
        self._had_copies = False
        self.health = RedisHealth()
        background_source = RedisSource(background_client)
        folder, limit_bytes = settings.edge_snapshot_folder, settings.edge_snapshot_folder_mb * _MEBIBYTE
        self._reader = self._writer = None
        if folder is not None:
            # A connection and a thread each: a long transaction delays no read.
            self._reader = CopyReader(DiskStore(folder, limit_bytes), settings.edge_max_stale_seconds)
            self._writer = CopyWriter(DiskStore(folder, limit_bytes), folder, background_source)
        self.cache = SnapshotCache(
            RedisSource(client),
            background_source,
            self.health,
            self._reader,
            limit_bytes=settings.edge_snapshot_memory_mb * _MEBIBYTE,
            unknown_seconds=UNKNOWN_SECONDS,
            max_stale_seconds=settings.edge_max_stale_seconds,
        )
        self.changes = ChangeSubscriber(background_source, self.cache, self.health)

    def can_serve(self) -> bool:
        """Return whether there are snapshots to serve: Redis was up once, or there are copies that are not too old."""
        return (self.health.was_up or self._had_copies) and not self.cache.is_too_stale()

    def copy_metrics(self) -> CopyMetrics:
        """Return the state of the copies on disk."""
        stores = self._stores()
        if not stores:
            return CopyMetrics()
        is_failing = any(store.is_failing for store in stores)
        return CopyMetrics("failing" if is_failing else "written", sum(store.damaged for store in stores))

    async def open(self) -> None:
        """Read the state of the copies and the end of the change stream."""
        if self._reader is not None:
            self._had_copies, synced_at = await self._reader.open()
            self.health.restore(synced_at)
        await self.changes.seek_to_end()

    def start(self, tasks: BackgroundTasks) -> None:
        """Start the background tasks."""
        tasks.start("change_subscriber", self.changes.run)
        tasks.start("snapshot_retries", self.cache.retry_forever)
        if self._reader is not None and self._writer is not None:
            tasks.start("snapshot_uses", partial(self._reader.run, self.cache.project_ids))
            tasks.start("snapshot_copies", self._writer.run)

    async def finish(self) -> None:
        """Copy the projects that were used last, while the tasks still run."""
        if self._reader is not None and self._writer is not None:
            with suppress(TimeoutError, RedisError, *DISK_ERRORS):
                async with asyncio.timeout(_DRAIN_SECONDS):
                    await self._reader.flush()
                    await self._writer.finish()

    async def close(self) -> None:
        """Close the database of copies, after the tasks have ended, and let another worker write."""
        if self._writer is not None:
            self._writer.release()
        for store in self._stores():
            with suppress(OSError):
                await store.in_thread(store.close)

    def _stores(self) -> list[DiskStore]:
        return [half.store for half in (self._reader, self._writer) if half is not None]
