"""The edge's workers under gunicorn: replaced when they exit, stop responding or are outdated; none is orphaned."""

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.integration.edge_api.faulty_worker import BLOCK_PATH, FAILURE_FILE, PROGRAM, START_SECONDS
from tests.support.polling import eventually
from tests.support.servers.edge_process import RESTART_GIVEN_UP, StartedEdge, connected, is_ready
from tests.support.servers.running_server import RunningServer

pytestmark = pytest.mark.slow

#: The smallest that the setting allows.
TIMEOUT_SECONDS = 2
#: For a busy machine: gunicorn checks once a second, and sends SIGABRT to a stale worker before it kills it.
REPLACED_SECONDS = TIMEOUT_SECONDS + 15
SLOW_START_SECONDS = TIMEOUT_SECONDS + 1.5
HAS_STARTED = "Application startup complete"
HAS_FAILED = "worker_start_failed"
TIMED_OUT = "WORKER TIMEOUT"


@pytest.fixture(scope="module")
def patient_edge(redis_server: RunningServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartedEdge]:
    """Start an edge whose worker timeout is longer than the tests."""
    folder = tmp_path_factory.mktemp("patient")
    with StartedEdge(redis_server.url, folder, workers=2, edge_worker_timeout_seconds="600") as edge:
        yield edge


@pytest.fixture
def impatient_edge(redis_url: str, tmp_path: Path) -> Iterator[StartedEdge]:
    with StartedEdge(redis_url, tmp_path, workers=2, edge_worker_timeout_seconds=str(TIMEOUT_SECONDS)) as edge:
        eventually(lambda: edge.log.count(HAS_STARTED) == 2, within=30)
        yield edge


@pytest.fixture
def failure_file(tmp_path: Path) -> Path:
    """Return the file whose existence makes a worker's start fail."""
    return tmp_path / "failure"


@pytest.fixture
def start_seconds() -> float:
    return 0.0


@pytest.fixture
def faulty_edge(
    redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure_file: Path, start_seconds: float
) -> StartedEdge:
    """Return an edge with the program of faulty workers, not started yet."""
    monkeypatch.setenv(FAILURE_FILE, str(failure_file))
    monkeypatch.setenv(START_SECONDS, str(start_seconds))
    timeout = str(TIMEOUT_SECONDS)
    return StartedEdge(redis_url, tmp_path, workers=2, program=PROGRAM, edge_worker_timeout_seconds=timeout)


def is_replaced(edge: StartedEdge, victim: psutil.Process) -> bool:
    """Return whether the worker is gone and the number of workers complete."""
    return victim.pid not in edge.workers() and edge.has_all_workers()


def has_ended(worker: psutil.Process) -> bool:
    """Return whether a process has ended; an orphan stays listed until its new parent collects it."""
    try:
        return not worker.is_running() or worker.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_killed_worker_is_replaced(patient_edge: StartedEdge) -> None:
    [victim, _] = (psutil.Process(pid) for pid in patient_edge.workers())
    victim.kill()
    eventually(lambda: is_replaced(patient_edge, victim))
    eventually(lambda: is_ready(patient_edge.port))


def test_frozen_worker_does_not_delay_replacing_a_killed_one(patient_edge: StartedEdge) -> None:
    [frozen, victim] = (psutil.Process(pid) for pid in patient_edge.workers())
    frozen.suspend()
    victim.kill()
    eventually(lambda: is_replaced(patient_edge, victim))
    frozen.kill()
    eventually(lambda: is_replaced(patient_edge, frozen))


def test_frozen_worker_is_replaced_and_does_not_outlast_a_stop(impatient_edge: StartedEdge) -> None:
    [frozen, other] = (psutil.Process(pid) for pid in impatient_edge.workers())
    frozen.suspend()
    eventually(lambda: is_replaced(impatient_edge, frozen), within=REPLACED_SECONDS)
    assert other.is_running()
    other.suspend()
    # A rolling restart that waits for the frozen worker does not delay the stop.
    impatient_edge.begin_rolling_restart()
    stopped_at = time.monotonic()
    assert impatient_edge.terminate() == 0
    assert time.monotonic() - stopped_at < REPLACED_SECONDS
    assert has_ended(other)


