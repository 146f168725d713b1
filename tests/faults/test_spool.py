"""Redis away, slow or lying, the disk full or failing: what was acknowledged is in the streams in the end.

The oracle is the clients' own log of what was acknowledged. `SOAK_SPOOL_SECONDS` makes the outages long.
"""

import json
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis

from common.redis_keys import EVENT_FIELD, event_streams
from common.snapshot import Snapshot
from common.stream_records import EventRecord, decode_record
from tests.faults.soak import report, soaked
from tests.faults.stubborn_clients import ClientLog, StubbornClients
from tests.faulty_proxy import FaultyProxy
from tests.polling import eventually
from tests.running_server import RunningServer
from tests.snapshots import a_snapshot, publish, sdk_headers
from tests.started_edge import StartedEdge

SECONDS = soaked("SPOOL_SECONDS", 3)
EVENTS_AT_ONCE = 240
FAULTS: dict[str, Callable[[FaultyProxy], None]] = {
    "refuses": FaultyProxy.refuse,
    "hangs": FaultyProxy.black_hole,
    "swallows replies": FaultyProxy.swallow_replies,
    "cuts at replies": FaultyProxy.cut_at_replies,
    "is slow": lambda proxy: proxy.delay(1.5),
}


@pytest.fixture
def snapshot(redis_client: redis.Redis) -> Snapshot:
    """Give a project that the edge knows."""
    made = a_snapshot()
    publish(redis_client, made)
    return made


def an_edge(redis_url: str, folder: Path, **settings: str) -> StartedEdge:
    """Make an edge of two workers with a spool below the folder; it is not started."""
    chosen = {"edge_spool_folder": str(folder / "spool"), "record_exposures": "false", **settings}
    return StartedEdge(redis_url, folder, workers=2, **chosen)


def clients_of(edge: StartedEdge, snapshot: Snapshot) -> StubbornClients:
    """Make clients that post to it, once all workers know the project."""
    for connection in edge.connections(of_each_worker=1):
        connection.request("GET", "/api/config", headers=sdk_headers(snapshot))
        assert connection.getresponse().status == 200
        connection.close()
    return StubbornClients(edge.url, sdk_headers(snapshot), "flow_default")


