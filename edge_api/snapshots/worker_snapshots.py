"""All that a worker has to do with snapshots, put together."""

from redis.asyncio import Redis

from edge_api.background_tasks import BackgroundTasks
from edge_api.settings import EdgeSettings
from edge_api.snapshots.change_stream import ChangeStream
from edge_api.snapshots.reconciliation import reconcile_forever
from edge_api.snapshots.redis_health import RedisHealth
from edge_api.snapshots.snapshot_cache import SnapshotCache
from edge_api.snapshots.snapshot_disk import FolderDisk, NoDisk
from edge_api.snapshots.snapshot_folder import SnapshotFolder
from edge_api.snapshots.snapshot_source import SnapshotSource
from edge_api.snapshots.snapshot_store import SnapshotStore
from edge_api.snapshots.subscriber import ChangeSubscriber

_DRAIN_SECONDS = 5.0
_MEBIBYTE = 1024 * 1024


class WorkerSnapshots:
    """`store` gives the snapshots, `contact` tells whether Redis answers, `changes` follows what is published.

    Nothing is opened before :meth:`open`.
    """

    def __init__(self, settings: EdgeSettings, client: Redis, subscriber_client: Redis) -> None:
        self._reconcile_seconds = settings.edge_reconcile_seconds
        self.contact = RedisHealth()
        source = SnapshotSource(client)
        memory = SnapshotCache(settings.edge_snapshot_memory_mb * _MEBIBYTE)
        self._folder_disk: FolderDisk | None = None
        if settings.edge_snapshot_folder is not None:
            folder = SnapshotFolder(settings.edge_snapshot_folder, settings.edge_snapshot_folder_mb * _MEBIBYTE)
            self._folder_disk = FolderDisk(folder, source, memory, self.contact)
        self.store = SnapshotStore(
            source,
            memory,
            self.contact,
            self._folder_disk or NoDisk(),
            unknown_seconds=settings.edge_unknown_project_seconds,
            max_stale_seconds=settings.edge_max_stale_seconds,
        )
        self.changes = ChangeSubscriber(ChangeStream(subscriber_client), self.store, self.contact)

    def can_serve(self) -> bool:
        """Tell whether there is anything to answer from: Redis, now or once, or copies on disk that are not too old."""
        had_copies = self._folder_disk is not None and self._folder_disk.had_copies
        return (self.contact.was_reached or had_copies) and not self.store.is_too_stale()

    async def open(self) -> None:
        """Get ready to serve."""
        if self._folder_disk is not None:
            await self._folder_disk.open()
        await self.changes.locate()

    def start(self, tasks: BackgroundTasks) -> None:
        """Start what runs beside the requests."""
        tasks.start("change_follower", self.changes.run)
        tasks.start("reconciliation", lambda: reconcile_forever(self.store, self._reconcile_seconds))
        if self._folder_disk is not None:
            self._folder_disk.start(tasks)

    async def finish(self) -> None:
        """Bring to disk what waits for it, while the tasks still run."""
        if self._folder_disk is not None:
            await self._folder_disk.finish(_DRAIN_SECONDS)

    async def close(self) -> None:
        """Let go of what was opened, once the tasks have ended."""
        if self._folder_disk is not None:
            await self._folder_disk.close()
