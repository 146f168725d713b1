"""The events of one worker: settings, sinks and tasks put together."""

import asyncio
import time
from collections.abc import Callable

from redis.asyncio import Redis

from common.redis.connect import ConnectionFactory
from common.wire.redis_keys import event_streams
from edge_api.background_tasks import BackgroundTasks
from edge_api.events.event_store import EventStore, ShardedCommits
from edge_api.events.exposures import ExposureRecorder
from edge_api.events.group_commit import CommitStats, EventCommits
from edge_api.events.key_use import KeyUseRecorder
from edge_api.events.quotas import ProjectQuotas
from edge_api.events.redis_writer import RedisWriter
from edge_api.events.spool import Spool
from edge_api.events.spooling_sink import SpoolingSink
from edge_api.events.status import EventsState, EventStatus, sum_of
from edge_api.settings import EdgeSettings

_DRAIN_SECONDS = 5.0


class WorkerEvents:
    """Nothing is opened before :meth:`open`. `record_exposure` is None where exposures are not recorded."""

    def __init__(
        self,
        settings: EdgeSettings,
        connections: ConnectionFactory,
        redis: Redis,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`redis` is the client for all that is not an event; `clock` returns the Unix time at which quotas reset."""
        timeout_seconds = settings.edge_redis_timeout_ms / 1000
        self._redis = RedisWriter(connections, timeout_seconds=timeout_seconds, replicas=settings.edge_event_replicas)
        self.stats = CommitStats()
        self.commits: EventCommits
        #: Replays the files without a stream that were written for one server, or by release 0.2.0.
        self._unsharded: SpoolingSink | None = None
        self._spools: list[Spool] = []
        if connections.is_sharded:
            streams = event_streams()
            self._stores = [
                EventStore(settings, self._redis, self.stats, shard=shard, stores=len(streams))
                for shard in range(len(streams))
            ]
            by_stream = {stream: store.commits for stream, store in zip(streams, self._stores, strict=True)}
            self.commits = ShardedCommits(by_stream)
            if settings.edge_spool_folder is not None:
                unsharded = Spool(settings.edge_spool_folder, limit_bytes=0, adopts_all=False)
                self._unsharded = SpoolingSink(self._redis, unsharded, timeout_seconds=timeout_seconds)
                self._spools.append(unsharded)
        else:
            self._stores = [EventStore(settings, self._redis, self.stats, shard=None, stores=1)]
            self.commits = self._stores[0].commits
        self._spools += [store.spool for store in self._stores if store.spool is not None]
        self.quotas = ProjectQuotas(redis, clock)
        exposures = ExposureRecorder(self.commits, self.quotas)
        self.record_exposure = exposures.record if settings.record_exposures else None
        self.key_use = KeyUseRecorder(redis)

    async def open(self) -> None:
        """Prepare to accept events."""
        for spool in self._spools:
            await spool.adopt_orphans()

    def start(self, tasks: BackgroundTasks) -> None:
        """Start the tasks beside the requests."""
        for store in self._stores:
            store.start(tasks)
        if self._unsharded is not None:
            self._unsharded.start(tasks, "_unsharded")
        tasks.start("key_use", self.key_use.run)
        tasks.start("quotas", self.quotas.run)

    async def finish(self) -> None:
        """Store the events that wait, while the tasks still run."""
        await asyncio.gather(*(store.finish(_DRAIN_SECONDS) for store in self._stores))
        await self.key_use.flush()

    async def aclose(self) -> None:
        """Close the connections and the spools, once the tasks have ended."""
        await self._redis.aclose()
        for spool in self._spools:
            await spool.aclose()

    def status(self) -> EventStatus:
        """Return how events are stored now, by the store that is worst off."""
        is_failing = any(store.commits.is_failing for store in self._stores)
        is_direct = all(store.is_direct for store in self._stores)
        state: EventsState = "none" if is_failing else "redis" if is_direct else "spool"
        return EventStatus(
            state=state,
            pending=sum(store.commits.pending for store in self._stores),
            pending_bytes=sum(store.commits.pending_bytes for store in self._stores),
            spool=sum_of([spool.status() for spool in self._spools]),
        )
