"""The metrics of an edge with several workers: counters are summed and never fall when a worker hangs or ends."""

import os
import signal
import time
from pathlib import Path

import httpx
import pytest

from deploy.local.loopback_ports import free_port
from tests.support.polling import eventually
from tests.support.servers.edge_process import StartedEdge
from tests.support.telemetry import CurrentMetrics

pytestmark = pytest.mark.slow

WORKERS = 2
REQUESTS = 20
#: A scrape waits for no worker; a busy machine needs this time.
_SCRAPE_SECONDS = 5.0


def _request_count(port: int) -> float:
    return CurrentMetrics(port).value("onboarding_edge_requests_total", route="/health/live", status="200")


def test_counters_of_workers_are_summed_and_survive_hangs_and_kills(redis_url: str, tmp_path: Path) -> None:
    port = free_port()
    with StartedEdge(redis_url, tmp_path, workers=WORKERS, edge_metrics_port=str(port)) as edge:
        eventually(lambda: CurrentMetrics(port).value("onboarding_workers_reporting") == WORKERS, within=30)
        for _ in range(REQUESTS):
            # A new connection each time, which either worker accepts.
            assert httpx.get(f"{edge.url}/health/live", timeout=20).status_code == 200
        eventually(lambda: _request_count(port) == REQUESTS)

        hanging = min(edge.workers())
        os.kill(hanging, signal.SIGSTOP)
        began = time.monotonic()
        assert _request_count(port) == REQUESTS
        assert time.monotonic() - began < _SCRAPE_SECONDS

        os.kill(hanging, signal.SIGKILL)
        eventually(lambda: CurrentMetrics(port).value("onboarding_workers_ended_total") == 1)
        assert _request_count(port) == REQUESTS
