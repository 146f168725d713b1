"""The supervisor, with small programs of the tests' own."""

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deploy.local.child_program import ChildProgram, StopStep
from deploy.local.stack_errors import StackError
from deploy.local.state_folder import StateFolder
from deploy.local.stop_signals import StopSignals
from deploy.local.supervisor import Supervisor

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
    running = Supervisor(state, StopSignals(parent=None))
    yield running
    running.stop()


def _program(state: StateFolder, name: str, script: str, seconds: float = 5.0) -> ChildProgram:
    return ChildProgram(
        name=name,
        arguments=(sys.executable, "-c", script),
        environment={},
        lock_file=state.lock_file(name),
        stop_steps=(StopStep(signal.SIGTERM, seconds),),
    )


def _pid(state: StateFolder, name: str) -> int | None:
    pid = json.loads(state.processes_file.read_text()).get(name)
    return None if pid is None else int(pid)


def _another_is_up(state: StateFolder, name: str, killed: int) -> Callable[[], bool]:
    return lambda: _pid(state, name) not in (None, killed)


def test_a_killed_process_is_started_again_however_often(state: StateFolder, supervisor: Supervisor) -> None:
    supervisor.add(_program(state, "worker", _SLEEPS))
    for _ in range(7):
        killed = _pid(state, "worker")
        assert killed is not None
        os.kill(killed, signal.SIGKILL)
        supervisor.run_until(_another_is_up(state, "worker", killed), "the next worker", within=10)


def test_a_process_that_cannot_stay_up_is_named_with_its_last_words(state: StateFolder, supervisor: Supervisor) -> None:
    supervisor.add(_program(state, "worker", "import sys; sys.exit('cannot find the thing')"))
    with pytest.raises(StackError, match="worker does not stay up: cannot find the thing"):
        supervisor.run_until(lambda: False, "nothing", within=30)


def test_a_chore_that_fails_is_named_with_its_last_words(state: StateFolder, supervisor: Supervisor) -> None:
    with pytest.raises(StackError, match="chore failed: no"):
        supervisor.run_to_end(_program(state, "chore", "import sys; sys.exit('no')"))


def test_a_chore_runs_to_its_end(state: StateFolder, supervisor: Supervisor, tmp_path: Path) -> None:
    supervisor.run_to_end(_program(state, "chore", f"open({str(tmp_path / 'done')!r}, 'w')"))
    assert (tmp_path / "done").exists()


def test_what_was_started_last_is_stopped_first(state: StateFolder, supervisor: Supervisor, tmp_path: Path) -> None:
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
