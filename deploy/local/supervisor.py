"""Keeps the processes of the stack running, and stops them in the reverse order of their start."""

import json
import os
import subprocess
import time
from collections.abc import Callable

from deploy.local.errors import StackError
from deploy.local.log_prefix import ProcessOutput
from deploy.local.log_writer import STANDARD_OUTPUT, LogWriter
from deploy.local.managed_process import ManagedProcess
from deploy.local.process_spec import ProcessSpec, launch, stop_together
from deploy.local.shutdown import Shutdown
from deploy.local.state_folder import StateFolder, is_full, replace_file

_TICK_SECONDS = 0.05


class Supervisor:
    """Use it in the main thread only: the parent-death signal of a child is tied to the thread that starts it."""

    def __init__(self, state: StateFolder, stop_signals: Shutdown, log: LogWriter | None = None) -> None:
        self._log = log or LogWriter(STANDARD_OUTPUT)
        self._state = state
        self._stop_signals = stop_signals
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
        self._stop_signals.check()
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
