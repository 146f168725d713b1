"""A rolling restart of several workers on one port fails no request."""

import threading
from collections import Counter
from pathlib import Path
from typing import Self

import httpx
import pytest
import redis

from common.wire.snapshot import Snapshot
from tests.support.data.snapshots import a_snapshot, publish, sdk_headers
from tests.support.polling import eventually
from tests.support.servers.edge_process import StartedEdge

pytestmark = pytest.mark.both_http_ways

CLIENTS = 4
#: Clients without pauses would take the processor that the restart needs.
PAUSE_SECONDS = 0.005


class LoadingClients:
    """Clients that send resolve requests over kept connections until the end of a `with` block."""

    def __init__(self, url: str, snapshot: Snapshot) -> None:
        self.outcomes: Counter[str] = Counter()
        self._url = url
        self._headers = sdk_headers(snapshot)
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._send_requests) for _ in range(CLIENTS)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _send_requests(self) -> None:
        with httpx.Client(base_url=self._url, timeout=20) as client:
            while not self._stop.wait(PAUSE_SECONDS):
                try:
                    response = client.post("/api/onboarding/resolve", headers=self._headers, json={"deviceId": "phone"})
                    self.outcomes[str(response.status_code)] += 1
                except httpx.HTTPError as error:
                    self.outcomes[type(error).__name__] += 1


def published(client: redis.Redis) -> Snapshot:
    """Publish a project."""
    snapshot = a_snapshot()
    publish(client, snapshot)
    return snapshot


def test_rolling_restart_under_load_fails_no_request(
    redis_url: str, redis_client: redis.Redis, edge_http: str, tmp_path: Path
) -> None:
    snapshot = published(redis_client)
    with StartedEdge(redis_url, tmp_path, workers=2, edge_http=edge_http) as edge:
        with LoadingClients(edge.url, snapshot) as clients:
            eventually(lambda: clients.outcomes["200"] > 100, within=30)
            edge.rolling_restart()
            before = clients.outcomes["200"]
            eventually(lambda: clients.outcomes["200"] > before + 100, within=30)
        assert set(clients.outcomes) == {"200"}