def post_for(clients: StubbornClients, seconds: float, log: ClientLog) -> None:
    """Let clients post for so long."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        log.add(clients.post(EVENTS_AT_ONCE))


def stored_ids(client: redis.Redis) -> set[str]:
    """Read the ids of all events in the streams; some may be there twice, and the consumer knows them by their ids."""
    streams: list[Any] = [client.xrange(stream) for stream in event_streams()]
    records = [decode_record(entry[EVENT_FIELD.encode()]) for stream in streams for _, entry in stream]
    return {record.event_id for record in records if isinstance(record, EventRecord)}


def events_stored_in(edge: StartedEdge) -> str:
    """Say what the health of a worker says: redis, spool or nowhere."""
    return str(httpx.get(f"{edge.url}/health/ready").json()["events"]["stored"])


def spooled_bytes(folder: Path) -> int:
    """Tell how much lies in all segments."""
    return sum(file.stat().st_size for file in (folder / "spool").glob("spool-*/*.segment"))


@pytest.mark.timeout(SECONDS * 3 + 240)
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_no_post_fails_and_nothing_is_lost_while_redis_fails(
    redis_url: str,
    redis_client: redis.Redis,
    snapshot: Snapshot,
    tmp_path: Path,
    fault: Callable[[FaultyProxy], None],
) -> None:
    log = ClientLog()
    with FaultyProxy(redis_url) as proxy, an_edge(proxy.url, tmp_path) as edge:
        clients = clients_of(edge, snapshot)
        log.add(clients.post(EVENTS_AT_ONCE))
        fault(proxy)
        post_for(clients, SECONDS, log)
        depth = spooled_bytes(tmp_path)
        proxy.heal()
        healed = time.monotonic()
        post_for(clients, SECONDS / 3, log)
        eventually(lambda: log.acknowledged <= stored_ids(redis_client), within=30 + SECONDS)
        drained = time.monotonic() - healed
        eventually(lambda: spooled_bytes(tmp_path) == 0)
        eventually(lambda: [events_stored_in(edge) for _ in range(4)] == ["redis"] * 4)
    assert log.failed_posts == 0
    assert stored_ids(redis_client) == log.acknowledged
    figures = {"acknowledged": len(log.acknowledged), "spooled": f"{depth} bytes", "drained after": f"{drained:.2f} s"}
    report(f"Redis fails for {SECONDS} s", figures)


def test_the_events_of_a_device_arrive_in_the_order_in_which_they_were_posted(
    redis_url: str, redis_client: redis.Redis, snapshot: Snapshot, tmp_path: Path
) -> None:
    posted: list[str] = []
    with (
        FaultyProxy(redis_url) as proxy,
        an_edge(proxy.url, tmp_path) as edge,
        httpx.Client(base_url=edge.url, headers=sdk_headers(snapshot), timeout=20) as client,
    ):

        def post() -> None:
            event = {"eventType": "flow_started", "deviceId": "phone", "eventId": f"{len(posted)}"}
            assert client.post("/api/analytics/event", json=event).status_code == 201
            posted.append(event["eventId"])

        for change in (proxy.heal, proxy.refuse, proxy.heal, proxy.refuse, proxy.heal):
            change()
            for _ in range(40):
                post()
        eventually(lambda: len(stored_ids(redis_client)) == len(posted), within=30)
    streams: list[Any] = [redis_client.xrange(stream) for stream in event_streams()]
    (stream,) = [entries for entries in streams if entries]
    arrived = [decode_record(entry[EVENT_FIELD.encode()]) for _, entry in stream]
    ids = [record.event_id for record in arrived if isinstance(record, EventRecord)]
    # What Redis had got before its reply was lost is there once more, and only the first counts.
    assert list(dict.fromkeys(ids)) == posted


def test_redis_killed_and_back_with_its_data(private_redis_server: RunningServer, tmp_path: Path) -> None:
    snapshot, log = a_snapshot(), ClientLog()
    with redis.Redis.from_url(private_redis_server.url) as client:
        publish(client, snapshot)
        with an_edge(private_redis_server.url, tmp_path) as edge:
            clients = clients_of(edge, snapshot)
            log.add(clients.post(EVENTS_AT_ONCE))
            private_redis_server.kill()
            post_for(clients, SECONDS, log)
            private_redis_server.start()
            eventually(lambda: stored_ids(client) == log.acknowledged, within=30 + SECONDS)
    assert log.failed_posts == 0


def test_a_redis_that_is_full_is_spared_until_there_is_room(
    private_redis_server: RunningServer, tmp_path: Path
) -> None:
    snapshot, log = a_snapshot(), ClientLog()
    with redis.Redis.from_url(private_redis_server.url) as client:
        publish(client, snapshot)
        with an_edge(private_redis_server.url, tmp_path) as edge:
            clients = clients_of(edge, snapshot)
            log.add(clients.post(EVENTS_AT_ONCE))
            client.config_set("maxmemory", 1)
            log.add(clients.post(EVENTS_AT_ONCE))
            assert spooled_bytes(tmp_path) > 0
            client.config_set("maxmemory", 0)
            eventually(lambda: stored_ids(client) == log.acknowledged, within=30)
    assert log.failed_posts == 0


def test_a_killed_edge_leaves_its_spool_to_the_next(
    redis_url: str, redis_client: redis.Redis, snapshot: Snapshot, tmp_path: Path
) -> None:
    log = ClientLog()
    with FaultyProxy(redis_url) as proxy, an_edge(proxy.url, tmp_path) as edge:
        clients = clients_of(edge, snapshot)
        log.add(clients.post(EVENTS_AT_ONCE))
        proxy.refuse()
        log.add(clients.post(EVENTS_AT_ONCE))
        edge.kill()
        assert spooled_bytes(tmp_path) > 0
        proxy.heal()
        edge.start()
        eventually(lambda: stored_ids(redis_client) == log.acknowledged, within=30)
        eventually(lambda: spooled_bytes(tmp_path) == 0)


def test_a_killed_worker_leaves_its_spool_to_the_others(
    redis_url: str, redis_client: redis.Redis, snapshot: Snapshot, tmp_path: Path
) -> None:
    log = ClientLog()
    with FaultyProxy(redis_url) as proxy, an_edge(proxy.url, tmp_path) as edge:
        clients = clients_of(edge, snapshot)
        log.add(clients.post(EVENTS_AT_ONCE))
        proxy.refuse()
        log.add(clients.post(EVENTS_AT_ONCE))
        edge.kill_a_worker()
        proxy.heal()
        eventually(lambda: stored_ids(redis_client) == log.acknowledged, within=30)


def test_what_finds_no_room_in_the_spool_is_answered_503_and_not_lost_when_sent_again(
    redis_url: str, redis_client: redis.Redis, snapshot: Snapshot, tmp_path: Path
) -> None:
    large = {"eventType": "flow_started", "deviceId": "phone", "properties": {"text": "x" * 12_000}}
    acknowledged: list[str] = []
    with (
        FaultyProxy(redis_url) as proxy,
        an_edge(proxy.url, tmp_path, edge_spool_mb="1") as edge,
        httpx.Client(base_url=edge.url, headers=sdk_headers(snapshot), timeout=20) as client,
    ):

        def answer() -> httpx.Response:
            response = client.post("/api/analytics/event", json={**large, "eventId": f"event-{len(acknowledged)}"})
            acknowledged.extend([response.json()["eventId"]] if response.status_code == 201 else [])
            return response

        assert answer().status_code == 201
        proxy.refuse()
        refused = eventually(lambda: next((one for one in [answer()] if one.status_code != 201), None), within=30)
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "1")
        assert refused.json()["code"] == "UNAVAILABLE"
        assert 0 < spooled_bytes(tmp_path) <= 1024 * 1024
        proxy.heal()
        eventually(lambda: answer().status_code == 201, within=20)
        eventually(lambda: stored_ids(redis_client) == set(acknowledged), within=30)


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """Have a disk of 128 KiB at the folder, where the system lets us."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=128k", "none", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True, check=False).returncode:  # noqa: S603 - our own words
        pytest.skip("this system lets us mount nothing")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)  # noqa: S603, S607 - as above