def test_workers_survive_a_pause_of_the_machine(impatient_edge: StartedEdge) -> None:
    before = impatient_edge.workers()
    processes = [psutil.Process(pid) for pid in (impatient_edge.pid, *before)]
    for process in processes:
        process.suspend()
    paused_until = time.monotonic() + TIMEOUT_SECONDS + 1
    eventually(lambda: time.monotonic() > paused_until)
    for process in processes:
        process.resume()
    looked_again_at = time.monotonic() + 3
    eventually(lambda: time.monotonic() > looked_again_at)
    assert impatient_edge.workers() == before
    assert TIMED_OUT not in impatient_edge.log


def test_workers_end_when_the_arbiter_is_killed(impatient_edge: StartedEdge) -> None:
    workers = [psutil.Process(pid) for pid in impatient_edge.workers()]
    impatient_edge.kill_arbiter()
    eventually(lambda: all(has_ended(worker) for worker in workers), within=30)


def test_interrupt_from_the_terminal_stops_in_order(impatient_edge: StartedEdge) -> None:
    for pid in impatient_edge.workers():
        psutil.Process(pid).send_signal(signal.SIGINT)
    assert impatient_edge.interrupt() == 0
    assert impatient_edge.log.count("Application shutdown complete") == 2
    assert "Traceback" not in impatient_edge.log


def test_blocked_event_loop_is_noticed_and_its_stack_printed(faulty_edge: StartedEdge) -> None:
    with faulty_edge as edge:
        client = connected(edge.port)
        client.request("GET", BLOCK_PATH)
        eventually(lambda: TIMED_OUT in edge.log, within=REPLACED_SECONDS)
        eventually(lambda: edge.has_all_workers() and edge.log.count(HAS_STARTED) == 3, within=REPLACED_SECONDS)
        client.close()
        assert "faulty_worker.py" in edge.log
        assert edge.terminate() == 0


@pytest.mark.parametrize("start_seconds", [SLOW_START_SECONDS])
def test_slow_start_is_not_killed_and_former_workers_serve_until_it_ends(faulty_edge: StartedEdge) -> None:
    with faulty_edge as edge:
        eventually(lambda: edge.log.count(HAS_STARTED) == 2, within=30)
        before = edge.workers()
        edge.begin_rolling_restart()
        samples: list[bool] = []

        def replacement_has_started() -> bool:
            still_serving = before <= edge.workers() and is_ready(edge.port)
            if edge.log.count(HAS_STARTED) > 2:
                return True
            samples.append(still_serving)
            return False

        eventually(replacement_has_started, within=30)
        assert samples
        assert all(samples)
        eventually(lambda: edge.has_all_workers() and not before & edge.workers(), within=60)
        assert TIMED_OUT not in edge.log


def test_edge_exits_when_no_worker_can_start(faulty_edge: StartedEdge, failure_file: Path) -> None:
    failure_file.touch()
    with pytest.raises(RuntimeError, match="ended with 3"):
        faulty_edge.start()
    assert HAS_FAILED in faulty_edge.log


def test_failing_start_is_retried_while_another_worker_serves(faulty_edge: StartedEdge, failure_file: Path) -> None:
    with faulty_edge as edge:
        eventually(lambda: edge.log.count(HAS_STARTED) == 2, within=30)
        failure_file.touch()
        victim = edge.kill_a_worker()
        eventually(lambda: edge.log.count(HAS_FAILED) > 1, within=30)
        assert is_ready(edge.port)
        failure_file.unlink()
        eventually(lambda: edge.log.count(HAS_STARTED) == 3, within=30)
        assert edge.has_all_workers()
        assert victim not in edge.workers()


def test_rolling_restart_keeps_former_workers_when_the_replacement_fails(
    faulty_edge: StartedEdge, failure_file: Path
) -> None:
    with faulty_edge as edge:
        eventually(lambda: edge.log.count(HAS_STARTED) == 2, within=30)
        before = edge.workers()
        failure_file.touch()
        edge.begin_rolling_restart()
        eventually(lambda: RESTART_GIVEN_UP in edge.log)
        assert edge.workers() == before
        failure_file.unlink()
        edge.rolling_restart()
