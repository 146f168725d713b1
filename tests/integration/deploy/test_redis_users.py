"""deploy/redis/users.acl.example: each process can do its work in Redis, and no other's."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis
from redis.exceptions import NoPermissionError

from common.rate_limit.limiter import Limiter
from common.rate_limit.rate_limit_keys import RateLimitKey
from common.wire.redis_keys import event_stream_of, event_streams, snapshot_key
from common.wire.stream_records import EventRecord
from edge_api.events.event_streams import EventStreams
from edge_api.events.pending_write import pending_write_of
from edge_api.rate_limits.lease_client import LeaseClient
from edge_api.redis_clients import limiting_client, reading_client, writing_links
from edge_api.snapshots.change_stream import START, ChangeStream
from edge_api.snapshots.snapshot_source import SnapshotSource
from management_api.event_consumer.figures import stream_figures
from management_api.event_consumer.stream_group import StreamGroup
from management_api.event_consumer.stream_group import connect as consuming_client
from management_api.rate_limits.rate_limits import RateLimiter
from publisher.snapshot_writer import SnapshotWriter
from publisher.snapshot_writer import connect as publishing_client
from tests.snapshots import a_snapshot

_FILE = Path(__file__).parents[3] / "deploy" / "redis" / "users.acl.example"
_PROCESSES = ("edge", "management", "publisher", "consumer")
_PASSWORD = "invented"
_EVENT = EventRecord("proj_a", "event-1", "flow_started", "device-1", 1_000, 1_000)


@pytest.fixture
def urls(redis_url: str) -> Iterator[dict[str, str]]:
    """Give the URL of each process, with its own user, and see that nothing was refused that was not expected."""
    with redis.Redis.from_url(redis_url) as admin:
        for line in _FILE.read_text().splitlines():
            _, name, *rules = line.replace("PASSWORD", _PASSWORD).split()
            admin.execute_command("ACL", "SETUSER", name, "reset", *rules)
        place = urlsplit(redis_url)
        yield {name: f"redis://{name}:{_PASSWORD}@{place.hostname}:{place.port}{place.path}" for name in _PROCESSES}
        admin.execute_command("ACL", "DELUSER", *_PROCESSES)


def test_there_is_a_user_for_every_process_that_speaks_to_redis() -> None:
    assert [line.split()[1] for line in _FILE.read_text().splitlines()] == list(_PROCESSES)


async def _work_as_edge(url: str) -> list[Exception | None]:
    reading, limiting, streams = reading_client(url), limiting_client(url, 2), EventStreams(writing_links(url))
    try:
        assert await SnapshotSource(reading).revisions(["proj_a"]) == [3]
        assert await SnapshotSource(reading).bodies(["proj_a"]) != [None]
        changes = ChangeStream(reading)
        assert await changes.newest() > await changes.oldest()
        assert await changes.read_after(START, wait_ms=10) is not None
        desk = LeaseClient(Limiter(b""), limiting)
        fetching = asyncio.create_task(desk.run())
        await desk.lease(RateLimitKey("address 192.0.2.1", 60))
        await desk.return_all()
        assert desk.is_shared
        fetching.cancel()
        return await streams.append([pending_write_of([_EVENT], lambda _: None)], 5)
    finally:
        await streams.aclose()
        await reading.aclose()
        await limiting.aclose()


def test_each_process_can_do_its_work(urls: dict[str, str]) -> None:
    with publishing_client(urls["publisher"]) as client:
        writer = SnapshotWriter(client)
        writer.holdings()
        writer.lineage()
        writer.note_begun_in_this_format()
        writer.write([a_snapshot(project_id="proj_a", revision=3), a_snapshot(project_id="proj_b", deleted=True)])
        writer.note_all_in_this_format()
        assert writer.revisions(["proj_a"]) == [3]
    assert asyncio.run(_work_as_edge(urls["edge"])) == [None]
    with consuming_client(urls["consumer"]) as client:
        group = StreamGroup(client, event_stream_of("proj_a"), "consumer-1")
        group.make()
        (entry,) = group.read_new(10, block_ms=10)
        group.show_life()
        group.take_over(min_idle_ms=0, count=10)
        assert sum(stream_figures(client, stream).waiting for stream in event_streams()) == 1
        group.acknowledge([entry])
        group.remove_idle_consumers(min_idle_ms=0)
        group.leave()
    limits = RateLimiter(Limiter(b""), redis.Redis.from_url(urls["management"]))
    assert limits.acquire(RateLimitKey("jwt user_a", 60)).is_admitted
    assert limits.is_shared


@pytest.mark.parametrize("process", _PROCESSES)
@pytest.mark.parametrize("command", ["FLUSHALL", "CONFIG GET *", "KEYS *", "ACL LIST", "SHUTDOWN"])
def test_no_process_commands_the_server(urls: dict[str, str], process: str, command: str) -> None:
    with redis.Redis.from_url(urls[process]) as client, pytest.raises(NoPermissionError):
        client.execute_command(*command.split())


@pytest.mark.usefixtures("urls")
@pytest.mark.parametrize("process", _PROCESSES)
def test_every_process_may_ask_a_cluster_for_its_slots(redis_url: str, process: str) -> None:
    with redis.Redis.from_url(redis_url) as admin:
        assert admin.execute_command("ACL", "DRYRUN", process, "CLUSTER", "SLOTS") == b"OK"


@pytest.mark.parametrize(
    ("process", "command"),
    [
        ("edge", ["HSET", snapshot_key("proj_a"), "body", "mine"]),
        ("edge", ["XADD", "onboarding:changes", "*", "project", "proj_a"]),
        ("edge", ["XRANGE", event_streams()[0], "-", "+"]),
        ("edge", ["EVAL", f"return redis.call('DEL', '{snapshot_key('proj_a')}')", "0"]),
        ("management", ["HGET", snapshot_key("proj_a"), "body"]),
        ("management", ["XRANGE", event_streams()[0], "-", "+"]),
        ("publisher", ["XRANGE", event_streams()[0], "-", "+"]),
        ("consumer", ["HGET", snapshot_key("proj_a"), "body"]),
    ],
)
def test_no_process_does_what_is_anothers(urls: dict[str, str], process: str, command: list[str]) -> None:
    refused = pytest.raises(redis.ResponseError, match=r"(?i)permission|access")
    with redis.Redis.from_url(urls[process]) as client, refused:
        client.execute_command(*command)
