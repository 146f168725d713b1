"""Keeps the stack's processes running, and stops them in the reverse of the order in which they were started."""

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
    """Runs on the main thread only: the parent-death signal of a child is tied to the thread that starts it."""

    def __init__(self, state: StateFolder, stop_signals: Shutdown, log: LogWriter | None = None) -> None:
        self._log = log or LogWriter(STANDARD_OUTPUT)
        self._state = state
        self._stop_signals = stop_signals
        self._groups: list[list[ManagedProcess]] = []
        self._noted: dict[str, int] = {}

    def add(self, *programs: ProcessSpec) -> None:
        """Start programs that belong together: they are stopped at the same time, before those added earlier."""
        self._groups.append([ManagedProcess(program, self._log) for program in programs])
        self._tick()

    def run_to_end(self, program: ProcessSpec) -> None:
        """Run a program that is meant to end. Raises StackError when it fails."""
        output = ProcessOutput(program.name, self._log)
        process = launch(program, subprocess.PIPE)
        output.follow(process)
        try:
            while process.poll() is None:
                self._tick()
        finally:
            stop_together([(program, process)])
        if process.returncode != 0:
            raise StackError(f"{program.name} failed: {output.last_line()}")

    def run_until(self, condition: Callable[[], bool], what: str, *, within: float) -> None:
        """Keep everything running until the condition holds. Raises StackError after `within` seconds."""
        deadline = time.monotonic() + within
        while not condition():
            if time.monotonic() > deadline:
                raise StackError(f"{what} did not come up within {within:.0f} s")
            self._tick()

    def run(self) -> None:
        """Keep everything running until a stop is asked for, which raises StopRequested."""
        while True:
            self._tick()

    def stop(self) -> None:
        """Stop everything, the last group first."""
        for group in reversed(self._groups):
            stop_together([(each.program, each.process) for each in group if each.process is not None])
        self._state.processes_file.unlink(missing_ok=True)
        self._log.close()

    def _tick(self) -> None:
        self._stop_signals.check()
        for group in self._groups:
            for each in group:
                each.tend()
        self._note_processes()
        time.sleep(_TICK_SECONDS)

    def _note_processes(self) -> None:
        running = {each.program.name: each.pid for group in self._groups for each in group if each.pid is not None}
        running["launcher"] = os.getpid()
        if running == self._noted:
            return
        try:
            replace_file(self._state.processes_file, json.dumps(running).encode())
        except OSError as error:
            if not is_full(error):
                raise
            # The next tick tries again.
        else:
            self._noted = running
