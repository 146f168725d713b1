"""Queues copies of snapshots for the disk, beside the requests, and reads copies when Redis cannot be read."""

import asyncio
import sys
from collections.abc import Mapping

import structlog

from edge_api.snapshots.disk_store import DISK_ERRORS, CopyWrite, DiskStore

_LOG = structlog.stdlib.get_logger(__name__)

_WRITES_PER_TRANSACTION = 64
#: Bounds the write-ahead log, which holds a whole transaction.
_BYTES_PER_TRANSACTION = 4 * 1024 * 1024
#: The limit of queued bytes. Copies above it are written by the next search for missing copies.
_MAX_QUEUED_BYTES = 32 * 1024 * 1024


class DiskWriter:
    """Queues the newest write of each project. A disk that cannot be written costs the copies only.

    `is_failing` is whether the last transaction failed.
    """

    def __init__(self, store: DiskStore, max_queued_bytes: int = _MAX_QUEUED_BYTES) -> None:
        self._store = store
        self._max_queued_bytes = max_queued_bytes
        self._queued: dict[str, CopyWrite] = {}
        self._queued_bytes = 0
        self._running: Mapping[str, CopyWrite] = {}
        #: Projects whose copy may be older than the snapshot that this worker has served.
        self._outdated: set[str] = set()
        self._arrived = asyncio.Event()
        self._written = asyncio.Event()
        self._is_closed = False
        self.is_failing = False
        #: Whether copies may be missing: too much was queued, or the disk failed.
        self.has_gaps = False

    @property
    def damaged(self) -> int:
        """The number of damaged copies found so far."""
        return self._store.damaged

    def is_synced(self) -> bool:
        """Return whether no copy on disk is outdated."""
        return not (self._queued or self._running or self._outdated)

    async def wait_until_written(self) -> None:
        """Wait until the queue is empty."""
        while self._queued or self._running:
            self._written.clear()
            await self._written.wait()

    async def wait_for_capacity(self) -> None:
        """Wait until more copies can be queued without gaps."""
        while self._queued_bytes > self._max_queued_bytes // 2:
            self._written.clear()
            await self._written.wait()

    def put(self, project_id: str, revision: int, body: bytes) -> None:
        """Queue the copy of a stored snapshot."""
        if self._queued_bytes + len(body) > self._max_queued_bytes:
            # No copy is better than one that is older than the snapshot served.
            self.has_gaps = True
            self._queue(project_id, CopyWrite(revision, None))
        else:
            self._queue(project_id, CopyWrite(revision, body))

    def remove(self, project_id: str, revision: int) -> None:
        """Queue the tombstone of a project that was deleted at that revision."""
        self._queue(project_id, CopyWrite(revision, None, is_tombstone=True))

    async def drop_outdated(self) -> None:
        """Remove the outdated copies that no queued copy has replaced, unless the disk fails."""
        await self.wait_until_written()
        if not self.is_failing:
            for project_id in self._outdated:
                self._queue(project_id, CopyWrite(sys.maxsize, None))

    async def load(self, project_id: str) -> bytes | None:
        """Return the stored snapshot of a project; None when there is no copy that can be trusted."""
        write = self._queued.get(project_id) or self._running.get(project_id)
        if write is not None:
            return write.body
        if project_id in self._outdated:
            return None
        try:
            return await self._store.in_thread(self._store.read, project_id)
        except DISK_ERRORS as error:
            _LOG.warning("snapshot_copy_not_read", project=project_id, reason=str(error))
        return None

    async def discard(self, project_id: str, reason: str) -> None:
        """Remove a copy that cannot be decoded."""
        try:
            await self._store.in_thread(self._store.discard, project_id, reason)
        except DISK_ERRORS as error:
            _LOG.warning("snapshot_copy_not_removed", project=project_id, reason=str(error))

    def close(self) -> None:
        """Let :meth:`run` return once the queue is empty."""
        self._is_closed = True
        self._arrived.set()

    async def run(self) -> None:
        """Write queued copies."""
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            while self._queued:
                await self._write_batch()
            if self._is_closed:
                return

    def set_failing(self, error: Exception | None) -> None:
        """Record whether the disk can be written, and log a change."""
        if (error is not None) is self.is_failing:
            return
        self.is_failing = error is not None
        if error is None:
            _LOG.info("snapshot_copies_written_again")
        else:
            _LOG.error("snapshot_copies_not_written", reason=str(error))

    def _queue(self, project_id: str, write: CopyWrite) -> None:
        before = self._queued.get(project_id)
        if before is not None and before.revision > write.revision:
            return
        self._queued_bytes += write.size - (before.size if before is not None else 0)
        self._queued[project_id] = write
        self._arrived.set()

    async def _write_batch(self) -> None:
        batch = self._running = self._next_batch()
        try:
            await self._store.in_thread(self._store.write, batch)
        except DISK_ERRORS as error:
            self.has_gaps = True
            self._outdated.update(batch)
            self.set_failing(error)
        else:
            self._outdated.difference_update(batch)
            self.set_failing(None)
        finally:
            self._running = {}
            self._written.set()

    def _next_batch(self) -> dict[str, CopyWrite]:
        batch: dict[str, CopyWrite] = {}
        batch_bytes = 0
        while self._queued and len(batch) < _WRITES_PER_TRANSACTION and batch_bytes < _BYTES_PER_TRANSACTION:
            project_id = next(iter(self._queued))
            write = batch[project_id] = self._queued.pop(project_id)
            batch_bytes += write.size
        self._queued_bytes -= batch_bytes
        return batch
