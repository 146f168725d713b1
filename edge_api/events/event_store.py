"""Store events: a group commit and its spool, for all streams of one server or for each stream of a Cluster.

Each stream of a Cluster has a store, so that a master that is away costs the events of its streams alone
(docs/internals/event-path.md).
"""

import asyncio
from collections.abc import Mapping, Sequence

from common.wire.stream_records import StreamRecord
from edge_api.background_tasks import BackgroundTasks
from edge_api.events.group_commit import CommitStats, EventCommits, GroupCommit, OnDone, stream_of
from edge_api.events.redis_writer import RedisWriter
from edge_api.events.spool import Spool
from edge_api.events.spooling_sink import SpoolingSink
from edge_api.settings import EdgeSettings

_MEBIBYTE = 1024 * 1024
#: The records in the memory of one worker that are not durable yet, and their bytes; further ones get 503.
_MAX_PENDING = 10_000
_MAX_PENDING_BYTES = 64 * _MEBIBYTE
#: The largest request must have room in a store.
_RECORDS_PER_REQUEST = 500
_BYTES_PER_REQUEST = 2 * _MEBIBYTE


class EventStore:
    """A group commit into Redis and, where there is a folder, its spool."""

    def __init__(
        self, settings: EdgeSettings, redis: RedisWriter, stats: CommitStats, *, shard: int | None, stores: int
    ) -> None:
        """`shard` is the number of the stream, or None for all streams.

        `stores` is the number of stores in this worker. Each has the same share of the worker's bounds.
        """
        self.spool: Spool | None = None
        self._name = "" if shard is None else f"_{shard}"
        self._spooling: SpoolingSink | None = None
        if settings.edge_spool_folder is not None:
            self.spool = Spool(
                settings.edge_spool_folder,
                # The workers of a machine share the folder.
                limit_bytes=settings.edge_spool_mb * _MEBIBYTE // settings.edge_workers // stores,
                shard=shard,
                adopts_all=shard is None,
            )
            self._spooling = SpoolingSink(redis, self.spool, timeout_seconds=settings.edge_redis_timeout_ms / 1000)
        self.commits = GroupCommit(
            redis,
            self._spooling,
            max_pending=max(_MAX_PENDING // stores, _RECORDS_PER_REQUEST),
            max_pending_bytes=max(_MAX_PENDING_BYTES // stores, _BYTES_PER_REQUEST),
            stats=stats,
        )
        self._committing: asyncio.Task[None] | None = None

    @property
    def is_direct(self) -> bool:
        """Whether the next events go to Redis, and not to the spool."""
        return self._spooling is None or self._spooling.is_direct

    def start(self, tasks: BackgroundTasks) -> None:
        """Start to commit and to replay."""
        self._committing = tasks.start(f"group_commit{self._name}", self.commits.run)
        if self._spooling is not None:
            self._spooling.start(tasks, self._name)

    async def finish(self, timeout_seconds: float) -> None:
        """Accept no more events, and store those that wait."""
        self.commits.close()
        if self._committing is not None:
            await asyncio.wait([self._committing], timeout=timeout_seconds)


class ShardedCommits(EventCommits):
    """Hands the records of a request to the group commit of their stream."""

    def __init__(self, commits: Mapping[str, GroupCommit]) -> None:
        """Keep the group commits by stream."""
        self._commits = commits

    def submit(self, records: Sequence[StreamRecord], on_done: OnDone) -> None:
        """Queue the records of one request, which have one project. Raises UnavailableError when too many wait."""
        self._commits[stream_of(records[0])].submit(records, on_done)

    def submit_best_effort(self, record: StreamRecord, on_done: OnDone) -> bool:
        """Queue a record whose loss is tolerable; return False when it is dropped."""
        return self._commits[stream_of(record)].submit_best_effort(record, on_done)
