"""Keeps the processes of the stack running, and stops them in the reverse order of their start.

A process that ends is restarted, unless it ends again and again.
"""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable

from cli.demo.files import replace_file
from deploy.local.errors import StackError, StillRunningError
from deploy.local.state_folder import StateFolder, has_room, is_full
from deploy.local.supervision.log_writer import STANDARD_OUTPUT, LogWriter, ProcessOutput
from deploy.local.supervision.process_spec import ProcessSpec, launch, stop_together
from deploy.local.supervision.shutdown import Shutdown

#: A process that ends within this time after its start has failed to start.
_QUICK_SECONDS = 5.0
_QUICK_EXITS_ALLOWED = 4
_FIRST_PAUSE_SECONDS = 0.1
_MAX_PAUSE_SECONDS = 3.0
#: The time for children of an earlier start, such as backends of PostgreSQL, to exit.
_EARLIER_START_SECONDS = 30.0


class ManagedProcess:
    """A process and the time of its next start. All times are monotonic seconds."""

    def __init__(self, spec: ProcessSpec, log: LogWriter) -> None:
        self.spec = spec
        self.process: subprocess.Popen[bytes] | None = None
        self._output = ProcessOutput(spec.name, log)
        self._quick_exits = 0
        self._started_at = 0.0
        self._start_at = 0.0
        self._waiting_since: float | None = None

    @property
    def pid(self) -> int | None:
        """The id of the running process, None without one."""
        return self.process.pid if self.process and self.process.returncode is None else None

    def update(self) -> None:
        """Start the process if it is due, and register its end. Raises StackError when it ends again and again."""
        now = time.monotonic()
        if self.process is not None and self.process.poll() is not None:
            self._register_exit(self.process.returncode, now)
            self.process = None
        if self.process is None and now >= self._start_at:
            self._start(now)

    def _start(self, now: float) -> None:
        try:
            process = launch(self.spec, subprocess.PIPE)
        except StillRunningError:
            self._waiting_since = self._waiting_since or now
            if now - self._waiting_since > _EARLIER_START_SECONDS:
                raise
            return
        self._waiting_since = None
        self._started_at = now
        self.process = process
        self._output.follow(process)

    def _register_exit(self, code: int, now: float) -> None:
        quick = now - self._started_at < _QUICK_SECONDS
        if not quick:
            self._quick_exits = 0
        elif self._output.reports_full_disk() or not has_room(self.spec.lock_file.parent):
            # It will run when the disk has room again. Not every server reports the reason of its end.
            self._quick_exits = min(self._quick_exits + 1, _QUICK_EXITS_ALLOWED)
        elif code != -signal.SIGKILL:
            # A SIGKILL came from outside, so the number of restarts is not limited.
            self._quick_exits += 1
        if self._quick_exits > _QUICK_EXITS_ALLOWED:
            raise StackError(f"{self.spec.name} does not stay up: {self._output.last_line()}")
        pause = _FIRST_PAUSE_SECONDS * 2**self._quick_exits if quick else _FIRST_PAUSE_SECONDS
        self._start_at = now + min(pause, _MAX_PAUSE_SECONDS)


_TICK_SECONDS = 0.05


class Supervisor:
    """Use it in the main thread only: the parent-death signal of a child is tied to the thread that starts it."""

    def __init__(self, state: StateFolder, shutdown: Shutdown, log: LogWriter | None = None) -> None:
        self._log = log or LogWriter(STANDARD_OUTPUT)
        self._state = state
        self._shutdown = shutdown
        self._groups: list[list[ManagedProcess]] = []
        self._written: dict[str, int] = {}

    def add(self, *specs: ProcessSpec) -> None:
        """Start a group of processes, which is stopped together, before the groups that were added earlier."""
        self._groups.append([ManagedProcess(spec, self._log) for spec in specs])
        self._tick()

    def run_to_end(self, spec: ProcessSpec) -> None:
        """Run a process that ends by itself. Raises StackError when it fails."""
        output = ProcessOutput(spec.name, self._log)
        process = launch(spec, subprocess.PIPE)
        output.follow(process)
        try:
            while process.poll() is None:
                self._tick()
        finally:
            stop_together([(spec, process)])
        if process.returncode != 0:
            raise StackError(f"{spec.name} failed: {output.last_line()}")

    def run_until(self, condition: Callable[[], bool], name: str, *, within: float) -> None:
        """Keep all processes running until the condition holds. Raises StackError after `within` seconds."""
        deadline = time.monotonic() + within
        while not condition():
            if time.monotonic() > deadline:
                raise StackError(f"{name} was not ready within {within:.0f} s")
            self._tick()

    def run(self) -> None:
        """Keep all processes running until a request to stop, which raises StopRequested."""
        while True:
            self._tick()

    def stop(self) -> None:
        """Stop all processes, the last group first."""
        for group in reversed(self._groups):
            stop_together([(managed.spec, managed.process) for managed in group if managed.process is not None])
        self._state.processes_file.unlink(missing_ok=True)
        self._log.close()

    def _tick(self) -> None:
        self._shutdown.check()
        for group in self._groups:
            for managed in group:
                managed.update()
        self._write_process_ids()
        time.sleep(_TICK_SECONDS)

    def _write_process_ids(self) -> None:
        running = {
            managed.spec.name: managed.pid for group in self._groups for managed in group if managed.pid is not None
        }
        running["launcher"] = os.getpid()
        if running == self._written:
            return
        try:
            replace_file(self._state.processes_file, json.dumps(running).encode())
        except OSError as error:
            if not is_full(error):
                raise
            # Retried at the next tick.
        else:
            self._written = running
