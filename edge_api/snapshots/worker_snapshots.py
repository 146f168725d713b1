"""Creates the snapshot cache of a worker with its tasks, and opens and closes it."""

from redis.asyncio import Redis

from edge_api.background_tasks import BackgroundTasks
from edge_api.settings import EdgeSettings
from edge_api.snapshots.cache import SnapshotCache
from edge_api.snapshots.metrics import CopyMetrics
from edge_api.snapshots.redis_health import RedisHealth
from edge_api.snapshots.redis_source import RedisSource
from edge_api.snapshots.subscriber import ChangeSubscriber
from edge_api.snapshots.worker_copies import WorkerCopies

_MEBIBYTE = 1024 * 1024


class WorkerSnapshots:
    """Opens nothing before :meth:`open`. Without a folder in the settings no copies are kept on disk."""

    def __init__(self, settings: EdgeSettings, client: Redis, background_client: Redis) -> None:
        self._had_copies = False
        self.health = RedisHealth()
        background_source = RedisSource(background_client)
        self._copies = None
        if settings.edge_snapshot_folder is not None:
            self._copies = WorkerCopies(
                settings.edge_snapshot_folder,
                settings.edge_snapshot_folder_mb * _MEBIBYTE,
                background_source,
                max_stale_seconds=settings.edge_max_stale_seconds,
            )
        self.cache = SnapshotCache(
            RedisSource(client),
            background_source,
            self.health,
            None if self._copies is None else self._copies.reader,
            limit_bytes=settings.edge_snapshot_memory_mb * _MEBIBYTE,
            unknown_seconds=settings.edge_unknown_project_seconds,
            max_stale_seconds=settings.edge_max_stale_seconds,
        )
        self.changes = ChangeSubscriber(background_source, self.cache, self.health)

    def can_serve(self) -> bool:
        """Return whether there are snapshots to serve: Redis was up once, or there are copies that are not too old."""
        return (self.health.was_up or self._had_copies) and not self.cache.is_too_stale()

    def copy_metrics(self) -> CopyMetrics:
        """Return the state of the copies on disk."""
        return CopyMetrics() if self._copies is None else self._copies.metrics()

    async def open(self) -> None:
        """Read the state of the copies and the end of the change stream."""
        if self._copies is not None:
            self._had_copies, synced_at = await self._copies.open()
            self.health.restore(synced_at)
        await self.changes.seek_to_end()

    def start(self, tasks: BackgroundTasks) -> None:
        """Start the background tasks."""
        tasks.start("change_subscriber", self.changes.run)
        tasks.start("snapshot_retries", self.cache.retry_forever)
        if self._copies is not None:
            self._copies.start(tasks, self.cache)

    async def finish(self) -> None:
        """Write the copies that are missing, while the tasks still run."""
        if self._copies is not None:
            await self._copies.finish()

    async def close(self) -> None:
        """Close the database of copies, after the tasks have ended."""
        if self._copies is not None:
            await self._copies.close()
