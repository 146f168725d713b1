"""deploy/redis/users.acl, as compose starts Redis with it: each process can do its own work and no other's."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
import redis
from pydantic import SecretStr
from redis.exceptions import NoPermissionError

from cli.doctor.checks.clocks import check_clocks
from cli.doctor.checks.events import check_event_streams, check_quotas
from cli.doctor.checks.publishing import check_pages, check_snapshots
from cli.doctor.checks.redis_server import check_event_replicas, check_redis
from cli.doctor.installation import Installation
from cli.doctor.result import Level, Result
from cli.settings import CommandSettings
from common.rate_limit.limiter import Limiter
from common.rate_limit.server_clock import ServerClock
from common.settings.shared import DatabaseSettings
from common.wire.redis_keys import (
    CHANGE_EPOCH,
    CHANGE_STREAM,
    INSTALLATION,
    KEY_USE,
    PAGE_ASSET_NAMES,
    PAGE_ASSETS,
    SNAPSHOT_FORMAT,
    USED_QUOTAS,
    event_streams,
    page_asset_key,
    snapshot_key,
)
from common.wire.stream_records import EventRecord, encode_record
from common.wire.used_quotas import DIGEST_FIELD, STATE_FIELD, UsedQuotas
from deploy.local.loopback_ports import LOOPBACK
from edge_api.events.group_commit import PendingWrite, stream_of
from edge_api.events.key_use import KeyUseRecorder
from edge_api.events.quotas import ProjectQuotas
from edge_api.events.redis_writer import RedisWriter, ReplicasMissingError
from edge_api.page_assets import PageAssets
from edge_api.rate_limiter import RateLimiter as EdgeRateLimiter
from edge_api.redis_clients import event_connections, lease_client, snapshot_client
from edge_api.settings import EdgeSettings
from edge_api.snapshots.redis_source import START, RedisSource
from management_api.background.key_use import store_key_use
from management_api.background.quotas import publish_used_quotas
from management_api.db.engine import Database
from management_api.event_consumer.stream import EventStream, stream_state
from management_api.event_consumer.stream import connect as consuming_client
from management_api.rate_limiter import RateLimiter
from management_api.rollups.usage import Usage
from publisher.assets import PageAssetPublisher
from publisher.snapshot_store import SnapshotStore
from publisher.snapshot_store import connect as publishing_client
from tests.support.data.assignment_keys import ASSIGNMENT_KEYS
from tests.support.data.pages import MANIFEST, write_built_assets
from tests.support.data.snapshots import a_snapshot
from tests.support.servers.compose_redis import DEPLOY, USERS, ComposeRedis, compose_redis

pytestmark = pytest.mark.slow

_PROCESSES = ("edge", "management", "publisher", "consumer")
_EVENT = EventRecord("proj_a", "event-1", "flow_started", "device-1", 1_000, 1_000)
_SNAPSHOT, _EVENTS = snapshot_key("proj_a"), event_streams()[0]
_COMMANDS_OF_ADMINISTRATORS = (
    "ACL LIST",
    "BGREWRITEAOF",
    "CLIENT KILL ID 1",
    "CONFIG SET appendfsync no",
    "FLUSHALL",
    "FLUSHDB",
    "FUNCTION FLUSH",
    "KEYS *",
    "MONITOR",
    "PUBLISH a b",
    "REPLICAOF NO ONE",
    "SCRIPT FLUSH",
    "SHUTDOWN",
    "SUBSCRIBE a",
    "SWAPDB 0 1",
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ComposeRedis]:
    """Run the Redis of compose for all tests of this file."""
    with compose_redis(tmp_path_factory.mktemp("compose")) as server:
        yield server


@pytest.fixture
def admin(server: ComposeRedis) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(server.url) as client:
        client.flushall()
        yield client


def test_every_process_and_the_doctor_have_a_user(admin: redis.Redis) -> None:
    assert set(admin.acl_users()) == {"default", *USERS}


def test_client_without_a_password_is_rejected(server: ComposeRedis) -> None:
    with (
        redis.Redis(host=LOOPBACK, port=server.port, protocol=2) as client,
        pytest.raises(redis.AuthenticationError, match="Authentication required"),
    ):
        client.ping()


async def _work_as_edge(url: str) -> list[Exception | None]:
    reading, limiting = snapshot_client(url), lease_client(url, 2)
    writer = RedisWriter(event_connections(url), timeout_seconds=5)
    waiting = RedisWriter(event_connections(url), timeout_seconds=1, replicas=1)
    try:
        source = RedisSource(reading)
        assert await source.revisions(["proj_a"]) == [3]
        assert (await source.find("proj_a"))[0] == (await source.snapshots(["proj_a"]))[0]
        ends = await source.stream_ends()
        assert ends.epoch is not None
        assert ends.newest > ends.oldest
        assert await source.complete_epoch() == ends.epoch
        assert await source.changes_after(START, wait_ms=10) is not None
        assets = PageAssets(reading, None)
        assert await assets.get(MANIFEST.js) is not None
        key_use = KeyUseRecorder(reading)
        key_use.note("proj_a", "key_1")
        await key_use.flush()
        quotas = ProjectQuotas(reading)
        await quotas.refresh()
        assert "proj_a" in quotas.used_up
        settings = EdgeSettings(redis_url=SecretStr(url), assignment_keys=SecretStr(ASSIGNMENT_KEYS))
        limits = EdgeRateLimiter(settings, limiting)
        await limits.open()
        limits.acquire((60, "address 192.0.2.1"))
        await limits.settle_all()
        assert limits.redis_available
        body = encode_record(_EVENT)
        replicated = PendingWrite(_EVENT.project_id, stream_of(_EVENT), (body,), len(body))
        await waiting.append([replicated])
        # There is no replica to wait for. A user without the right to WAIT would get another error.
        assert isinstance(replicated.error, ReplicasMissingError)
        # Several records of one write are a transaction, a single one is not.
        writes = [
            PendingWrite(_EVENT.project_id, stream_of(_EVENT), (body,) * count, len(body) * count) for count in (2, 1)
        ]
        await writer.append(writes)
        return [write.error for write in writes]
    finally:
        await waiting.aclose()
        await writer.aclose()
        await reading.aclose()
        await limiting.aclose()


def test_each_process_can_do_its_work(
    server: ComposeRedis, admin: redis.Redis, database_url: str, tmp_path: Path
) -> None:
    admin.acl_log_reset()
    folder = tmp_path / "page_assets"
    write_built_assets(folder)
    with publishing_client(server.url_for("publisher")) as client:
        store = SnapshotStore(client)
        store.state("0" * 32)
        store.replication_ids()
        store.mark_rebuild_started()
        assets = PageAssetPublisher(client, folder)
        assert assets.publish()
        assets.note()
        store.write([a_snapshot(project_id="proj_a", revision=3), a_snapshot(project_id="proj_b", deleted=True)])
        store.mark_rebuild_complete()
        assert store.revisions(["proj_a"], {None}) == {"proj_a": 3}
        assert list(store.orphans(lambda _: ())) == [[("proj_a", 3)]]
    digest, state = UsedQuotas(10**10, {"proj_a": frozenset({"events"})}).encode()
    admin.hset(USED_QUOTAS, mapping={DIGEST_FIELD: digest, STATE_FIELD: state})
    assert asyncio.run(_work_as_edge(server.url_for("edge"))) == [None, None]
    assert admin.zrange(KEY_USE, 0, -1) == [b"proj_a/key_1"]
    with (
        consuming_client(server.url_for("consumer")) as client,
        closing(Database(DatabaseSettings(database_url=SecretStr(database_url)))) as database,
    ):
        group = EventStream(client, stream_of(_EVENT), "consumer-1")
        group.create_group()
        entries = group.read_new(10, block_ms=10)
        group.send_heartbeat()
        group.claim_stale(min_idle_ms=0, count=10)
        assert sum(stream_state(client, stream).waiting for stream in event_streams()) == len(entries)
        group.acknowledge(entries)
        group.remove_idle_consumers(min_idle_ms=0)
        group.deregister()
        store_key_use(client, database)
        publish_used_quotas(client, database, Usage(1, 1, 1))
        assert client.info("memory")["used_memory"] > 0
    clock = ServerClock()
    limits = RateLimiter(Limiter(b"", clock), redis.Redis.from_url(server.url_for("management")), clock)
    assert limits.acquire((60, "jwt user_a")).is_admitted
    assert limits.redis_available
    assert not admin.exists(KEY_USE)
    assert admin.acl_log() == []


@pytest.mark.parametrize(
    "look",
    [check_redis, check_event_replicas, check_clocks, check_event_streams, check_quotas, check_snapshots, check_pages],
)
def test_doctors_user_may_read_all_that_its_checks_need(
    server: ComposeRedis,
    admin: redis.Redis,
    database_url: str,
    look: Callable[[Installation], Iterator[Result]],
) -> None:
    admin.acl_log_reset()
    admin.xgroup_create(_EVENTS, "postgresql", mkstream=True)
    settings = CommandSettings(
        database_url=SecretStr(database_url), redis_url=SecretStr(server.url_for("doctor")), state_dir=DEPLOY
    )
    assert Level.NOT_CHECKED not in {result.level for result in look(Installation(settings))}
    assert admin.acl_log() == []


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("command", _COMMANDS_OF_ADMINISTRATORS)
def test_no_user_has_commands_of_administrators(server: ComposeRedis, user: str, command: str) -> None:
    with redis.Redis.from_url(server.url_for(user)) as client, pytest.raises(NoPermissionError):
        client.execute_command(*command.split())


@pytest.mark.parametrize("user", _PROCESSES)
@pytest.mark.parametrize("command", ["CLUSTER SLOTS", "CLUSTER SHARDS", "ASKING", "READONLY", "ROLE", "COMMAND"])
def test_every_process_has_the_commands_of_sentinel_and_cluster_clients(
    admin: redis.Redis, user: str, command: str
) -> None:
    assert admin.acl_dryrun(user, *command.split()) == b"OK"


@pytest.mark.parametrize("key", [SNAPSHOT_FORMAT, CHANGE_EPOCH])
def test_edge_reads_whether_redis_is_complete_and_its_epoch(admin: redis.Redis, key: str) -> None:
    assert admin.acl_dryrun("edge", "GET", key) == b"OK"


@pytest.mark.parametrize(
    ("user", "command"),
    [
        ("edge", ["HSET", _SNAPSHOT, "body", "mine"]),
        ("edge", ["DEL", _SNAPSHOT]),
        ("edge", ["EXPIRE", _SNAPSHOT, "1"]),
        ("edge", ["SET", SNAPSHOT_FORMAT, "0"]),
        ("edge", ["SET", CHANGE_EPOCH, "mine"]),
        ("edge", ["SET", INSTALLATION, "mine"]),
        ("edge", ["XADD", CHANGE_STREAM, "*", "project", "proj_a"]),
        ("edge", ["XTRIM", CHANGE_STREAM, "MAXLEN", "0"]),
        ("edge", ["XRANGE", _EVENTS, "-", "+"]),
        ("edge", ["XREAD", "STREAMS", _EVENTS, "0"]),
        ("edge", ["XDEL", _EVENTS, "1-1"]),
        ("edge", ["XTRIM", _EVENTS, "MAXLEN", "0"]),
        ("edge", ["DEL", _EVENTS]),
        ("edge", ["EXPIRE", _EVENTS, "1"]),
        ("edge", ["XGROUP", "DESTROY", _EVENTS, "postgresql"]),
        ("edge", ["XREADGROUP", "GROUP", "postgresql", "mine", "STREAMS", _EVENTS, ">"]),
        ("edge", ["EVAL", f"return redis.call('DEL', '{_SNAPSHOT}')", "0"]),
        ("edge", ["EVAL", f"return redis.call('HSET', '{_SNAPSHOT}', 'body', 'mine')", "1", "onboarding:rate:{a}:1"]),
        ("edge", ["ZRANGE", KEY_USE, "0", "-1"]),
        ("edge", ["HSET", USED_QUOTAS, "digest", "mine"]),
        ("edge", ["SCAN", "0"]),
        ("edge", ["CONFIG", "GET", "*"]),
        ("edge", ["INFO"]),
        ("edge", ["SET", PAGE_ASSETS, "mine"]),
        ("edge", ["SET", page_asset_key("a.0a1b2c3d.js"), "mine"]),
        ("edge", ["ZADD", PAGE_ASSET_NAMES, "1", "a.0a1b2c3d.js"]),
        ("management", ["SCAN", "0"]),
        ("management", ["SET", page_asset_key("a.0a1b2c3d.js"), "mine"]),
        ("consumer", ["SET", PAGE_ASSETS, "mine"]),
        ("management", ["HGET", _SNAPSHOT, "body"]),
        ("management", ["XRANGE", _EVENTS, "-", "+"]),
        ("management", ["XADD", CHANGE_STREAM, "*", "project", "proj_a"]),
        ("publisher", ["XRANGE", _EVENTS, "-", "+"]),
        ("publisher", ["GET", "onboarding:rate:{a}:1"]),
        ("publisher", ["DEL", _SNAPSHOT]),
        ("consumer", ["SCAN", "0"]),
        ("consumer", ["HGET", _SNAPSHOT, "body"]),
        ("consumer", ["DEL", _EVENTS]),
        ("doctor", ["HSET", _SNAPSHOT, "body", "mine"]),
        ("doctor", ["XADD", _EVENTS, "*", "r", ""]),
        ("doctor", ["XRANGE", _EVENTS, "-", "+"]),
    ],
)
def test_command_of_another_process_is_rejected(
    server: ComposeRedis, admin: redis.Redis, user: str, command: list[str]
) -> None:
    admin.hset(_SNAPSHOT, "body", "theirs")
    admin.xgroup_create(_EVENTS, "postgresql", mkstream=True)
    refused = pytest.raises(redis.ResponseError, match=r"(?i)permission|access")
    with redis.Redis.from_url(server.url_for(user)) as client, refused:
        client.execute_command(*command)
    assert admin.hget(_SNAPSHOT, "body") == b"theirs"
