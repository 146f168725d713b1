"""All that a worker has to do with events, put together."""

import asyncio

from redis.asyncio import Redis

from common.redis.async_links import ConnectionFactory
from edge_api.background_tasks import BackgroundTasks
from edge_api.event_figures import EventFigures, EventsState, SpoolFigures
from edge_api.events.direct_sink import DirectSink
from edge_api.events.event_streams import EventStreams
from edge_api.events.exposures import ExposureRecorder
from edge_api.events.group_commit import GroupCommit
from edge_api.events.key_use import KeyUseRecorder
from edge_api.events.spool.spool import Spool
from edge_api.events.spool.spool_folder import SpoolFolder
from edge_api.events.spooling_sink import SpoolingSink
from edge_api.settings import EdgeSettings

_DRAIN_SECONDS = 5.0
_MEBIBYTE = 1024 * 1024


class WorkerEvents:
    """`commits` takes events, `offer_exposure` exposures, if any. Nothing is opened before :meth:`open`."""

    def __init__(self, settings: EdgeSettings, links: ConnectionFactory, redis: Redis) -> None:
        self._streams = EventStreams(links, replicas=settings.edge_event_replicas)
        patience_seconds = settings.edge_redis_timeout_ms / 1000
        self._spool: Spool | None = None
        self._log: SpoolingSink | DirectSink = DirectSink(self._streams, patience_seconds=patience_seconds)
        if settings.edge_spool_folder is not None:
            # Each worker has its share of what all may use together.
            limit_bytes = settings.edge_spool_mb * _MEBIBYTE // settings.edge_workers
            self._spool = Spool(SpoolFolder(settings.edge_spool_folder), limit_bytes=limit_bytes)
            self._log = SpoolingSink(self._streams, self._spool, patience_seconds=patience_seconds)
        self.commits = GroupCommit(
            self._log, pending_limit=settings.edge_event_buffer_max_events, pending_mb=settings.edge_event_buffer_max_mb
        )
        self.offer_exposure = ExposureRecorder(self.commits).offer if settings.record_exposures else None
        self.key_use = KeyUseRecorder(redis)
        self._committing: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Get ready to take events."""
        if self._spool is not None:
            await self._spool.open()

    def start(self, tasks: BackgroundTasks) -> None:
        """Start what runs beside the requests."""
        self._committing = tasks.start("group_commit", self.commits.run)
        tasks.start("key_use", self.key_use.run)
        if isinstance(self._log, SpoolingSink):
            tasks.start("spool_replay", self._log.replay)
            tasks.start("spools_of_the_dead", self._log.look_around)

    async def finish(self) -> None:
        """Store what waits, while the tasks still run."""
        self.commits.close()
        if self._committing is not None:
            await asyncio.wait([self._committing], timeout=_DRAIN_SECONDS)
        await self.key_use.flush()

    async def close(self) -> None:
        """Let go of what was opened, once the tasks have ended."""
        await self._streams.aclose()
        if self._spool is not None:
            self._spool.close()

    def figures(self) -> EventFigures:
        """Tell how events stand."""
        state: EventsState = "nowhere" if self.commits.is_failing else "redis" if self._log.is_direct else "spool"
        return EventFigures(
            state=state,
            pending=self.commits.pending,
            pending_bytes=self.commits.pending_bytes,
            spool=SpoolFigures() if self._spool is None else self._spool.figures(),
        )
