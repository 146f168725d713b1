"""A full spool, a full disk, a failing disk: events that cannot be stored are rejected, acknowledged ones arrive."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import redis

from common.wire.snapshot import Snapshot
from tests.support.data.snapshots import a_snapshot, publish, sdk_headers
from tests.support.faults.spooling_edge import an_edge, spooled_bytes, stored_ids
from tests.support.polling import eventually
from tests.support.servers.fault_proxy import FaultProxy

pytestmark = pytest.mark.slow


@pytest.fixture
def snapshot(redis_client: redis.Redis) -> Snapshot:
    made = a_snapshot()
    publish(redis_client, made)
    return made


def test_full_spool_returns_503_until_it_is_replayed(
    redis_url: str, redis_client: redis.Redis, snapshot: Snapshot, tmp_path: Path
) -> None:
    large = {"eventType": "flow_started", "deviceId": "phone", "properties": {"text": "x" * 12_000}}
    acknowledged: list[str] = []
    with (
        FaultProxy(redis_url) as proxy,
        an_edge(proxy.url, tmp_path, edge_spool_mb="1") as edge,
        httpx.Client(base_url=edge.url, headers=sdk_headers(snapshot), timeout=20) as client,
    ):

        def post() -> httpx.Response:
            response = client.post("/api/analytics/event", json={**large, "eventId": f"event-{len(acknowledged)}"})
            acknowledged.extend([response.json()["eventId"]] if response.status_code == 201 else [])
            return response

        assert post().status_code == 201
        proxy.refuse()
        rejected = eventually(
            lambda: next((response for response in [post()] if response.status_code != 201), None), within=30
        )
        assert (rejected.status_code, rejected.headers["Retry-After"]) == (503, "1")
        assert rejected.json()["code"] == "UNAVAILABLE"
        assert 0 < spooled_bytes(tmp_path) <= 1024 * 1024
        proxy.heal()
        eventually(lambda: post().status_code == 201, within=20)
        eventually(lambda: stored_ids(redis_client) == set(acknowledged), within=30)


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """Mount a disk of 128 KiB at the folder, or skip the test where that is not allowed."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=128k", "none", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True, check=False).returncode:  # noqa: S603 - our own words
        pytest.skip("mounting is not allowed here")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)  # noqa: S603, S607 - as above


def test_full_disk_rejects_events_and_loses_no_acknowledged_one(
    redis_url: str, redis_client: redis.Redis, snapshot: Snapshot, tmp_path: Path
) -> None:
    large = {"eventType": "flow_started", "deviceId": "phone", "properties": {"text": "x" * 12_000}}
    statuses: dict[str, int] = {}
    with (
        FaultProxy(redis_url) as proxy,
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
    """Have every fdatasync of the processes fail with EIO, or skip the test where strace cannot do that."""
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
            line = tracer.stderr.readline()
            if "attached" not in line:
                pytest.skip(f"strace cannot attach here: {line}")
        yield
    finally:
        tracer.terminate()
        tracer.wait()
        if tracer.stderr is not None:
            tracer.stderr.close()


def test_failed_fsync_acknowledges_nothing_and_a_new_file_goes_on(
    redis_url: str, redis_client: redis.Redis, snapshot: Snapshot, tmp_path: Path
) -> None:
    event = {"eventType": "flow_started", "deviceId": "phone"}
    with (
        FaultProxy(redis_url) as proxy,
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
