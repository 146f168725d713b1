"""One process under supervision, which is restarted when it ends, unless it ends again and again."""

import signal
import subprocess
import time

from deploy.local.errors import StackError, StillRunningError
from deploy.local.log_prefix import ProcessOutput
from deploy.local.log_writer import LogWriter
from deploy.local.process_spec import ProcessSpec, launch
from deploy.local.state_folder import has_room

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
