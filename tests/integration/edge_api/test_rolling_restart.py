"""A rolling restart of several workers on one port fails no request."""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path

import httpx
import pytest
import redis

from common.wire.snapshot import Snapshot
from tests.support.background import in_background
from tests.support.data.snapshots import a_snapshot, publish, sdk_headers
from tests.support.polling import eventually
from tests.support.servers.edge_process import StartedEdge, connected

pytestmark = [pytest.mark.slow, pytest.mark.both_http_ways]

CLIENTS = 4
#: Clients without pauses would take the processor that the restart needs.
PAUSE_SECONDS = 0.005


@contextmanager
def loading_clients(url: str, snapshot: Snapshot) -> Iterator[Counter[str]]:
    """Send resolve requests over kept connections during the block, and count their outcomes."""
    outcomes: Counter[str] = Counter()
    headers = sdk_headers(snapshot)

    def send_requests(stop: threading.Event) -> None:
        with httpx.Client(base_url=url, timeout=20) as client:
            while not stop.wait(PAUSE_SECONDS):
                try:
                    response = client.post("/api/onboarding/resolve", headers=headers, json={"deviceId": "phone"})
                    outcomes[str(response.status_code)] += 1
                except httpx.HTTPError as error:
                    outcomes[type(error).__name__] += 1

    with in_background(threading.Event(), *[send_requests] * CLIENTS):
        yield outcomes


def published(client: redis.Redis) -> Snapshot:
    snapshot = a_snapshot()
    publish(client, snapshot)
    return snapshot


def test_rolling_restart_under_load_fails_no_request(
    redis_url: str, redis_client: redis.Redis, edge_http: str, tmp_path: Path
) -> None:
    snapshot = published(redis_client)
    with StartedEdge(redis_url, tmp_path, workers=2, edge_http=edge_http) as edge:
        with loading_clients(edge.url, snapshot) as outcomes:
            eventually(lambda: outcomes["200"] > 100, within=30)
            edge.rolling_restart()
            before = outcomes["200"]
            eventually(lambda: outcomes["200"] > before + 100, within=30)
        assert set(outcomes) == {"200"}


def test_idle_connection_is_served_once_more_by_a_stopping_worker(
    redis_url: str, redis_client: redis.Redis, edge_http: str, tmp_path: Path
) -> None:
    headers = sdk_headers(published(redis_client))
    with (
        StartedEdge(redis_url, tmp_path, workers=1, edge_http=edge_http) as edge,
        closing(connected(edge.port)) as pausing,
        closing(connected(edge.port)) as busy,
    ):

        def connection_header(connection: HTTPConnection) -> str | None:
            connection.request("GET", "/api/config", headers=headers)
            response = connection.getresponse()
            response.read()
            assert response.status == 200
            return response.getheader("Connection")

        assert connection_header(pausing) is None
        edge.begin_rolling_restart()
        eventually(lambda: connection_header(busy) == "close", within=30)
        stopping_since = time.monotonic()
        eventually(lambda: time.monotonic() - stopping_since > 1)
        assert connection_header(pausing) == "close"
