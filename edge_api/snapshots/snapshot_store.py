"""Gives the snapshot of a project: from memory at once, else from Redis, once however many requests wait for it.

While Redis is away the copy on disk stands in for it.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence

import structlog
from redis.exceptions import RedisError

from common.errors import UnavailableError
from common.ids import IdPrefix, is_id
from common.wire.snapshot import Snapshot, SnapshotFormatError
from edge_api.snapshots.loaded import LoadedSnapshot
from edge_api.snapshots.negative_cache import NegativeCache
from edge_api.snapshots.redis_health import RedisHealth
from edge_api.snapshots.snapshot_cache import SnapshotCache
from edge_api.snapshots.snapshot_disk import SnapshotDisk
from edge_api.snapshots.snapshot_figures import LoadCounts, SnapshotFigures
from edge_api.snapshots.snapshot_source import BODIES_PER_TRIP, SnapshotSource

_LOG = structlog.stdlib.get_logger(__name__)

#: Redis keeps the tombstone of a deleted project for a day. After an absence of half of that, with which the clocks
#: need not agree, what Redis does not know may have been deleted; after a shorter one it was lost.
_TOMBSTONES_SEEN_SECONDS = 12 * 60 * 60


class SnapshotStore:
    """Tombstones of deleted projects are held like any snapshot; no key opens them."""

    def __init__(
        self,
        source: SnapshotSource,
        memory: SnapshotCache,
        contact: RedisHealth,
        disk: SnapshotDisk,
        *,
        unknown_seconds: float,
        max_stale_seconds: float = 0,
    ) -> None:
        self._source = source
        self._memory = memory
        self._contact = contact
        self._disk = disk
        self._max_stale_seconds = max_stale_seconds
        self._unknown = NegativeCache(unknown_seconds, time.monotonic)
        self._flights: dict[str, asyncio.Task[LoadedSnapshot | None]] = {}
        #: Projects that came from disk and that Redis has not been asked about since.
        self._unconfirmed: set[str] = set()
        #: The newest revision that is known of projects held that are behind it.
        self._newest_known: dict[str, int] = {}
        #: Projects whose snapshot in Redis this release cannot read.
        self._unreadable: set[str] = set()
        self._loads = LoadCounts()

    def get_cached(self, project_id: str) -> LoadedSnapshot | None:
        """Look the project up in memory, without waiting."""
        if self._max_stale_seconds and self.is_too_stale():
            return None
        return self._memory.use(project_id)

    def is_unknown(self, project_id: str) -> bool:
        """Tell, without waiting, whether it is known that there is no such project."""
        return project_id in self._unknown or not is_id(IdPrefix.PROJECT, project_id)

    def is_too_stale(self) -> bool:
        """Tell whether keys may have been revoked for longer than the settings allow without our hearing of it."""
        if not self._max_stale_seconds:
            return False
        age = self._contact.age()
        # Whatever is held of a Redis that was reached but has confirmed nothing yet was only just read from it.
        return not self._contact.was_reached if age is None else age > self._max_stale_seconds

    async def load(self, project_id: str) -> LoadedSnapshot | None:
        """Give the project's snapshot, or None when there is no such project.

        Raises UnavailableError when that cannot be told now.
        """
        if self.is_too_stale():
            raise UnavailableError("Whether the key is still valid cannot be told now")
        held = self._memory.use(project_id)
        if held is not None:
            return held
        if self.is_unknown(project_id):
            return None
        flight = self._flights.get(project_id)
        if flight is None:
            flight = asyncio.create_task(self._fetch(project_id))
            self._flights[project_id] = flight
            flight.add_done_callback(lambda landed: self._land(project_id, landed))
        # A request that is cancelled must not take the others' answer with it.
        return await asyncio.shield(flight)

    async def apply_changes(self, revisions: Mapping[str, int], deleted: Mapping[str, int]) -> None:
        """Follow what the change stream says: the newest published revision of projects, and the deleted ones.

        Projects that nobody asked for stay unloaded; a copy of theirs on disk is renewed all the same. Raises
        RedisError, and then wants to be called again.
        """
        named = {*revisions, *deleted}
        # A fetch under way may have read what was there before this change.
        flights = [flight for project_id in named if (flight := self._flights.get(project_id)) is not None]
        if flights:
            await asyncio.wait(flights)
        for project_id in named:
            self._unknown.forget(project_id)
        for project_id, revision in deleted.items():
            if self._memory.revision(project_id) is not None:
                self._memory.keep(project_id, LoadedSnapshot.from_snapshot(Snapshot.tombstone(project_id, revision)))
            self._disk.remove(project_id, revision)
        self._disk.note_changes(
            {one: revision for one, revision in revisions.items() if self._memory.revision(one) is None}
        )
        await self._refresh(revisions)

    async def catch_up(self, *, has_history: bool) -> None:
        """Compare everything with Redis after an absence, or when changes were missed. Raises RedisError.

        `has_history` tells whether Redis has ever been published to, which one that lost its data has not.
        """
        age = self._contact.age()
        absent_are_deleted = has_history and (age is None or age > _TOMBSTONES_SEEN_SECONDS)
        await self.reconcile(absent_are_deleted=absent_are_deleted)
        self._disk.want_everything(absent_are_deleted=absent_are_deleted)

    async def reconcile(self, *, absent_are_deleted: bool = False) -> None:
        """Compare every snapshot held with Redis and fetch the newer ones. Raises RedisError."""
        await self._compare(self._memory.project_ids(), absent_are_deleted=absent_are_deleted)

    async def confirm(self) -> None:
        """Compare what came from disk because Redis did not answer. Raises RedisError."""
        await self._compare(list(self._unconfirmed), absent_are_deleted=False)

    def figures(self) -> SnapshotFigures:
        """Tell how the snapshots stand."""
        lags = (newest - (self._memory.revision(one) or newest) for one, newest in self._newest_known.items())
        return SnapshotFigures(
            held=len(self._memory),
            held_bytes=self._memory.bytes,
            limit_bytes=self._memory.limit_bytes,
            evicted=self._memory.evicted,
            loads=self._loads,
            age_seconds=self._contact.age(),
            revision_lag=max(lags, default=0),
            is_degraded=not self._contact.is_reachable,
            unreadable=len(self._unreadable),
            is_too_stale=self.is_too_stale(),
            copy=self._disk.state,
            damaged_copies=self._disk.damaged,
        )

    def _land(self, project_id: str, flight: asyncio.Task[LoadedSnapshot | None]) -> None:
        del self._flights[project_id]
        if not flight.cancelled():
            # Those who waited have seen the error; asyncio complains of one that nobody looked at.
            flight.exception()

    async def _fetch(self, project_id: str) -> LoadedSnapshot | None:
        if not self._contact.is_reachable:
            snapshot = await self._read_copy(project_id)
            # Redis may have come back meanwhile, with something newer.
            if snapshot is not None and not self._contact.is_reachable:
                return self._hold_copy(project_id, snapshot)
        try:
            (stored,) = await self._source.bodies([project_id])
        except (RedisError, OSError) as error:
            _LOG.warning("snapshot_not_loaded", project=project_id, reason=type(error).__name__)
            return await self._copy_or_fail(project_id, error)
        if stored is None:
            # A project that was deleted has a tombstone; what has none and a copy was lost in Redis.
            snapshot = await self._read_copy(project_id)
            if snapshot is not None:
                return self._hold_copy(project_id, snapshot)
            self._unknown.remember(project_id)
            return None
        snapshot = self._read(project_id, stored)
        if snapshot is None:
            return await self._copy_or_fail(project_id, None)
        self._loads.from_redis += 1
        return self._hold(project_id, snapshot, stored)

    async def _copy_or_fail(self, project_id: str, error: Exception | None) -> LoadedSnapshot:
        snapshot = await self._read_copy(project_id)
        if snapshot is None:
            self._loads.failed += 1
            raise UnavailableError("The project's configuration cannot be loaded now") from error
        return self._hold_copy(project_id, snapshot)

    async def _read_copy(self, project_id: str) -> LoadedSnapshot | None:
        stored = await self._disk.load(project_id)
        if stored is None:
            return None
        try:
            return LoadedSnapshot.decode(project_id, stored)
        except SnapshotFormatError as error:
            await self._disk.discard(project_id, str(error))
            return None

    def _hold_copy(self, project_id: str, snapshot: LoadedSnapshot) -> LoadedSnapshot:
        self._loads.from_disk += 1
        self._unconfirmed.add(project_id)
        return self._memory.keep(project_id, snapshot)

    def _hold(self, project_id: str, snapshot: LoadedSnapshot, stored: bytes) -> LoadedSnapshot:
        self._disk.keep(snapshot.snapshot, stored)
        kept = self._memory.keep(project_id, snapshot)
        if kept.revision >= self._newest_known.get(project_id, 0):
            self._newest_known.pop(project_id, None)
        return kept

    async def _compare(self, project_ids: Sequence[str], *, absent_are_deleted: bool) -> None:
        newest: dict[str, int] = {}
        for project_id, revision in zip(project_ids, await self._source.revisions(project_ids), strict=True):
            if revision is not None:
                newest[project_id] = revision
            elif absent_are_deleted:
                _LOG.info("snapshot_of_no_project_dropped", project=project_id)
                self._memory.drop(project_id)
        await self._refresh(newest)
        self._unconfirmed.difference_update(project_ids)

    async def _refresh(self, newest: Mapping[str, int]) -> None:
        """Fetch those of the projects held that are behind these revisions."""
        behind: list[str] = []
        for project_id, revision in newest.items():
            held = self._memory.revision(project_id)
            if held is not None and held < revision:
                self._newest_known[project_id] = revision
                behind.append(project_id)
        for start in range(0, len(behind), BODIES_PER_TRIP):
            chunk = behind[start : start + BODIES_PER_TRIP]
            for project_id, stored in zip(chunk, await self._source.bodies(chunk), strict=True):
                snapshot = None if stored is None else self._read(project_id, stored)
                if snapshot is None or stored is None:
                    continue
                if self._memory.revision(project_id) is not None:
                    self._hold(project_id, snapshot, stored)
                else:
                    # What has been dropped from memory meanwhile is not brought back.
                    self._disk.keep(snapshot.snapshot, stored)
                    self._newest_known.pop(project_id, None)

    def _read(self, project_id: str, stored: bytes) -> LoadedSnapshot | None:
        try:
            snapshot = LoadedSnapshot.decode(project_id, stored)
        except SnapshotFormatError as error:
            self._loads.unreadable += 1
            self._unreadable.add(project_id)
            _LOG.error("snapshot_unreadable", project=project_id, reason=str(error))
            return None
        self._unreadable.discard(project_id)
        return snapshot
