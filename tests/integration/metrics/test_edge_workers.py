"""The metrics of an edge with workers: added up, and never falling, whatever becomes of a worker."""

import os
import signal
import time
from pathlib import Path

import httpx

from deploy.local.loopback_ports import free_port
from tests.polling import eventually
from tests.shown_metrics import ShownMetrics
from tests.started_edge import StartedEdge

WORKERS = 2
REQUESTS = 20
#: A scrape waits for no worker; this is what a busy machine may need for it.
_SCRAPE_SECONDS = 5.0


def _asked(port: int) -> float:
    return ShownMetrics(port).value("onboarding_edge_requests_total", route="/health/live", status="200")


def test_workers_are_added_up_and_neither_one_that_hangs_nor_one_that_dies_takes_its_counts_away(
    redis_url: str, tmp_path: Path
) -> None:
    port = free_port()
    with StartedEdge(redis_url, tmp_path, workers=WORKERS, edge_metrics_port=str(port)) as edge:
        eventually(lambda: ShownMetrics(port).value("onboarding_workers_reporting") == WORKERS, within=30)
        for _ in range(REQUESTS):
            # Each time by another connection, so that each worker has its share.
            assert httpx.get(f"{edge.url}/health/live", timeout=20).status_code == 200
        eventually(lambda: _asked(port) == REQUESTS)

        hanging = min(edge.workers())
        os.kill(hanging, signal.SIGSTOP)
        began = time.monotonic()
        assert _asked(port) == REQUESTS
        assert time.monotonic() - began < _SCRAPE_SECONDS

        os.kill(hanging, signal.SIGKILL)
        eventually(lambda: ShownMetrics(port).value("onboarding_workers_ended_total") == 1)
        assert _asked(port) == REQUESTS
