"""What the store asks of the disk, whether copies are kept there or not."""

import asyncio
from collections.abc import Mapping
from typing import Protocol

import structlog

from common.wire.snapshot import Snapshot
from edge_api.background_tasks import BackgroundTasks
from edge_api.snapshots.disk_reconciler import DiskReconciler
from edge_api.snapshots.disk_writer import DiskWriter
from edge_api.snapshots.redis_health import RedisHealth
from edge_api.snapshots.snapshot_cache import SnapshotCache
from edge_api.snapshots.snapshot_figures import CopyState
from edge_api.snapshots.snapshot_folder import SnapshotFolder
from edge_api.snapshots.snapshot_source import SnapshotSource

_LOG = structlog.stdlib.get_logger(__name__)


class SnapshotDisk(Protocol):
    """None of it waits for the disk but what says so by `await`."""

    @property
    def state(self) -> CopyState:
        """Whether copies are kept."""
        ...

    @property
    def damaged(self) -> int:
        """How many copies could not be read."""
        ...

    def keep(self, snapshot: Snapshot, stored: bytes) -> None:
        """Have a snapshot copied; a tombstone removes the copy."""
        ...

    def remove(self, project_id: str, revision: int) -> None:
        """Have the copy of a project removed that was deleted at that revision."""
        ...

    async def load(self, project_id: str) -> bytes | None:
        """Give the stored snapshot of a project as far as there is a copy that can be trusted."""
        ...

    async def discard(self, project_id: str, reason: str) -> None:
        """Remove a copy that cannot be used."""
        ...

    def note_changes(self, revisions: Mapping[str, int]) -> None:
        """Have the copies of projects renewed that are not in memory."""
        ...

    def want_everything(self, *, absent_are_deleted: bool) -> None:
        """Have all copies compared with Redis."""
        ...


class NoDisk:
    """Keeps nothing."""

    state: CopyState = "off"
    damaged = 0

    def keep(self, snapshot: Snapshot, stored: bytes) -> None:
        """Forget it."""

    def remove(self, project_id: str, revision: int) -> None:
        """Have nothing to remove."""

    async def load(self, project_id: str) -> bytes | None:  # noqa: ARG002 - as the protocol says
        """Give nothing."""
        return None

    async def discard(self, project_id: str, reason: str) -> None:
        """Have nothing to remove."""

    def note_changes(self, revisions: Mapping[str, int]) -> None:
        """Have nothing to renew."""

    def want_everything(self, *, absent_are_deleted: bool) -> None:
        """Have nothing to compare."""


class FolderDisk:
    """Copies in a folder: what is written and read at once, and what is looked after in the background."""

    def __init__(
        self, folder: SnapshotFolder, source: SnapshotSource, memory: SnapshotCache, contact: RedisHealth
    ) -> None:
        self._folder = folder
        self._contact = contact
        self._copy = DiskWriter(folder)
        self._upkeep = DiskReconciler(folder, self._copy, source, memory, contact)
        self._copying: asyncio.Task[None] | None = None
        #: Whether there was something to serve at the start.
        self.had_copies = False
        self.note_changes = self._upkeep.note_changes
        self.want_everything = self._upkeep.want_everything
        self.remove = self._copy.remove
        self.load = self._copy.load
        self.discard = self._copy.discard

    @property
    def state(self) -> CopyState:
        """Whether copies are kept."""
        return "failing" if self._copy.is_failing else "written"

    @property
    def damaged(self) -> int:
        """How many copies could not be read."""
        return self._copy.damaged

    def keep(self, snapshot: Snapshot, stored: bytes) -> None:
        """Have a snapshot copied; a tombstone removes the copy."""
        if snapshot.deleted:
            self._copy.remove(snapshot.project_id, snapshot.revision)
        else:
            self._copy.keep(snapshot.project_id, snapshot.revision, stored)

    async def open(self) -> None:
        """Look at what an earlier life of the worker has left. A folder that cannot be used is logged, not raised."""
        try:
            await asyncio.to_thread(self._folder.clear_up)
            self.had_copies = not await asyncio.to_thread(self._folder.is_empty)
            self._contact.confirmed_at = await asyncio.to_thread(self._folder.last_contact)
        except OSError as error:
            self._copy.is_failing = True
            _LOG.error("snapshot_folder_unusable", reason=error.strerror or type(error).__name__)

    def start(self, tasks: BackgroundTasks) -> None:
        """Start what runs beside the requests."""
        self._copying = tasks.start("snapshot_copies", self._copy.run)
        tasks.start("snapshot_folder_upkeep", self._upkeep.run)

    async def finish(self, within_seconds: float) -> None:
        """Write what waits, as far as that time allows."""
        self._copy.close()
        if self._copying is not None:
            await asyncio.wait([self._copying], timeout=within_seconds)

    async def close(self) -> None:
        """Let the folder go."""
        await asyncio.to_thread(self._folder.close)
