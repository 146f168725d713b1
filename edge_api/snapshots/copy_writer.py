"""Writes the copies of all workers of a machine: one worker does, which holds a lock in the folder of the copies."""

import asyncio
import fcntl
import os
import time
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

import structlog
from redis.exceptions import RedisError

from common.process import Backoff
from common.wire.snapshot import SnapshotFormatError, decode_snapshot
from edge_api.snapshots.disk_database import DISK_ERRORS
from edge_api.snapshots.disk_store import Copy, DiskStore
from edge_api.snapshots.redis_source import (
    BODIES_PER_TRIP,
    REVISIONS_PER_TRIP,
    Changes,
    RedisSource,
    StoredSnapshot,
    StreamPoint,
)
from edge_api.snapshots.stream_follower import StreamFollower

_LOG = structlog.stdlib.get_logger(__name__)

LOCK_NAME = "writer.lock"

_LOCK_SECONDS = 1.0
_FIRST_RETRY_SECONDS = 0.1
_MAX_RETRY_SECONDS = 5.0
#: The point is stored with copies, and this often without them, because each transaction is an fsync.
_POINT_SECONDS = 10.0
#: Bounds the write-ahead log, which holds a whole transaction.
_BYTES_PER_TRANSACTION = 4 * 1024 * 1024


