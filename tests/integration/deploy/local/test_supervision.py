"""The supervisor, with small programs of the tests' own."""

import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from deploy.local.errors import StackError
from deploy.local.state_folder import StateFolder
from deploy.local.supervision.log_writer import LogWriter
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


@contextmanager
def no_room_in_files() -> Iterator[None]:
    """Let no file of this process or a new child grow, for the length of the block."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


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


def test_process_without_disk_space_is_restarted_until_there_is_room(
    state: StateFolder, supervisor: Supervisor, tmp_path: Path
) -> None:
    starts, room = tmp_path / "starts", tmp_path / "room"
    script = (
        "import pathlib, sys, time\n"
        f"starts, room = pathlib.Path({str(starts)!r}), pathlib.Path({str(room)!r})\n"
        "starts.open('a').write('.')\n"
        "if not room.exists(): sys.exit('could not write to file: No space left on device')\n"
        "room.write_text('used'); time.sleep(600)"
    )
    supervisor.add(_program(state, "server", script))
    supervisor.run_until(lambda: len(starts.read_text()) > 6 if starts.exists() else False, "the starts", within=60)
    room.touch()
    supervisor.run_until(lambda: room.read_text() == "used", "the server", within=20)


def test_process_that_ends_silently_on_a_full_disk_is_restarted(state: StateFolder, supervisor: Supervisor) -> None:
    deadline = time.monotonic() + 12

    def is_long_over() -> bool:
        return time.monotonic() > deadline

    with no_room_in_files():
        supervisor.add(_program(state, "server", "import sys; open('/dev/null'); sys.exit(1)"))
        supervisor.run_until(is_long_over, "the sixth end", within=60)
    with pytest.raises(StackError, match="server does not stay up"):
        supervisor.run_until(lambda: False, "nothing", within=30)


def test_launcher_continues_while_it_cannot_write_files(state: StateFolder, supervisor: Supervisor) -> None:
    supervisor.add(_program(state, "worker", _SLEEPS))
    killed = _pid(state, "worker")
    assert killed is not None
    with no_room_in_files():
        supervisor.add(_program(state, "another", _SLEEPS))
        os.kill(killed, signal.SIGKILL)
        supervisor.run_until(lambda: not _is_alive(killed), "the end of the worker", within=10)
    supervisor.run_until(_another_is_up(state, "worker", killed), "the next worker", within=10)
    assert _pid(state, "another") is not None


def test_unread_output_stops_no_process(state: StateFolder, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    done = tmp_path / "done"
    script = (
        f"import pathlib, time; [print('x' * 1000) for _ in range(20_000)]; pathlib.Path({str(done)!r}).touch();"
        " time.sleep(600)"
    )
    supervisor = Supervisor(state, Shutdown(parent=None), LogWriter(writing))
    try:
        supervisor.add(_program(state, "worker", script))
        supervisor.run_until(done.exists, "the worker", within=20)
    finally:
        supervisor.stop()
        # The writing end stays open: a writer that still has lines must not meet another file under its number.
        os.close(reading)


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
