"""The supervisor, with small programs of the tests' own."""

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deploy.local.errors import StackError
from deploy.local.state_folder import StateFolder
from deploy.local.supervision.process_spec import ProcessSpec, StopStep
from deploy.local.supervision.shutdown import Shutdown
from deploy.local.supervision.supervisor import Supervisor

pytestmark = pytest.mark.slow

_SLEEPS = "import time; print('up', flush=True); time.sleep(600)"
_STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
)


@pytest.fixture
def state(tmp_path: Path) -> StateFolder:
    folder = StateFolder(tmp_path / "state")
    folder.make()
    return folder


@pytest.fixture
def supervisor(state: StateFolder) -> Iterator[Supervisor]:
    running = Supervisor(state, Shutdown(parent=None))
    yield running
    running.stop()


def _program(state: StateFolder, name: str, script: str, seconds: float = 5.0) -> ProcessSpec:
    return ProcessSpec(
        name=name,
        arguments=(sys.executable, "-c", script),
        environment={},
        lock_file=state.lock_file(name),
        stop_steps=(StopStep(signal.SIGTERM, seconds),),
    )


def _pid(state: StateFolder, name: str) -> int | None:
    pid = json.loads(state.processes_file.read_text()).get(name)
    return None if pid is None else int(pid)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _another_is_up(state: StateFolder, name: str, killed: int) -> Callable[[], bool]:
    return lambda: _pid(state, name) not in (None, killed)


def test_killed_process_is_restarted_without_limit(state: StateFolder, supervisor: Supervisor) -> None:
    supervisor.add(_program(state, "worker", _SLEEPS))
    for _ in range(7):
        killed = _pid(state, "worker")
        assert killed is not None
        os.kill(killed, signal.SIGKILL)
        supervisor.run_until(_another_is_up(state, "worker", killed), "the next worker", within=10)


def test_process_that_ends_repeatedly_is_named_with_its_last_line(state: StateFolder, supervisor: Supervisor) -> None:
    supervisor.add(_program(state, "worker", "import sys; sys.exit('cannot find the thing')"))
    with pytest.raises(StackError, match="worker does not stay up: cannot find the thing"):
        supervisor.run_until(lambda: False, "nothing", within=30)


def test_failed_run_to_end_is_named_with_its_last_line(state: StateFolder, supervisor: Supervisor) -> None:
    with pytest.raises(StackError, match="chore failed: no"):
        supervisor.run_to_end(_program(state, "chore", "import sys; sys.exit('no')"))


def test_run_to_end_waits_for_the_process(state: StateFolder, supervisor: Supervisor, tmp_path: Path) -> None:
    supervisor.run_to_end(_program(state, "chore", f"open({str(tmp_path / 'done')!r}, 'w')"))
    assert (tmp_path / "done").exists()


def test_last_started_process_is_stopped_first(state: StateFolder, supervisor: Supervisor, tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    script = (
        "import signal, sys, time\n"
        "def leave(*_): open({diary!r}, 'a').write({name!r} + ' '); sys.exit()\n"
        "signal.signal(signal.SIGTERM, leave); open({diary!r} + {name!r}, 'w'); time.sleep(600)"
    )
    for name in ("server", "worker", "edge"):
        supervisor.add(_program(state, name, script.format(diary=str(diary), name=name)))
        supervisor.run_until(Path(f"{diary}{name}").exists, name, within=10)
    supervisor.stop()
    assert diary.read_text().split() == ["edge", "worker", "server"]


def test_a_process_that_ignores_the_stop_is_killed(
    state: StateFolder, supervisor: Supervisor, capfd: pytest.CaptureFixture[str]
) -> None:
    supervisor.add(_program(state, "stubborn", _STUBBORN, seconds=0.2))
    seen: list[str] = []

    def is_up() -> bool:
        seen.append(capfd.readouterr().out)
        return "up" in "".join(seen)

    supervisor.run_until(is_up, "the stubborn one", within=10)
    pid = _pid(state, "stubborn")
    assert pid is not None
    supervisor.stop()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
