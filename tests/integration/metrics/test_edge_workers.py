"""The metrics of an edge with workers: added up, and never falling, whatever becomes of a worker."""

import os
import signal
import time
from collections.abc import Iterator

import httpx
import pytest

from deploy.local.loopback_ports import free_port
from tests.polling import eventually
from tests.running_server import RunningServer
from tests.shown_metrics import ShownMetrics
from tests.started_edge import StartedEdge

WORKERS = 2
#: A scrape waits for no worker; this is what a busy machine may need for it.
_SCRAPE_SECONDS = 5.0


@pytest.fixture(scope="module")
def port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def edge(port: int, redis_server: RunningServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartedEdge]:
    folder = tmp_path_factory.mktemp("edge")
    with StartedEdge(redis_server.url, folder, workers=WORKERS, edge_metrics_port=str(port)) as started:
        eventually(lambda: ShownMetrics(port).value("onboarding_workers_reporting") == WORKERS, within=30)
        yield started


def _ask(edge: StartedEdge, times: int) -> None:
    for _ in range(times):
        # Each time by another connection, so that each worker has its share.
        assert httpx.get(f"{edge.url}/health/live", timeout=20).status_code == 200


def _asked(port: int) -> float:
    return ShownMetrics(port).value("onboarding_edge_requests_total", route="/health/live", status="200")


def test_requests_are_counted_over_all_workers(edge: StartedEdge, port: int) -> None:
    before = _asked(port)
    _ask(edge, 20)
    eventually(lambda: _asked(port) == before + 20)
    seconds = ShownMetrics(port).value("onboarding_edge_request_duration_seconds_count", route="/health/live")
    assert seconds == before + 20


def test_what_a_killed_worker_had_counted_stays(edge: StartedEdge, port: int) -> None:
    before = _asked(port)
    _ask(edge, 10)
    eventually(lambda: _asked(port) == before + 10)
    ended = ShownMetrics(port).value("onboarding_workers_ended_total")
    edge.kill_a_worker()
    eventually(lambda: ShownMetrics(port).value("onboarding_workers_ended_total") == ended + 1)
    assert _asked(port) == before + 10
    eventually(lambda: ShownMetrics(port).value("onboarding_workers_reporting") == WORKERS, within=60)


def test_a_worker_that_hangs_keeps_no_scrape_waiting(edge: StartedEdge, port: int) -> None:
    hanging = min(edge.workers())
    before = _asked(port)
    os.kill(hanging, signal.SIGSTOP)
    try:
        began = time.monotonic()
        assert _asked(port) == before
        assert time.monotonic() - began < _SCRAPE_SECONDS
    finally:
        os.kill(hanging, signal.SIGCONT)
