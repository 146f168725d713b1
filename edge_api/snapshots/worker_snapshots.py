"""Creates the snapshot cache of a worker with its tasks, and opens and closes it."""

import asyncio

from redis.asyncio import Redis

from edge_api.background_tasks import BackgroundTasks
from edge_api.settings import EdgeSettings
from edge_api.snapshots.cache import SnapshotCache
from edge_api.snapshots.disk_reconciler import DiskReconciler
from edge_api.snapshots.disk_store import DISK_ERRORS, DiskStore
from edge_api.snapshots.disk_writer import DiskWriter
from edge_api.snapshots.redis_source import RedisHealth, RedisSource
from edge_api.snapshots.subscriber import ChangeSubscriber

_DRAIN_SECONDS = 5.0
_MEBIBYTE = 1024 * 1024


class WorkerSnapshots:
    """Opens nothing before :meth:`open`. Without a folder in the settings no copies are kept on disk."""

    def __init__(self, settings: EdgeSettings, client: Redis, background_client: Redis) -> None:
        self._reconcile_seconds = settings.edge_reconcile_seconds
        self._had_copies = False
        self._writing: asyncio.Task[None] | None = None
        self.health = RedisHealth()
        background_source = RedisSource(background_client)
        self._store = self._writer = self._reconciler = None
        if settings.edge_snapshot_folder is not None:
            self._store = DiskStore(settings.edge_snapshot_folder, settings.edge_snapshot_folder_mb * _MEBIBYTE)
            self._writer = DiskWriter(self._store)
        self.cache = SnapshotCache(
            RedisSource(client),
            background_source,
            self.health,
            self._writer,
            limit_bytes=settings.edge_snapshot_memory_mb * _MEBIBYTE,
            unknown_seconds=settings.edge_unknown_project_seconds,
            max_stale_seconds=settings.edge_max_stale_seconds,
        )
        if self._store is not None and self._writer is not None:
            self._reconciler = DiskReconciler(self._store, self._writer, background_source, self.cache, self.health)
        self.changes = ChangeSubscriber(background_source, self.cache, self.health, self._reconciler)

    def can_serve(self) -> bool:
        """Return whether there are snapshots to serve: Redis was up once, or there are copies that are not too old."""
        return (self.health.was_up or self._had_copies) and not self.cache.is_too_stale()

    async def open(self) -> None:
        """Read the state of the copies and the end of the change stream."""
        if self._store is not None and self._writer is not None:
            try:
                self._had_copies = await self._store.in_thread(self._store.open)
                self.health.restore(await self._store.in_thread(self._store.synced_at))
            except DISK_ERRORS as error:
                self._writer.set_failing(error)
        await self.changes.seek_to_end()

    def start(self, tasks: BackgroundTasks) -> None:
        """Start the background tasks."""
        tasks.start("change_subscriber", self.changes.run)
        tasks.start("reconciliation", lambda: self.changes.reconcile_forever(self._reconcile_seconds))
        if self._writer is not None and self._reconciler is not None:
            self._writing = tasks.start("snapshot_copies", self._writer.run)
            tasks.start("snapshot_copy_reconciliation", self._reconciler.run)

    async def finish(self) -> None:
        """Write the waiting copies, while the tasks still run."""
        if self._writer is not None and self._writing is not None:
            self._writer.close()
            await asyncio.wait([self._writing], timeout=_DRAIN_SECONDS)

    async def close(self) -> None:
        """Close the database of copies, after the tasks have ended."""
        if self._store is not None:
            await self._store.in_thread(self._store.close)
