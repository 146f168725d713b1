"""Keeps the copies on disk as new as Redis, also of projects that are not cached in memory."""

import asyncio
import contextlib
import time
from collections.abc import Mapping, Sequence
from itertools import islice

import structlog
from redis.exceptions import RedisError

from common.wire.snapshot import SnapshotFormatError, decode_snapshot
from edge_api.snapshots.cache import SnapshotCache
from edge_api.snapshots.disk_store import DISK_ERRORS, DiskStore
from edge_api.snapshots.disk_writer import DiskWriter
from edge_api.snapshots.redis_source import BODIES_PER_TRIP, REVISIONS_PER_TRIP, RedisHealth, RedisSource

_LOG = structlog.stdlib.get_logger(__name__)

_ROUND_SECONDS = 1.0
_FULL_SYNC_SECONDS = 3600.0
_FAILING_DISK_SECONDS = 10.0
#: The time of the last synchronisation is stored this often, because each transaction is an fsync.
_SYNC_TIME_SECONDS = 10.0
#: A project that Redis has not had for this time was deleted. The publisher restores lost snapshots in less.
_ABSENT_SECONDS = 3600.0


class DiskReconciler:
    """One task of each worker. Workers may do the same work at the same time, and repeat it.

    Loops over all projects run in the thread of the store or in slices, so that the event loop can serve requests.
    """

    def __init__(
        self, store: DiskStore, writer: DiskWriter, source: RedisSource, cache: SnapshotCache, health: RedisHealth
    ) -> None:
        self._store = store
        self._writer = writer
        self._source = source
        self._cache = cache
        self._health = health
        self._changed: dict[str, int] = {}
        self._absent_are_deleted = False
        self._full_sync = _Timer(_FULL_SYNC_SECONDS)
        self._verification = _Timer(_FULL_SYNC_SECONDS)
        self._failing_disk = _Timer(_FAILING_DISK_SECONDS)
        self._sync_time = _Timer(_SYNC_TIME_SECONDS)
        self._generation = store.generation
        self._requested = asyncio.Event()

    def record_changes(self, revisions: Mapping[str, int]) -> None:
        """Request the renewal of the copies of these projects."""
        if revisions:
            self._changed.update(revisions)
            self._requested.set()

    def request_full_sync(self, *, absent_are_deleted: bool) -> None:
        """Request the comparison of all copies with Redis, because changes may have been missed.

        With `absent_are_deleted`, a project that Redis does not have was deleted; otherwise Redis has lost it.
        """
        self._full_sync.expire()
        self._absent_are_deleted |= absent_are_deleted
        self._requested.set()

    async def run(self) -> None:
        """Work on requests while Redis is up."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_ROUND_SECONDS):
                    await self._requested.wait()
            if not self._health.is_up:
                await asyncio.sleep(_ROUND_SECONDS / 10)
                continue
            self._requested.clear()
            try:
                await self._run_round()
            except (RedisError, *DISK_ERRORS) as error:
                _LOG.debug("snapshot_copies_not_reconciled", reason=type(error).__name__)
                await asyncio.sleep(_ROUND_SECONDS / 2)

    async def _run_round(self) -> None:
        age = self._health.age()
        synced_at = None if age is None else time.time() - age
        if self._writer.has_gaps or self._store.generation != self._generation:
            # Copies are missing: the queue was full, the disk failed, or a worker has deleted the database.
            self._full_sync.expire()
        if self._full_sync.is_due() and (not self._writer.is_failing or self._failing_disk.is_due()):
            await self._sync_all()
        while self._changed:
            changed = dict(islice(self._changed.items(), REVISIONS_PER_TRIP))
            copied = await self._store.in_thread(self._store.revisions, list(changed))
            await self._renew([project_id for project_id, revision in copied.items() if revision < changed[project_id]])
            for project_id, revision in changed.items():
                if self._changed.get(project_id) == revision:
                    del self._changed[project_id]
        is_synced = self._writer.is_synced() and not self._full_sync.is_due()
        if is_synced and synced_at is not None and self._health.is_up and self._sync_time.is_due():
            await self._store.in_thread(self._store.record_sync, synced_at)
            self._sync_time.restart()
            self._writer.set_failing(None)

    async def _sync_all(self) -> None:
        absent_are_deleted, verify = self._absent_are_deleted, self._verification.is_due()
        # A request that arrives during this run starts another run.
        self._absent_are_deleted = self._writer.has_gaps = False
        self._generation = self._store.generation
        self._full_sync.restart()
        self._failing_disk.restart()
        try:
            cached = self._cache.project_ids()
            for start in range(0, len(cached), REVISIONS_PER_TRIP):
                await self._copy_missing(cached[start : start + REVISIONS_PER_TRIP])
            last = ""
            while copied := await self._store.in_thread(
                self._store.revisions_after, last, REVISIONS_PER_TRIP, verify=verify
            ):
                await self._compare(copied, absent_are_deleted=absent_are_deleted)
                last = max(copied)
            await self._writer.drop_outdated()
        except BaseException:
            self.request_full_sync(absent_are_deleted=absent_are_deleted)
            raise
        if verify:
            self._verification.restart()

    async def _copy_missing(self, cached: Sequence[str]) -> None:
        await self._store.in_thread(self._store.touch, cached)
        copied = await self._store.in_thread(self._store.revisions, cached)
        await self._renew(
            [
                project_id
                for project_id in cached
                if copied.get(project_id, -1) < (self._cache.revision(project_id) or 0)
            ]
        )

    async def _compare(self, copied: Mapping[str, int], *, absent_are_deleted: bool) -> None:
        project_ids = list(copied)
        stored = dict(zip(project_ids, await self._source.revisions(project_ids), strict=True))
        present = {project_id: revision for project_id, revision in stored.items() if revision is not None}
        absent = [project_id for project_id in project_ids if project_id not in present]
        seconds = 0.0 if absent_are_deleted else _ABSENT_SECONDS
        removed = await self._store.in_thread(self._store.remove_absent, list(present), absent, seconds=seconds)
        for project_id in removed:
            _LOG.info("snapshot_copy_of_no_project_removed", project=project_id)
            self._cache.evict(project_id)
        await self._renew([project_id for project_id, revision in present.items() if revision > copied[project_id]])

    async def _renew(self, project_ids: Sequence[str]) -> None:
        """Queue the copies of the snapshots that Redis has. Raises OSError when the disk fails."""
        for start in range(0, len(project_ids), BODIES_PER_TRIP):
            chunk = project_ids[start : start + BODIES_PER_TRIP]
            await self._writer.wait_for_capacity()
            for project_id, stored in zip(chunk, await self._source.bodies(chunk), strict=True):
                if stored is not None:
                    self._renew_copy(project_id, stored)
            if self._writer.is_failing:
                await self._writer.wait_until_written()
                if self._writer.is_failing:
                    raise OSError("the disk still fails")

    def _renew_copy(self, project_id: str, stored: bytes) -> None:
        try:
            snapshot = decode_snapshot(stored)
        except SnapshotFormatError as error:
            # The older copy stays, as the older snapshot stays in memory.
            _LOG.error("snapshot_unreadable", project=project_id, reason=str(error))
            return
        if snapshot.deleted:
            self._writer.remove(project_id, snapshot.revision)
        elif snapshot.project_id == project_id:
            self._writer.put(project_id, snapshot.revision, stored)


class _Timer:
    """Due at first, and again some seconds after each restart."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._due_at = 0.0

    def is_due(self) -> bool:
        return time.monotonic() >= self._due_at

    def restart(self) -> None:
        self._due_at = time.monotonic() + self._seconds

    def expire(self) -> None:
        self._due_at = 0.0
