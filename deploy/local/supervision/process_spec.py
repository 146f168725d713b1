"""A process that the launcher runs as its child: its command, its start and its end."""

import importlib.util
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from deploy.local.errors import StackError, StillRunningError
from deploy.local.supervision import exec_with_parent_death_signal
from deploy.local.supervision.file_lock import try_lock, write_owner


@dataclass(frozen=True, slots=True)
class Account:
    """A user and a group that a process runs as."""

    user: int
    group: int


@dataclass(frozen=True, slots=True)
class StopStep:
    """A signal, and the time for the process to exit before the next step."""

    signal: signal.Signals
    seconds: float


@dataclass(frozen=True, slots=True)
class ProcessSpec:
    """The command of a process, and the steps that stop it. It gets the first signal also when the launcher dies."""

    name: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(repr=False)
    lock_file: Path
    stop_steps: tuple[StopStep, ...]
    account: Account | None = None
    folder: Path = Path("/")


def launch(spec: ProcessSpec, output: int) -> subprocess.Popen[bytes]:
    """Start the process in a session of its own, so that Ctrl-C at the terminal reaches only the launcher.

    Must run on a thread that lives as long as the launcher, because the parent-death signal is tied to the thread.
    Raises StillRunningError while processes of an earlier start are alive.
    """
    lock = try_lock(spec.lock_file)
    if lock is None:
        raise StillRunningError(f"an earlier {spec.name} is still running")
    try:
        process = subprocess.Popen(
            _with_parent_death_signal(spec.stop_steps[0].signal, spec.account, spec.folder, spec.arguments),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=dict(spec.environment),
            start_new_session=True,
            pass_fds=(lock,),
        )
        write_owner(lock, process.pid)
        return process
    finally:
        # The child has inherited the lock; closing this descriptor does not release it.
        os.close(lock)


def run_briefly(arguments: tuple[str, ...], account: Account | None, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a short command to its end as the account, with a minimal environment, and capture its output."""
    return subprocess.run(
        _with_parent_death_signal(signal.SIGKILL, account, folder, arguments),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=bare_environment(),
        text=True,
        errors="replace",
        check=False,
        start_new_session=True,
    )


def can_enter(folder: Path, account: Account) -> bool:
    """Return whether the account can enter the folder, by trying."""
    return run_briefly((), account, folder).returncode == 0


def package_folder(name: str) -> Path:
    """Return the folder of an installed package without importing it, because wheels of servers run code at import.

    Raises StackError when it is not installed.
    """
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None:
        raise StackError(f"the package {name} is not installed; the servers of the local stack are the extra `local`")
    return Path(found.origin).parent


def bare_environment() -> dict[str, str]:
    """Return the variables that a C program needs; settings of the stack must not reach a server."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"}


def stop_together(processes: Sequence[tuple[ProcessSpec, subprocess.Popen[bytes]]]) -> None:
    """Send each stop signal to all processes and wait for them; at last kill them with all their children."""
    for number in range(max((len(spec.stop_steps) for spec, _ in processes), default=0)):
        deadlines = []
        for spec, process in processes:
            if number < len(spec.stop_steps) and process.poll() is None:
                process.send_signal(spec.stop_steps[number].signal)
                deadlines.append((process, time.monotonic() + spec.stop_steps[number].seconds))
        for process, deadline in deadlines:
            with suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, deadline - time.monotonic()))
    for _, process in processes:
        kill_group(process)


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Send SIGKILL to the process and all processes of its session."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _with_parent_death_signal(
    death_signal: signal.Signals, account: Account | None, folder: Path, arguments: tuple[str, ...]
) -> tuple[str, ...]:
    return (
        *(sys.executable, "-I", "-S", exec_with_parent_death_signal.__file__),
        *(str(int(death_signal)), str(os.getpid())),
        *(f"{account.user}:{account.group}" if account else "-", str(folder)),
        *arguments,
    )