class CopyWriter:
    """Follows the change stream from the stored point, and copies the projects that the workers use.

    The point moves only when every copy is at least as new. It stays, honestly old, while the disk cannot be written,
    or while a node of a Redis Cluster that has a changed project is down.
    """

    def __init__(self, store: DiskStore, folder: Path, source: RedisSource) -> None:
        """Create the writer, with a store of its own and the folder of the lock."""
        self.store = store
        self._lock = _WriterLock(folder / LOCK_NAME)
        self._source = source
        self._follower = StreamFollower(source, self)
        #: Copies that may be older than Redis, because a node did not respond.
        self._behind: dict[str, None] = {}
        self._after_outage = False
        self._backoff = Backoff(first=_FIRST_RETRY_SECONDS, limit=_MAX_RETRY_SECONDS)
        self._retry_backoff = Backoff(first=_FIRST_RETRY_SECONDS, limit=_MAX_RETRY_SECONDS)
        self._retry_at = self._stored_at = 0.0
        self._wanted_after = ""
        #: Copies up to this id were verified; None when all were.
        self._verified: str | None = ""

    async def run(self) -> None:
        """Wait until no other worker writes, then write until cancelled."""
        while True:
            try:
                if not await self.store.in_thread(self._lock.acquire):
                    await asyncio.sleep(_LOCK_SECONDS)
                    continue
                await self.store.in_thread(self.store.open)
                self._follower.point = await self.store.in_thread(self.store.point)
                await self._follower.follow(after_outage=self._after_outage)
            except DISK_ERRORS as error:
                _LOG.debug("snapshot_copies_not_written_now", reason=str(error))
            except RedisError as error:
                _LOG.debug("snapshot_copies_not_followed", reason=type(error).__name__)
                self._after_outage = True
            await asyncio.sleep(self._backoff.next_delay())

    async def finish(self) -> None:
        """Copy the projects that were used last, if this worker writes. Raises errors of Redis and of the disk."""
        if self._lock.is_held:
            self._wanted_after = ""
            await self._copy_wanted()

    def release(self) -> None:
        """Let another worker write, after :meth:`run` has ended."""
        self._lock.release()

    # --- the change stream -------------------------------------------------------------------------------------------

    async def apply(self, changes: Changes, reached: StreamPoint) -> None:
        """Renew the copies of changed projects."""
        synced_at = None if changes.has_more else time.time()
        revisions = {**changes.revisions, **changes.deleted}
        copied = await self.store.in_thread(self.store.revisions, list(revisions))
        old = [project_id for project_id, revision in copied.items() if revision < revisions[project_id]]
        batch = {project_id: Copy(revisions[project_id], None) for project_id in old if project_id in changes.deleted}
        await self._renew([project_id for project_id in old if project_id not in batch], batch)
        await self._store_point(reached, synced_at, batch)
        await self._copy_wanted()

    async def compare(self, reached: StreamPoint) -> None:
        """Compare all copies with Redis, and delete those of projects that do not exist."""
        synced_at = time.time()
        epoch = await self._source.complete_epoch()
        batch: dict[str, Copy] = {}
        absent: list[str] = []
        last = ""
        while copied := await self.store.in_thread(self.store.revisions_after, last, REVISIONS_PER_TRIP):
            last = max(copied)
            newer: list[str] = []
            for project_id, revision in zip(copied, await self._source.revisions(list(copied)), strict=True):
                if isinstance(revision, Exception):
                    self._behind[project_id] = None
                elif revision is None:
                    absent.append(project_id)
                elif revision > copied[project_id]:
                    newer.append(project_id)
            await self._renew(newer, batch)
        # Redis has every project, and had it all the time: the absent ones were deleted.
        if absent and epoch is not None and epoch == await self._source.complete_epoch():
            for start in range(0, len(absent), REVISIONS_PER_TRIP):
                await self.store.in_thread(self.store.delete, absent[start : start + REVISIONS_PER_TRIP])
            _LOG.info("snapshot_copies_of_no_project_removed", projects=len(absent))
        await self._store_point(reached, synced_at, batch)
        self._after_outage = False

    async def confirm(self, reached: StreamPoint) -> None:
        """Use a moment without changes: copy wanted projects, retry failed ones, verify a part of the copies."""
        synced_at = time.time()
        self._backoff.reset()
        await self._copy_wanted()
        await self._retry()
        await self._verify_some()
        if time.monotonic() - self._stored_at >= _POINT_SECONDS:
            await self._store_point(reached, synced_at, {})

    # --- copies ------------------------------------------------------------------------------------------------------

    async def _renew(self, project_ids: Sequence[str], batch: dict[str, Copy]) -> None:
        """Fetch newer copies into the batch; they count as behind while their node does not respond."""
        for project_id, error in (await self._fetch(project_ids, batch)).items():
            if error is not None:
                self._behind[project_id] = None

    async def _fetch(self, project_ids: Sequence[str], batch: dict[str, Copy]) -> dict[str, Exception | None]:
        """Fetch copies into the batch, and write it when it is full.

        Return the projects without a copy: the error of their node; None where Redis has no snapshot, or one that this
        release cannot decode. In that case an older copy stays, as the older snapshot stays in memory.
        """
        missed: dict[str, Exception | None] = {}
        for start in range(0, len(project_ids), BODIES_PER_TRIP):
            chunk = project_ids[start : start + BODIES_PER_TRIP]
            replies = dict(zip(chunk, await self._source.snapshots(chunk), strict=True))
            copies = await self.store.in_thread(_copies_of, replies)
            for project_id, reply in replies.items():
                if project_id not in copies:
                    missed[project_id] = reply if isinstance(reply, Exception) else None
            batch.update(copies)
            if sum(len(copy.body or b"") for copy in batch.values()) > _BYTES_PER_TRANSACTION:
                await self._write(batch)
        return missed

    async def _write(self, batch: dict[str, Copy]) -> None:
        if batch:
            await self.store.in_thread(self.store.write, dict(batch))
            batch.clear()

    async def _store_point(self, reached: StreamPoint, synced_at: float | None, batch: dict[str, Copy]) -> None:
        """Write the last copies together with the point that all copies have reached, unless some are behind."""
        if self._behind:
            await self._write(batch)
        else:
            await self.store.in_thread(self.store.write, batch, reached, synced_at)
            self._stored_at = time.monotonic()

    async def _copy_wanted(self) -> None:
        """Copy the projects that workers use and that have no copy; after an error, go on with others next time."""
        while wanted := await self.store.in_thread(self.store.wanted_after, self._wanted_after, REVISIONS_PER_TRIP):
            self._wanted_after = wanted[-1]
            batch: dict[str, Copy] = {}
            missed = await self._fetch(wanted, batch)
            await self._write(batch)
            if hopeless := [project_id for project_id, error in missed.items() if error is None]:
                # They are wanted again when they are used again.
                await self.store.in_thread(self.store.delete, hopeless, only_wanted=True)
            if len(hopeless) < len(missed):
                return
        self._wanted_after = ""

    async def _retry(self) -> None:
        """Renew copies that are behind, with back-off."""
        if not self._behind or time.monotonic() < self._retry_at:
            return
        batch: dict[str, Copy] = {}
        retried = list(islice(self._behind, REVISIONS_PER_TRIP))
        missed = await self._fetch(retried, batch)
        await self._write(batch)
        failed = [project_id for project_id, error in missed.items() if error is not None]
        for project_id in retried:
            del self._behind[project_id]
        # The failed ones go to the end, so that others have their turn.
        self._behind.update(dict.fromkeys(failed))
        if failed:
            self._retry_at = time.monotonic() + self._retry_backoff.next_delay()
        else:
            self._retry_backoff.reset()

    async def _verify_some(self) -> None:
        """Verify further copies, until each was verified once since this worker writes."""
        if self._verified is not None:
            copied = await self.store.in_thread(self.store.revisions_after, self._verified, REVISIONS_PER_TRIP)
            await self.store.in_thread(self.store.verify, copied)
            self._verified = max(copied, default=None)


class _WriterLock:
    """A lock on a file, which the system releases when the process ends. Its methods block."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    @property
    def is_held(self) -> bool:
        return self._descriptor is not None

    def acquire(self) -> bool:
        """Return whether this worker has the lock now. Raises OSError."""
        if self._descriptor is not None:
            return True
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        return True

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _copies_of(replies: Mapping[str, StoredSnapshot | Exception | None]) -> dict[str, Copy]:
    """Return the copies of the snapshots that this release can decode."""
    copies: dict[str, Copy] = {}
    for project_id, stored in replies.items():
        if isinstance(stored, StoredSnapshot):
            try:
                snapshot = decode_snapshot(stored.body)
            except SnapshotFormatError as error:
                _LOG.error("snapshot_unreadable", project=project_id, reason=str(error))
                continue
            if snapshot.project_id == project_id:
                copies[project_id] = Copy(snapshot.revision, None if snapshot.deleted else stored.body)
    return copies
