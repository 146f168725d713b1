"""A consumer whose servers misbehave: nothing is lost, nothing counts twice, and it goes on by itself."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest
import redis
from pydantic import SecretStr

from common.wire.redis_keys import EVENT_GROUP, event_stream_of
from management_api.db.engine import Database
from management_api.event_consumer.settings import ConsumerSettings
from management_api.event_consumer.stream import EventStream, connect, stream_state
from management_api.rollups.aggregator import Aggregator
from tests.integration.management_api.event_consumer.running_consumer import (
    consumers,
    groups,
    is_exact,
    running,
    stored,
    waiting,
)
from tests.integration.management_api.event_consumer.stream_records import an_event, send
from tests.support.databases.locked_project import locked_project
from tests.support.polling import eventually
from tests.support.servers.fault_proxy import FaultProxy
from tests.support.servers.running_server import RunningServer
from tests.support.servers.service_process import StartedProcess

pytestmark = pytest.mark.slow


@contextmanager
def consumer_process(settings: ConsumerSettings, folder: Path) -> Iterator[StartedProcess]:
    environment = {
        "ONBOARDING_DATABASE_URL": settings.database_url.get_secret_value(),
        "ONBOARDING_REDIS_URL": settings.redis_url.get_secret_value(),
        "ONBOARDING_CONSUMER_RECLAIM_AFTER_MS": "500",
    }
    module = "management_api.event_consumer.main"
    with StartedProcess(module, "ConsumerSettings", environment, folder / "consumer.log") as process:
        yield process


def test_a_live_consumer_that_takes_long_keeps_its_entries(
    settings: ConsumerSettings,
    database: Database,
    database_url: str,
    redis_client: redis.Redis,
    project_ids: list[str],
) -> None:
    quick = settings.model_copy(update={"consumer_reclaim_after_ms": 300})
    with running(quick) as first:
        eventually(lambda: len(consumers(redis_client)) == 1)
        with locked_project(database_url, project_ids[0]) as held:
            send(redis_client, [an_event(project_ids[0])])
            held.waiting(1)
            with running(quick) as second:
                eventually(lambda: len(consumers(redis_client)) == 2)
                # Several times the time after which a dead one would have lost it.
                eventually(lambda: pending_ms(redis_client, project_ids[0]) > 1500)
                held.release()
                eventually(lambda: waiting(redis_client) == 0)
                assert (second.state().claimed, first.state().claimed) == (0, 0)
    assert stored(database) == 1


def pending_ms(client: redis.Redis, project_id: str) -> int:
    """Return how long the one entry of the project has been pending."""
    entries: Any = client.xpending_range(event_stream_of(project_id, "device"), EVENT_GROUP, "-", "+", 1)
    return max((int(idle) for _, _, idle, _ in entries), default=0)


def test_entries_of_a_stopped_consumer_are_claimed_and_counted_once(
    settings: ConsumerSettings,
    database: Database,
    database_url: str,
    redis_client: redis.Redis,
    project_ids: list[str],
    tmp_path: Path,
) -> None:
    records = [an_event(project_id) for project_id in project_ids]
    held_stream = event_stream_of(project_ids[0], "device")
    elsewhere = [project_id for project_id in project_ids if event_stream_of(project_id, "device") != held_stream]
    with consumer_process(settings, tmp_path) as process:
        eventually(lambda: len(consumers(redis_client)) == 1, within=30)
        with locked_project(database_url, project_ids[0]) as held:
            send(redis_client, records)
            held.waiting(1)
            # Stopped within another transaction, it would keep that one's rows until PostgreSQL ends it.
            eventually(lambda: stored(database) >= len(elsewhere))
            os.kill(process.pid, signal.SIGSTOP)
        try:
            with running(settings):
                eventually(lambda: stored(database) == 16, within=20)
        finally:
            os.kill(process.pid, signal.SIGCONT)
        eventually(lambda: waiting(redis_client) == 0)
        assert process.terminate() == 0
    assert stored(database) == 16
    Aggregator(database).count_all()
    assert is_exact(database)


def test_a_full_redis_is_drained_also_by_a_consumer_that_has_just_started(
    settings: ConsumerSettings, database: Database, private_redis_server: RunningServer, project_ids: list[str]
) -> None:
    of_private = settings.model_copy(update={"redis_url": SecretStr(private_redis_server.url)})
    with connect(private_redis_server.url) as client:
        groups(client, "earlier")
        send(client, [an_event(project_id) for project_id in project_ids])
        client.config_set("maxmemory", "1mb")
        with pytest.raises(redis.exceptions.OutOfMemoryError):
            client.set("anything", "at all")
        with running(of_private):
            eventually(lambda: waiting(client) == 0)
            eventually(lambda: "earlier" not in consumers(client), within=20)
    assert stored(database) == 16


@pytest.mark.parametrize("fault", ["cut_at_random", "cut_at_replies", "delay", "swallow_replies"])
def test_faulty_connection_to_redis_loses_nothing_and_counts_nothing_twice(
    settings: ConsumerSettings,
    database: Database,
    redis_client: redis.Redis,
    redis_url: str,
    project_ids: list[str],
    fault: str,
) -> None:
    records = [an_event(project_ids[number % 16], device_id=f"device_{number % 50}") for number in range(1500)]
    with FaultProxy(f"{redis_url}?socket_timeout=1", seed=7) as proxy:
        hurt = settings.model_copy(update={"redis_url": SecretStr(proxy.url), "consumer_batch_size": 50})
        with running(hurt):
            eventually(lambda: len(consumers(redis_client)) == 1)
            send(redis_client, records[:500])
            misbehave(proxy, fault)
            send(redis_client, records[500:1000])
            eventually(lambda: proxy.accepted > 12 or waiting(redis_client) == 0, within=30)
            proxy.heal()
            send(redis_client, records[1000:])
            eventually(lambda: waiting(redis_client) == 0, within=30)
    assert stored(database) == len(records)
    Aggregator(database).count_all()
    assert is_exact(database)


def misbehave(proxy: FaultProxy, fault: str) -> None:
    arguments = {"cut_at_random": (0.2,), "delay": (0.05,)}
    getattr(proxy, fault)(*arguments.get(fault, ()))


def test_a_stop_finishes_the_batch_at_hand(
    settings: ConsumerSettings,
    database: Database,
    database_url: str,
    redis_client: redis.Redis,
    project_ids: list[str],
) -> None:
    with locked_project(database_url, project_ids[0]) as held:
        with running(settings) as consumer:
            send(redis_client, [an_event(project_ids[0])])
            (waits,) = held.waiting(1)
            assert waits
            held.release()
        assert consumer.state().stored == 1
    assert (waiting(redis_client), stored(database)) == (0, 1)


def test_heartbeat_file_has_the_state_and_is_removed_at_exit(
    settings: ConsumerSettings, redis_client: redis.Redis, project_ids: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "consumer.json"
    with running(settings.model_copy(update={"consumer_heartbeat_file": file})) as consumer:
        send(redis_client, [an_event(project_id) for project_id in project_ids])
        eventually(lambda: file.exists() and orjson.loads(file.read_bytes())["stored"] == 16)
        shown = orjson.loads(file.read_bytes())
        assert (shown["name"], shown["is_well"], shown["outages"]) == (consumer.name, True, 0)
    assert not file.exists()


def test_metrics_have_pending_entries_and_consumers(redis_client: redis.Redis, project_ids: list[str]) -> None:
    stream = event_stream_of(project_ids[0], "device")
    assert stream_state(redis_client, stream).waiting == 0
    group = EventStream(redis_client, stream, "somebody")
    group.create_group()
    send(redis_client, [an_event(project_ids[0])] * 5)
    read = group.read_new(2, block_ms=1)
    figures = stream_state(redis_client, stream)
    assert (figures.waiting, figures.pending, figures.added, figures.done) == (5, 2, 5, 0)
    assert [(consumer.name, consumer.pending) for consumer in figures.consumers] == [("somebody", 2)]
    assert 0 <= figures.oldest_seconds < 60
    group.acknowledge(read)
    figures = stream_state(redis_client, stream)
    assert (figures.waiting, figures.pending, figures.added, figures.done) == (3, 0, 5, 2)
