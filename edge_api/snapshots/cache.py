"""The snapshots of a worker: cached in memory, loaded from Redis once for all requests that wait, else from disk."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from itertools import islice

import structlog
from redis.exceptions import RedisError

from common.errors import UnavailableError
from common.ids import IdPrefix, is_id
from common.wire.snapshot import Snapshot, SnapshotFormatError
from edge_api.snapshots.disk_writer import DiskWriter
from edge_api.snapshots.loaded import LoadedSnapshot
from edge_api.snapshots.metrics import LoadCounts, SnapshotMetrics
from edge_api.snapshots.redis_source import BODIES_PER_TRIP, REVISIONS_PER_TRIP, RedisHealth, RedisSource

_LOG = structlog.stdlib.get_logger(__name__)

#: More than these would wait for the client's few connections for longer than a request should.
MAX_CONCURRENT_LOADS = 256
#: Projects in the negative cache.
_MAX_UNKNOWN = 10_000
#: Projects whose lag is read for one sample of the metrics, so that the event loop is not blocked.
_MAX_LAGS_READ = 1_000


class NegativeCache:
    """Ids of projects that do not exist: for some seconds by a monotonic clock, and a bounded number."""

    def __init__(self, seconds: float, clock: Callable[[], float], limit: int = _MAX_UNKNOWN) -> None:
        self._seconds = seconds
        self._clock = clock
        self._limit = limit
        self._until: OrderedDict[str, float] = OrderedDict()

    def add(self, project_id: str) -> None:
        """Record that the project does not exist now."""
        self._until.pop(project_id, None)
        while len(self._until) >= self._limit:
            # In the order of insertion: the first id expires first.
            self._until.popitem(last=False)
        self._until[project_id] = self._clock() + self._seconds

    def remove(self, project_id: str) -> None:
        """Record that the project was published."""
        self._until.pop(project_id, None)

    def __contains__(self, project_id: str) -> bool:
        until = self._until.get(project_id)
        if until is None:
            return False
        if self._clock() < until:
            return True
        del self._until[project_id]
        return False

    def __len__(self) -> int:
        return len(self._until)


class SnapshotCache:
    """A map from project ids to snapshots: bounded by bytes, least recently used out, never an older revision.

    Tombstones of deleted projects are cached like snapshots; no key opens them. Requests read Redis through `source`,
    changes and comparisons through `background_source`, which no flood of requests can exhaust.
    """

    def __init__(
        self,
        source: RedisSource,
        background_source: RedisSource,
        health: RedisHealth,
        copies: DiskWriter | None,
        *,
        limit_bytes: int,
        unknown_seconds: float,
        max_stale_seconds: float = 0,
    ) -> None:
        self._source = source
        self._background_source = background_source
        self._health = health
        self._copies = copies
        self._limit_bytes = limit_bytes
        self._max_stale_seconds = max_stale_seconds
        self._cached: OrderedDict[str, LoadedSnapshot] = OrderedDict()
        # Bound once: the methods of an OrderedDict are slow to look up.
        self._get, self._touch = self._cached.get, self._cached.move_to_end
        self._bytes = 0
        self._evicted = 0
        self._unknown = NegativeCache(unknown_seconds, time.monotonic)
        self._loads: dict[str, asyncio.Task[LoadedSnapshot | None]] = {}
        self._counts = LoadCounts()
        #: The newest known revision of cached projects that are behind it.
        self._newest_known: dict[str, int] = {}
        #: Projects whose snapshot in Redis this release cannot decode.
        self._unreadable: set[str] = set()

    # --- requests ----------------------------------------------------------------------------------------------------

    def get_cached(self, project_id: str) -> LoadedSnapshot | None:
        """Return the project's snapshot if it is cached, and count that as use."""
        if self._max_stale_seconds and self.is_too_stale():
            return None
        get, touch = self._get, self._touch
        cached = get(project_id)
        if cached is not None:
            touch(project_id)
        return cached

    def is_unknown(self, project_id: str) -> bool:
        """Return whether the project does not exist, by the cache and the form of the id, without a load."""
        return project_id in self._unknown or not is_id(IdPrefix.PROJECT, project_id)

    def is_too_stale(self) -> bool:
        """Return whether revocations of keys may be missing for longer than the settings allow."""
        if not self._max_stale_seconds:
            return False
        age = self._health.age()
        # Without any synchronisation, the cached snapshots were read from Redis just now, if Redis was up.
        return not self._health.was_up if age is None else age > self._max_stale_seconds

    async def load(self, project_id: str) -> LoadedSnapshot | None:
        """Return the project's snapshot, or None when there is no such project.

        Raises UnavailableError when neither can be determined now.
        """
        if self.is_too_stale():
            raise UnavailableError("Whether the key is still valid cannot be determined now")
        cached = self.get_cached(project_id)
        if cached is not None:
            return cached
        if self.is_unknown(project_id):
            return None
        load = self._loads.get(project_id)
        if load is None:
            if len(self._loads) >= MAX_CONCURRENT_LOADS:
                self._counts.failed += 1
                raise UnavailableError("Too many projects are being loaded now")
            load = asyncio.create_task(self._load(project_id))
            self._loads[project_id] = load
            load.add_done_callback(lambda done: self._finish_load(project_id, done))
        # The cancellation of one request must not cancel the load for the others.
        return await asyncio.shield(load)

    # --- changes -----------------------------------------------------------------------------------------------------

    async def apply_changes(self, revisions: Mapping[str, int], deleted: Mapping[str, int]) -> None:
        """Apply entries of the change stream: the newest revisions of projects, and the deleted projects.

        Projects that are not cached stay so. Raises RedisError; the same changes have to be applied again then.
        """
        named = {*revisions, *deleted}
        # A running load may have read the snapshot before this change.
        loads = [load for project_id in named if (load := self._loads.get(project_id)) is not None]
        if loads:
            await asyncio.wait(loads)
        for project_id in named:
            self._unknown.remove(project_id)
        for project_id, revision in deleted.items():
            self._discard_state(project_id)
            if project_id in self._cached:
                self.put(project_id, LoadedSnapshot.from_snapshot(Snapshot.tombstone(project_id, revision)))
            if self._copies is not None:
                self._copies.remove(project_id, revision)
        await self._refresh(revisions)

    async def reconcile(self, *, absent_are_deleted: bool = False) -> None:
        """Compare all cached snapshots with Redis and fetch newer ones. Raises RedisError."""
        project_ids = [*self._cached, *self._unreadable]
        # In slices: each await lets the event loop serve requests, for any number of projects.
        for start in range(0, len(project_ids), REVISIONS_PER_TRIP):
            chunk = project_ids[start : start + REVISIONS_PER_TRIP]
            newest: dict[str, int] = {}
            for project_id, revision in zip(chunk, await self._background_source.revisions(chunk), strict=True):
                if revision is not None:
                    newest[project_id] = revision
                    continue
                self._unreadable.discard(project_id)
                if absent_are_deleted:
                    _LOG.info("snapshot_of_no_project_dropped", project=project_id)
                    self.evict(project_id)
            await self._refresh(newest)

    # --- the map -----------------------------------------------------------------------------------------------------

    def peek(self, project_id: str) -> LoadedSnapshot | None:
        """Return a cached snapshot without counting that as use."""
        return self._cached.get(project_id)

    def revision(self, project_id: str) -> int | None:
        """Return the cached revision, without counting that as use."""
        cached = self._cached.get(project_id)
        return None if cached is None else cached.revision

    def project_ids(self) -> list[str]:
        """Return the ids of the cached projects."""
        return list(self._cached)

    def put(self, project_id: str, snapshot: LoadedSnapshot) -> LoadedSnapshot:
        """Cache a snapshot unless a newer one is cached, and return the newer one.

        The last snapshot stays, however large it is: a project that exists must be served.
        """
        cached = self._cached.get(project_id)
        if cached is not None and cached.revision >= snapshot.revision:
            return cached
        if cached is not None:
            self._bytes -= cached.size
        # An update of a cached project keeps its place: a change does not count as use.
        self._cached[project_id] = snapshot
        self._bytes += snapshot.size
        while self._bytes > self._limit_bytes and len(self._cached) > 1:
            self.evict(next(iter(self._cached)))
            self._evicted += 1
        return snapshot

    def evict(self, project_id: str) -> None:
        """Remove a project from the cache."""
        evicted = self._cached.pop(project_id, None)
        if evicted is not None:
            self._bytes -= evicted.size
            self._discard_state(project_id)

    def metrics(self) -> SnapshotMetrics:
        """Return the state of the snapshots."""
        behind = islice(self._newest_known.items(), _MAX_LAGS_READ)
        lags = (newest - (self.revision(project_id) or newest) for project_id, newest in behind)
        copies = self._copies
        return SnapshotMetrics(
            cached=len(self._cached),
            cached_bytes=self._bytes,
            limit_bytes=self._limit_bytes,
            evicted=self._evicted,
            loads=self._counts,
            age_seconds=self._health.age(),
            revision_lag=max(lags, default=0),
            is_degraded=not self._health.is_up,
            unreadable=len(self._unreadable),
            is_too_stale=self.is_too_stale(),
            copies="off" if copies is None else "failing" if copies.is_failing else "written",
            damaged_copies=0 if copies is None else copies.damaged,
        )

    def _discard_state(self, project_id: str) -> None:
        self._unreadable.discard(project_id)
        self._newest_known.pop(project_id, None)

    # --- loading -----------------------------------------------------------------------------------------------------

    def _finish_load(self, project_id: str, load: asyncio.Task[LoadedSnapshot | None]) -> None:
        del self._loads[project_id]
        if not load.cancelled():
            # The waiting requests got the exception; asyncio would log one that was never retrieved.
            load.exception()

    async def _load(self, project_id: str) -> LoadedSnapshot | None:
        if not self._health.is_up:
            snapshot = await self._read_copy(project_id)
            # Redis may be up again meanwhile, with a newer snapshot.
            if snapshot is not None and not self._health.is_up:
                return self._put_copy(project_id, snapshot)
        try:
            (stored,) = await self._source.bodies([project_id])
        except (RedisError, OSError) as error:
            _LOG.warning("snapshot_not_loaded", project=project_id, reason=type(error).__name__)
            return await self._load_copy(project_id, error)
        if stored is None:
            # A deleted project has a tombstone. A project with a copy and without a tombstone was lost in Redis.
            snapshot = await self._read_copy(project_id)
            if snapshot is not None:
                return self._put_copy(project_id, snapshot)
            self._unknown.add(project_id)
            return None
        snapshot = self._decode(project_id, stored)
        if snapshot is None:
            return await self._load_copy(project_id, None)
        self._counts.from_redis += 1
        return self._put_stored(project_id, snapshot, stored)

    async def _load_copy(self, project_id: str, error: Exception | None) -> LoadedSnapshot:
        snapshot = await self._read_copy(project_id)
        if snapshot is None:
            self._counts.failed += 1
            raise UnavailableError("The project's configuration cannot be loaded now") from error
        return self._put_copy(project_id, snapshot)

    async def _read_copy(self, project_id: str) -> LoadedSnapshot | None:
        stored = None if self._copies is None else await self._copies.load(project_id)
        if self._copies is None or stored is None:
            return None
        try:
            return LoadedSnapshot.decode(project_id, stored)
        except SnapshotFormatError as error:
            await self._copies.discard(project_id, str(error))
            return None

    def _put_copy(self, project_id: str, snapshot: LoadedSnapshot) -> LoadedSnapshot:
        self._counts.from_disk += 1
        return self.put(project_id, snapshot)

    def _put_stored(self, project_id: str, snapshot: LoadedSnapshot, stored: bytes) -> LoadedSnapshot:
        self._write_copy(project_id, snapshot, stored)
        newest = self.put(project_id, snapshot)
        if newest.revision >= self._newest_known.get(project_id, 0):
            self._newest_known.pop(project_id, None)
        return newest

    def _write_copy(self, project_id: str, snapshot: LoadedSnapshot, stored: bytes) -> None:
        if self._copies is None:
            return
        if snapshot.snapshot.deleted:
            self._copies.remove(project_id, snapshot.revision)
        else:
            self._copies.put(project_id, snapshot.revision, stored)

    async def _refresh(self, newest: Mapping[str, int]) -> None:
        """Fetch the cached projects that are behind these revisions."""
        behind: list[str] = []
        for project_id, revision in newest.items():
            cached = self.revision(project_id)
            if cached is not None and cached < revision:
                self._newest_known[project_id] = revision
                behind.append(project_id)
        for start in range(0, len(behind), BODIES_PER_TRIP):
            chunk = behind[start : start + BODIES_PER_TRIP]
            for project_id, stored in zip(chunk, await self._background_source.bodies(chunk), strict=True):
                snapshot = None if stored is None else self._decode(project_id, stored)
                if snapshot is None or stored is None:
                    continue
                if project_id in self._cached:
                    self._put_stored(project_id, snapshot, stored)
                else:
                    # Evicted meanwhile: only the copy is renewed.
                    self._write_copy(project_id, snapshot, stored)
                    self._newest_known.pop(project_id, None)

    def _decode(self, project_id: str, stored: bytes) -> LoadedSnapshot | None:
        try:
            snapshot = LoadedSnapshot.decode(project_id, stored)
        except SnapshotFormatError as error:
            self._counts.unreadable += 1
            self._unreadable.add(project_id)
            _LOG.error("snapshot_unreadable", project=project_id, reason=str(error))
            return None
        self._unreadable.discard(project_id)
        return snapshot
