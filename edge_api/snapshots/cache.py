"""The snapshots of a worker: cached in memory, loaded from Redis once for all requests that wait, else from disk."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Mapping
from itertools import chain, islice

import structlog
from redis.exceptions import RedisError

from common.errors import UnavailableError
from common.ids import IdPrefix, is_id
from common.process import Backoff
from common.wire.snapshot import SnapshotFormatError
from edge_api.single_flight import SingleFlight
from edge_api.snapshots.copy_reader import CopyReader
from edge_api.snapshots.disk_store import Copy
from edge_api.snapshots.loaded import LoadedSnapshot
from edge_api.snapshots.metrics import LoadCounts, SnapshotMetrics
from edge_api.snapshots.negative_cache import NegativeCache, ReadBudget
from edge_api.snapshots.redis_health import RedisHealth
from edge_api.snapshots.redis_source import BODIES_PER_TRIP, REVISIONS_PER_TRIP, RedisSource, StoredSnapshot

_LOG = structlog.stdlib.get_logger(__name__)

#: More than these would wait for the client's few connections for longer than a request should.
MAX_CONCURRENT_LOADS = 256
#: Decoding a larger snapshot takes a millisecond or more. A pause of 0 is one turn of the event loop, which is not
#: enough for a timer that is due.
_LARGE_BYTES = 64 * 1024
_PAUSE_SECONDS = 0.001
#: The pauses between attempts to fetch snapshots from a node of Redis that does not respond.
_FIRST_RETRY_SECONDS = 0.5
_MAX_RETRY_SECONDS = 10.0
#: Projects whose lag is read for one sample of the metrics, so that the event loop is not blocked.
_MAX_LAGS_READ = 1_000
#: Reads a second for projects that Redis does not have while it is incomplete. Each such project id is one read, and a
#: client can make up any number of ids.
MISSING_READS_PER_SECOND = 100
_NOT_LOADED = "The project's configuration cannot be loaded now"


class ProjectMissingError(UnavailableError):
    """Redis does not have the project, and does not have every project either, so the project may exist."""

    def __init__(self) -> None:
        super().__init__(_NOT_LOADED)


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
        copies: CopyReader | None,
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
        #: Projects that do not exist, projects that an incomplete Redis does not have, and projects without a readable
        #: snapshot.
        self._negatives = self._unknown, self._missing, self._unavailable = (
            *(NegativeCache(unknown_seconds, time.monotonic) for _ in range(3)),
        )
        self._missing_reads = ReadBudget(MISSING_READS_PER_SECOND, time.monotonic)
        self._loads = SingleFlight(self._load, limit=MAX_CONCURRENT_LOADS)
        self._counts = LoadCounts()
        #: The newest known revision of cached projects that may be behind it, until it was fetched.
        self._newest_known: dict[str, int] = {}
        #: The revision in Redis that this release cannot decode, of projects that have one.
        self._unreadable: dict[str, int] = {}

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

    def check_load(self, project_id: str) -> None:
        """Refuse a load whose result is known, or that a flood of made-up ids prevents. Raises UnavailableError."""
        if project_id in self._missing:
            raise ProjectMissingError
        if project_id in self._unavailable:
            raise UnavailableError(_NOT_LOADED)
        if project_id not in self._loads and self._missing_reads.is_spent():
            self._counts.failed += 1
            raise UnavailableError("Too many unknown projects are requested now")

    def is_too_stale(self) -> bool:
        """Return whether revocations of keys may be missing for longer than the settings allow."""
        if not self._max_stale_seconds:
            return False
        age = self._health.age()
        # Without any synchronisation, the cached snapshots were read from Redis just now, if Redis was up.
        return not self._health.was_up if age is None else age > self._max_stale_seconds

    async def load(self, project_id: str) -> LoadedSnapshot | None:
        """Return the project's snapshot, or None when there is no such project.

        Raises UnavailableError when neither can be determined now; ProjectMissingError if Redis may get the project.
        """
        if self.is_too_stale():
            raise UnavailableError("Whether the key is still valid cannot be determined now")
        cached = self.get_cached(project_id)
        if cached is not None:
            return cached
        if self.is_unknown(project_id):
            return None
        self.check_load(project_id)
        if not self._loads.may_load(project_id):
            self._counts.failed += 1
            raise UnavailableError("Too many projects are being loaded now")
        return await self._loads.load(project_id)

    # --- changes -----------------------------------------------------------------------------------------------------

    async def apply_changes(self, revisions: Mapping[str, int], deleted: Mapping[str, int]) -> None:
        """Apply entries of the change stream: the newest revisions of projects, and the deleted projects.

        Projects that are not cached stay so. Raises RedisError or OSError; the same changes have to be applied again
        then. Projects on a node of a Redis Cluster that does not respond are fetched by :meth:`retry_forever`.
        """
        named = {*revisions, *deleted}
        # A running load may have read the snapshot before this change.
        await self._loads.wait(named)
        for negatives in self._negatives:
            for project_id in named:
                negatives.remove(project_id)
        for project_id, revision in deleted.items():
            self._discard_state(project_id)
            if project_id in self._cached:
                self.put(project_id, LoadedSnapshot.tombstone(project_id, revision))
        await self._refresh(revisions)

    async def compare(self) -> None:
        """Compare all cached snapshots with Redis and fetch newer ones. Raises RedisError or OSError.

        A project that Redis does not have was deleted if Redis has, and had all the time, every project. Otherwise
        Redis has lost it, and it stays.
        """
        epoch = await self._background_source.complete_epoch()
        await self._loads.wait()
        for negatives in self._negatives:
            negatives.clear()
        absent: list[str] = []
        project_ids = [*self._cached, *self._unreadable]
        # In slices: each await lets the event loop serve requests, for any number of projects.
        for start in range(0, len(project_ids), REVISIONS_PER_TRIP):
            chunk = project_ids[start : start + REVISIONS_PER_TRIP]
            newest: dict[str, int] = {}
            for project_id, revision in zip(chunk, await self._background_source.revisions(chunk), strict=True):
                if isinstance(revision, int):
                    newest[project_id] = revision
                elif revision is None:
                    absent.append(project_id)
                elif (cached := self.revision(project_id)) is not None:
                    self._newest_known.setdefault(project_id, cached)
            await self._refresh(newest)
        for project_id in absent:
            self._unreadable.pop(project_id, None)
        if absent and epoch is not None and epoch == await self._background_source.complete_epoch():
            _LOG.info("snapshots_of_no_project_dropped", projects=len(absent))
            for project_id in absent:
                self.evict(project_id)

    async def retry_forever(self) -> None:
        """Fetch the snapshots that could not be fetched, because a node of Redis did not respond, with back-off."""
        backoff = Backoff(first=_FIRST_RETRY_SECONDS, limit=_MAX_RETRY_SECONDS)
        while True:
            await asyncio.sleep(backoff.next_delay())
            try:
                while await self._fetch_some_behind():
                    backoff.reset()
            except (RedisError, OSError) as error:
                _LOG.debug("snapshots_not_fetched", reason=type(error).__name__)
            if not self._newest_known:
                backoff.reset()

    async def _fetch_some_behind(self) -> bool:
        """Fetch the first projects that are behind, and return whether some are not behind any more."""
        behind = dict(islice(self._newest_known.items(), BODIES_PER_TRIP))
        for project_id in behind:
            # Those that fail again come back at the end, so that others have their turn.
            self._newest_known[project_id] = self._newest_known.pop(project_id)
        await self._fetch(behind)
        return any(project_id not in self._newest_known for project_id in behind)

    async def _refresh(self, newest: Mapping[str, int]) -> None:
        """Fetch the cached projects that are behind these revisions."""
        behind: dict[str, int] = {}
        for project_id, revision in newest.items():
            cached = self.revision(project_id)
            if self._unreadable.get(project_id, revision) < revision:
                # The newer revision may be readable. One that is cached is read now, others at the next request.
                del self._unreadable[project_id]
            if cached is not None and cached < revision:
                behind[project_id] = revision
        project_ids = list(behind)
        for start in range(0, len(project_ids), BODIES_PER_TRIP):
            chunk = project_ids[start : start + BODIES_PER_TRIP]
            await self._fetch({project_id: behind[project_id] for project_id in chunk})

    async def _fetch(self, newest: Mapping[str, int]) -> None:
        """Fetch cached projects in one trip. Those that do not reach their newest revision are tried again later."""
        replies = await self._background_source.snapshots(list(newest))
        for (project_id, revision), stored in zip(newest.items(), replies, strict=True):
            if project_id not in self._cached or stored is None:
                self._newest_known.pop(project_id, None)
                continue
            if isinstance(stored, StoredSnapshot):
                snapshot = self._decode(project_id, stored)
                if snapshot is not None:
                    self.put(project_id, snapshot)
                # Requests and timers have their turn in between.
                await asyncio.sleep(0 if len(stored.body) < _LARGE_BYTES else _PAUSE_SECONDS)
            if isinstance(stored, StoredSnapshot) and stored.revision >= revision:
                self._newest_known.pop(project_id, None)
            else:
                self._newest_known[project_id] = revision

    # --- the map -----------------------------------------------------------------------------------------------------

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
        newest = chain(self._newest_known.items(), self._unreadable.items())
        lags = (known - (self.revision(project_id) or known) for project_id, known in islice(newest, _MAX_LAGS_READ))
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
        )

    def _discard_state(self, project_id: str) -> None:
        self._unreadable.pop(project_id, None)
        self._newest_known.pop(project_id, None)

    # --- loading -----------------------------------------------------------------------------------------------------

    async def _load(self, project_id: str) -> LoadedSnapshot | None:
        if not self._health.is_up:
            copied = await self._read_copy(project_id)
            # Redis may be up again meanwhile, with a newer snapshot.
            if copied is not None and not self._health.is_up:
                return self._put_copy(project_id, copied)
        try:
            stored, is_complete = await self._source.find(project_id)
        except (RedisError, OSError) as error:
            _LOG.warning("snapshot_not_loaded", project=project_id, reason=type(error).__name__)
            copied = await self._load_copy(project_id, UnavailableError(_NOT_LOADED))
            # The change stream may go on meanwhile: nothing else would compare this project.
            self._newest_known.setdefault(project_id, copied.revision)
            return copied
        if stored is None:
            if is_complete:
                self._unknown.add(project_id)
                return None
            self._missing_reads.spend()
            self._missing.add(project_id)
            copied = await self._load_copy(project_id, ProjectMissingError())
            self._missing.remove(project_id)
            return copied
        snapshot = await self._newest(project_id, stored)
        if snapshot is None:
            self._unavailable.add(project_id)
            copied = await self._load_copy(project_id, UnavailableError(_NOT_LOADED))
            self._unavailable.remove(project_id)
            return copied
        return snapshot

    async def _newest(self, project_id: str, stored: StoredSnapshot) -> LoadedSnapshot | None:
        """Cache a snapshot from Redis, or the copy if it is newer; None when the snapshot cannot be decoded."""
        if self._copies is not None:
            # After a failover Redis may lack the last changes for some seconds.
            copy = await self._copies.newer_than(project_id, stored.revision)
            if copy is not None and (copied := await self._decode_copy(project_id, copy)) is not None:
                return self._put_copy(project_id, copied)
        snapshot = self._decode(project_id, stored)
        if snapshot is None:
            return None
        self._counts.from_redis += 1
        return self._put_used(project_id, snapshot)

    async def _load_copy(self, project_id: str, error: UnavailableError) -> LoadedSnapshot:
        """Cache the copy. Without one, raise the error."""
        snapshot = await self._read_copy(project_id)
        if snapshot is None:
            self._counts.failed += 1
            raise error
        return self._put_copy(project_id, snapshot)

    async def _read_copy(self, project_id: str) -> LoadedSnapshot | None:
        copy = None if self._copies is None else await self._copies.read(project_id)
        return None if copy is None else await self._decode_copy(project_id, copy)

    async def _decode_copy(self, project_id: str, copy: Copy) -> LoadedSnapshot | None:
        if copy.body is None:
            return LoadedSnapshot.tombstone(project_id, copy.revision)
        try:
            return LoadedSnapshot.decode(project_id, copy.body)
        except SnapshotFormatError as error:
            if self._copies is not None:
                await self._copies.discard(project_id, str(error))
            return None

    def _put_copy(self, project_id: str, snapshot: LoadedSnapshot) -> LoadedSnapshot:
        self._counts.from_disk += 1
        return self._put_used(project_id, snapshot)

    def _put_used(self, project_id: str, snapshot: LoadedSnapshot) -> LoadedSnapshot:
        if self._copies is not None:
            self._copies.note_use(project_id)
        return self.put(project_id, snapshot)

    def _decode(self, project_id: str, stored: StoredSnapshot) -> LoadedSnapshot | None:
        try:
            snapshot = LoadedSnapshot.decode(project_id, stored.body)
        except SnapshotFormatError as error:
            self._counts.unreadable += 1
            if self._unreadable.get(project_id) != stored.revision:
                _LOG.error("snapshot_unreadable", project=project_id, revision=stored.revision, reason=str(error))
            self._unreadable[project_id] = stored.revision
            return None
        self._unreadable.pop(project_id, None)
        return snapshot
