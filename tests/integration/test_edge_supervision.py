"""The supervisor of the edge's workers: none is waited for, each is replaced, none outlives it."""

from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.polling import eventually
from tests.running_server import RunningServer
from tests.started_edge import StartedEdge, is_ready

#: Far from the seconds that a replacement takes, and from the setting's default.
SILENCE_SECONDS = 4
#: What uvicorn says in each worker.
HAS_STARTED = "Application startup complete"
WITHOUT_APPLICATION = """
from common.logging import configure_logging
from edge_api.settings import EdgeSettings
from common.settings.sources import read_settings
from edge_api.server import serve_with_workers
settings = read_settings(EdgeSettings)
configure_logging(settings, "edge")
serve_with_workers(settings, "edge_api.worker:no_such_application")
"""


@pytest.fixture(scope="module")
def patient_edge(redis_server: RunningServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartedEdge]:
    """Give an edge that would wait for a silent worker for longer than the tests."""
    with StartedEdge(
        redis_server.url, tmp_path_factory.mktemp("patient"), workers=2, edge_worker_timeout_seconds="600"
    ) as edge:
        yield edge


@pytest.fixture
def impatient_edge(redis_url: str, tmp_path: Path) -> Iterator[StartedEdge]:
    """Give an edge that soon takes a silent worker for lost."""
    with StartedEdge(redis_url, tmp_path, workers=2, edge_worker_timeout_seconds=str(SILENCE_SECONDS)) as edge:
        # One that is still being started has more time.
        eventually(lambda: edge.log.count(HAS_STARTED) == 2, within=30)
        yield edge


def is_replaced(edge: StartedEdge, victim: psutil.Process) -> bool:
    """Tell whether another serves in a worker's place."""
    return victim.pid not in edge.workers() and edge.has_all_workers()


def has_ended(worker: psutil.Process) -> bool:
    """Tell whether a process runs no more; an orphan is still listed until whoever inherits it takes notice."""
    try:
        return not worker.is_running() or worker.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_a_worker_that_dies_is_replaced(patient_edge: StartedEdge) -> None:
    [victim, _] = (psutil.Process(pid) for pid in patient_edge.workers())
    victim.kill()
    eventually(lambda: is_replaced(patient_edge, victim))
    eventually(lambda: is_ready(patient_edge.port))


def test_a_worker_that_hangs_keeps_no_other_from_being_replaced_and_is_replaced_when_it_dies(
    patient_edge: StartedEdge,
) -> None:
    [frozen, victim] = (psutil.Process(pid) for pid in patient_edge.workers())
    frozen.suspend()
    victim.kill()
    eventually(lambda: is_replaced(patient_edge, victim))
    frozen.kill()
    eventually(lambda: is_replaced(patient_edge, frozen))


def test_a_worker_that_hangs_is_replaced_and_keeps_the_edge_from_its_end_no_longer_than_that(
    impatient_edge: StartedEdge,
) -> None:
    [frozen, other] = (psutil.Process(pid) for pid in impatient_edge.workers())
    frozen.suspend()
    eventually(lambda: is_replaced(impatient_edge, frozen), within=SILENCE_SECONDS + 10)
    assert other.is_running()
    other.suspend()
    # A restart that waits for it hears the stop all the same.
    impatient_edge.begin_restart_by_turns()
    assert impatient_edge.terminate() == 0
    assert has_ended(other)


def test_workers_end_when_their_supervisor_is_killed(impatient_edge: StartedEdge) -> None:
    workers = [psutil.Process(pid) for pid in impatient_edge.workers()]
    impatient_edge.kill_the_supervisor()
    eventually(lambda: all(has_ended(worker) for worker in workers), within=30)


def test_an_edge_whose_workers_cannot_start_ends_and_says_so(redis_url: str, tmp_path: Path) -> None:
    edge = StartedEdge(redis_url, tmp_path, workers=2, program=WITHOUT_APPLICATION)
    with pytest.raises(RuntimeError, match="ended with 3"):
        edge.start()
