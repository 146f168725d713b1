"""A program that the launcher runs as its child, and the one way to start it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from deploy.local import exec_with_parent_death_signal
from deploy.local.errors import StillRunningError
from deploy.local.file_lock import try_lock, write_owner
from deploy.local.unprivileged_account import Account


@dataclass(frozen=True, slots=True)
class StopStep:
    """A signal, and how long the program has to leave before the next one is tried."""

    signal: signal.Signals
    seconds: float


@dataclass(frozen=True, slots=True)
class ProcessSpec:
    """What to run and how it ends; the first stop signal is also what it gets when the launcher dies."""

    name: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(repr=False)
    lock_file: Path
    stop_steps: tuple[StopStep, ...]
    account: Account | None = None
    folder: Path = Path("/")


def launch(program: ProcessSpec, output: int) -> subprocess.Popen[bytes]:
    """Start the program in a session of its own, so that Ctrl-C at the terminal reaches the launcher alone.

    Must be called on a thread that lives as long as the launcher: the parent-death signal is tied to the thread.
    Raises StillRunningError while processes of an earlier start of the same program are alive.
    """
    lock = try_lock(program.lock_file)
    if lock is None:
        raise StillRunningError(f"an earlier {program.name} is still running")
    try:
        process = subprocess.Popen(
            _tied(program.stop_steps[0].signal, program.account, program.folder, program.arguments),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=dict(program.environment),
            start_new_session=True,
            pass_fds=(lock,),
        )
        write_owner(lock, process.pid)
        return process
    finally:
        # The child has the lock now; closing our descriptor leaves it held.
        os.close(lock)


def run_briefly(arguments: tuple[str, ...], account: Account | None, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a short program to its end under the account, with a bare environment, and capture its output."""
    return subprocess.run(
        _tied(signal.SIGKILL, account, folder, arguments),
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
    """Tell whether the account can reach and enter the folder, by trying."""
    return run_briefly((), account, folder).returncode == 0


def bare_environment() -> dict[str, str]:
    """Give what a C program needs and no more: nothing of ours leaks into a server's environment."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"}


def stop_together(processes: Sequence[tuple[ProcessSpec, subprocess.Popen[bytes]]]) -> None:
    """Ask the processes to leave at the same time, ever more firmly; at last kill them and all they started."""
    for number in range(max((len(program.stop_steps) for program, _ in processes), default=0)):
        deadlines = []
        for program, process in processes:
            if number < len(program.stop_steps) and process.poll() is None:
                process.send_signal(program.stop_steps[number].signal)
                deadlines.append((process, time.monotonic() + program.stop_steps[number].seconds))
        for process, deadline in deadlines:
            with suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, deadline - time.monotonic()))
    for _, process in processes:
        kill_group(process)


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill -9 the process and everything in its session."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _tied(
    death_signal: signal.Signals, account: Account | None, folder: Path, arguments: tuple[str, ...]
) -> tuple[str, ...]:
    return (
        *(sys.executable, "-I", "-S", exec_with_parent_death_signal.__file__),
        *(str(int(death_signal)), str(os.getpid())),
        *(f"{account.user}:{account.group}" if account else "-", str(folder)),
        *arguments,
    )
