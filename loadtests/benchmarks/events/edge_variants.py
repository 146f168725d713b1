"""Edges that store events in another way, as programs: `python -m loadtests.benchmarks.events.edge_variants at-once`.

`at-once` responds without writing; `each` sends an XADD for each request with redis-py's own client.
"""

import asyncio
import sys
from collections.abc import Callable, Sequence
from functools import partial

import uvicorn
from redis.asyncio import Redis
from redis.exceptions import RedisError

from common.logging import configure_logging
from common.settings.sources import read_settings
from common.wire.redis_keys import EVENT_FIELD, event_stream_of
from common.wire.stream_records import StreamRecord, encode_record
from edge_api.api.handler import Endpoint
from edge_api.api.request import AuthenticatedProject, RequestContext
from edge_api.api.response import DurableResponse, HandlerResult
from edge_api.app import Edge, create_app
from edge_api.events.group_commit import GroupCommit, OnDone, PendingWrite
from edge_api.main import server_options
from edge_api.settings import EdgeSettings


class WithoutStorage:
    """An endpoint that handles a request as the product does, but responds before the events are stored."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    def handle(self, project: AuthenticatedProject, request: RequestContext) -> HandlerResult:
        """Return the response at once and drop the events."""
        result = self._endpoint.handle(project, request)
        return result.response if isinstance(result, DurableResponse) else result


class UnusedSink:
    """A sink that gets no writes."""

    async def append(self, writes: Sequence[PendingWrite]) -> None:
        """Raise an error, because nothing calls it."""
        raise AssertionError(len(writes))


class XaddPerRecord(GroupCommit):
    """Writes each record by itself, as soon as it is submitted."""

    def __init__(self, client: Redis) -> None:
        super().__init__(UnusedSink(), max_pending=1)
        self._client = client
        self._tasks: set[asyncio.Task[None]] = set()

    def submit(self, records: Sequence[StreamRecord], on_done: OnDone) -> None:
        """Write the records, then call `on_done`."""
        task = asyncio.create_task(self._write(records, on_done))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _write(self, records: Sequence[StreamRecord], on_done: OnDone) -> None:
        failure: RedisError | None = None
        try:
            for record in records:
                await self._client.xadd(
                    event_stream_of(record.project_id, record.device_id), {EVENT_FIELD: encode_record(record)}
                )
        except RedisError as error:
            failure = error
        on_done(failure)


def edge_without_storage(settings: EdgeSettings) -> Edge:
    """Return an edge that stores nothing."""
    edge = Edge(settings)
    edge.endpoints = {route: WithoutStorage(endpoint) for route, endpoint in edge.endpoints.items()}
    return edge


def edge_without_group_commit(settings: EdgeSettings) -> Edge:
    """Return an edge without group commit."""
    edge = Edge(settings)
    client = Redis.from_url(settings.redis_url.get_secret_value(), max_connections=settings.edge_connections)
    edge.commits = XaddPerRecord(client)
    return edge


VARIANTS: dict[str, Callable[[EdgeSettings], Edge]] = {
    "at-once": edge_without_storage,
    "each": edge_without_group_commit,
}


def main() -> None:
    """Serve with one worker until SIGTERM."""
    settings = read_settings(EdgeSettings)
    configure_logging(settings, "edge")
    make_app = partial(create_app, VARIANTS[sys.argv[1]](settings))
    uvicorn.run(make_app, factory=True, host=settings.edge_host, port=settings.edge_port, **server_options(settings))


if __name__ == "__main__":
    main()
