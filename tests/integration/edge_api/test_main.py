"""The edge as a process: its start by the command, a clean stop, a taken port."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import redis

from common.wire.redis_keys import event_streams
from deploy.local.loopback_ports import free_port
from tests.support.data.assignment_keys import ASSIGNMENT_KEYS
from tests.support.data.snapshots import SECRET_KEY, a_snapshot, publish, sdk_headers
from tests.support.polling import eventually

COMMAND = (sys.executable, "-P", "-m", "cli.main", "edge")


@contextmanager
def edge_process(redis_url: str, port: int, **variables: str) -> Iterator[subprocess.Popen[str]]:
    """Run the edge until the block ends."""
    settings = {
        "ONBOARDING_REDIS_URL": redis_url,
        "ONBOARDING_ASSIGNMENT_KEYS": ASSIGNMENT_KEYS,
        "EDGE_PORT": str(port),
        "ONBOARDING_EDGE_METRICS_PORT": "0",
        **variables,
    }
    process = subprocess.Popen(  # noqa: S603 - our own program
        COMMAND,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3]), **settings},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(timeout=30)
        if process.stderr is not None:
            process.stderr.close()


def is_ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/health/ready").status_code == 200
    except httpx.TransportError:
        return False


@pytest.mark.parametrize("workers", [pytest.param("1", marks=pytest.mark.slow), "2"])
def test_edge_serves_logs_no_secret_and_stops_cleanly(redis_url: str, redis_client: redis.Redis, workers: str) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with edge_process(redis_url, port, ONBOARDING_EDGE_WORKERS=workers, ONBOARDING_LOG_LEVEL="debug") as process:
        eventually(lambda: is_ready(url), within=30)
        response = httpx.post(
            f"{url}/api/onboarding/resolve", headers=sdk_headers(snapshot), json={"deviceId": "phone"}
        )
        assert response.status_code == 200
        assert "server" not in response.headers
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=30)
    assert process.returncode == 0
    assert snapshot.project_id in log
    assert SECRET_KEY not in log
    assert "Traceback" not in log
    assert sum(redis_client.xlen(stream) for stream in event_streams()) == 1


def test_taken_port_stops_the_start_with_one_clear_line(redis_url: str) -> None:
    port = free_port()
    with socket.create_server(("127.0.0.1", port)), edge_process(redis_url, port) as second:
        _, log = second.communicate(timeout=30)
        assert second.returncode != 0
        assert "Traceback" not in log
        [line] = log.splitlines()
        assert line.startswith("onboarding: EDGE_PORT: Address already in use")
