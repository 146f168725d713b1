"""One process under supervision: started, started again when it ends, given up when it cannot stay up."""

import signal
import subprocess
import time

from deploy.local.errors import StackError, StillRunningError
from deploy.local.log_prefix import ProcessOutput
from deploy.local.log_writer import LogWriter
from deploy.local.process_spec import ProcessSpec, launch
from deploy.local.state_folder import has_room

#: A process that ends within this time of its start has not really come up.
_QUICK_SECONDS = 5.0
_QUICK_EXITS_ALLOWED = 4
_FIRST_PAUSE_SECONDS = 0.1
_LONGEST_PAUSE_SECONDS = 3.0
#: How long the remains of an earlier start (PostgreSQL's backends, say) may take to leave.
_REMAINS_SECONDS = 30.0


class ManagedProcess:
    """Knows when its process has to be started again. All times are monotonic seconds."""

    def __init__(self, program: ProcessSpec, log: LogWriter) -> None:
        self.program = program
        self.process: subprocess.Popen[bytes] | None = None
        self._output = ProcessOutput(program.name, log)
        self._quick_exits = 0
        self._started_at = 0.0
        self._start_at = 0.0
        self._waiting_since: float | None = None

    @property
    def pid(self) -> int | None:
        """The running process, if there is one."""
        return self.process.pid if self.process and self.process.returncode is None else None

    def tend(self) -> None:
        """Start the process if it is due; note its end. Raises StackError when it ends again and again."""
        now = time.monotonic()
        if self.process is not None and self.process.poll() is not None:
            self._note_exit(self.process.returncode, now)
            self.process = None
        if self.process is None and now >= self._start_at:
            self._start(now)

    def _start(self, now: float) -> None:
        try:
            process = launch(self.program, subprocess.PIPE)
        except StillRunningError:
            self._waiting_since = self._waiting_since or now
            if now - self._waiting_since > _REMAINS_SECONDS:
                raise
            return
        self._waiting_since = None
        self._started_at = now
        self.process = process
        self._output.follow(process)

    def _note_exit(self, code: int, now: float) -> None:
        quick = now - self._started_at < _QUICK_SECONDS
        if not quick:
            self._quick_exits = 0
        elif self._output.reports_full_disk() or not has_room(self.program.lock_file.parent):
            # It stays up as soon as there is room again. Not every server names the reason of its end.
            self._quick_exits = min(self._quick_exits + 1, _QUICK_EXITS_ALLOWED)
        elif code != -signal.SIGKILL:
            # A kill -9 came from outside and says nothing about the process; it shall come back however often.
            self._quick_exits += 1
        if self._quick_exits > _QUICK_EXITS_ALLOWED:
            raise StackError(f"{self.program.name} does not stay up: {self._output.last_line()}")
        pause = _FIRST_PAUSE_SECONDS * 2**self._quick_exits if quick else _FIRST_PAUSE_SECONDS
        self._start_at = now + min(pause, _LONGEST_PAUSE_SECONDS)
