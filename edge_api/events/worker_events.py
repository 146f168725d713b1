"""The events of one worker: settings, sinks and tasks put together."""

import asyncio

from redis.asyncio import Redis

from common.redis.connect import ConnectionFactory
from edge_api.background_tasks import BackgroundTasks
from edge_api.events.exposures import ExposureRecorder
from edge_api.events.group_commit import GroupCommit
from edge_api.events.key_use import KeyUseRecorder
from edge_api.events.redis_writer import RedisWriter
from edge_api.events.spool import Spool
from edge_api.events.spooling_sink import SpoolingSink
from edge_api.events.status import EventsState, EventStatus, SpoolStatus
from edge_api.settings import EdgeSettings

_DRAIN_SECONDS = 5.0
_MEBIBYTE = 1024 * 1024


class WorkerEvents:
    """Nothing is opened before :meth:`open`. `record_exposure` is None where exposures are not recorded."""

    def __init__(self, settings: EdgeSettings, connections: ConnectionFactory, redis: Redis) -> None:
        """`redis` is the client of the reports that are not events."""
        timeout_seconds = settings.edge_redis_timeout_ms / 1000
        self._redis = RedisWriter(connections, timeout_seconds=timeout_seconds, replicas=settings.edge_event_replicas)
        self._spool: Spool | None = None
        self._spooling: SpoolingSink | None = None
        if settings.edge_spool_folder is not None:
            # Each worker has its share of the bound.
            limit_bytes = settings.edge_spool_mb * _MEBIBYTE // settings.edge_workers
            self._spool = Spool(settings.edge_spool_folder, limit_bytes=limit_bytes)
            self._spooling = SpoolingSink(self._redis, self._spool, timeout_seconds=timeout_seconds)
        self.commits = GroupCommit(
            self._redis,
            self._spooling,
            max_pending=settings.edge_event_buffer_max_events,
            max_pending_mb=settings.edge_event_buffer_max_mb,
        )
        self.record_exposure = ExposureRecorder(self.commits).record if settings.record_exposures else None
        self.key_use = KeyUseRecorder(redis)
        self._committing: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Prepare to accept events."""
        if self._spool is not None:
            await self._spool.adopt_orphans()

    def start(self, tasks: BackgroundTasks) -> None:
        """Start the tasks beside the requests."""
        self._committing = tasks.start("group_commit", self.commits.run)
        tasks.start("key_use", self.key_use.run)
        if self._spooling is not None:
            tasks.start("spool_replay", self._spooling.replay)
            tasks.start("orphaned_spools", self._spooling.adopt_orphans)

    async def finish(self) -> None:
        """Store what waits, while the tasks still run."""
        self.commits.close()
        if self._committing is not None:
            await asyncio.wait([self._committing], timeout=_DRAIN_SECONDS)
        await self.key_use.flush()

    async def aclose(self) -> None:
        """Close the connections and the spool, once the tasks have ended."""
        await self._redis.aclose()
        if self._spool is not None:
            await self._spool.aclose()

    def status(self) -> EventStatus:
        """Return how events are stored now."""
        is_direct = self._spooling is None or self._spooling.is_direct
        state: EventsState = "nowhere" if self.commits.is_failing else "redis" if is_direct else "spool"
        return EventStatus(
            state=state,
            pending=self.commits.pending,
            pending_bytes=self.commits.pending_bytes,
            spool=SpoolStatus() if self._spool is None else self._spool.status(),
        )