def test_on_a_full_disk_events_are_refused_and_those_acknowledged_arrive(
    redis_url: str, redis_client: redis.Redis, snapshot: Snapshot, tmp_path: Path
) -> None:
    large = {"eventType": "flow_started", "deviceId": "phone", "properties": {"text": "x" * 12_000}}
    statuses: dict[str, int] = {}
    with (
        FaultyProxy(redis_url) as proxy,
        small_disk(tmp_path / "disk"),
        an_edge(proxy.url, tmp_path, edge_spool_folder=str(tmp_path / "disk" / "spool")) as edge,
        httpx.Client(base_url=edge.url, headers=sdk_headers(snapshot), timeout=20) as client,
    ):

        def post() -> int:
            name = f"event-{len(statuses)}"
            statuses[name] = client.post("/api/analytics/event", json={**large, "eventId": name}).status_code
            return statuses[name]

        assert post() == 201
        proxy.refuse()
        eventually(lambda: post() == 503, within=30)
        proxy.heal()
        eventually(lambda: post() == 201, within=20)
        acknowledged = {name for name, status in statuses.items() if status == 201}
        assert set(statuses.values()) == {201, 503}
        eventually(lambda: acknowledged <= stored_ids(redis_client), within=30)


@contextmanager
def failing_fsync(processes: set[int]) -> Iterator[None]:
    """Have every fdatasync of the processes fail with EIO, where strace can do that."""
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("strace is not installed")
    attached = [f"--attach={process}" for process in processes]
    tracer = subprocess.Popen(  # noqa: S603 - our own words
        [strace, "-f", "-e", "trace=fdatasync", "-e", "inject=fdatasync:error=EIO", *attached],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert tracer.stderr is not None
        for _ in processes:
            said = tracer.stderr.readline()
            if "attached" not in said:
                pytest.skip(f"strace cannot attach here: {said}")
        yield
    finally:
        tracer.terminate()
        tracer.wait()
        if tracer.stderr is not None:
            tracer.stderr.close()


def test_a_failed_fsync_acknowledges_nothing_and_a_new_segment_goes_on(
    redis_url: str, redis_client: redis.Redis, snapshot: Snapshot, tmp_path: Path
) -> None:
    event = {"eventType": "flow_started", "deviceId": "phone"}
    with (
        FaultyProxy(redis_url) as proxy,
        an_edge(proxy.url, tmp_path) as edge,
        httpx.Client(base_url=edge.url, headers=sdk_headers(snapshot), timeout=20) as client,
    ):

        def post(name: str) -> int:
            body = json.dumps({**event, "eventId": name})
            headers = {"Content-Type": "application/json"}
            return client.post("/api/analytics/event", content=body, headers=headers).status_code

        assert post("stored") == 201
        proxy.refuse()
        assert post("spooled") == 201
        with failing_fsync(edge.workers()):
            assert [post(f"failed {number}") for number in range(3)] == [503] * 3
        eventually(lambda: post("spooled later") == 201, within=10)
        proxy.heal()
        eventually(lambda: {"stored", "spooled", "spooled later"} <= stored_ids(redis_client), within=30)
