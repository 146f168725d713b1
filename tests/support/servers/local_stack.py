"""A local stack as a child process of a test, started by `onboarding up`."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from cli.demo.identity import DevelopmentIdentity
from deploy.local.loopback_ports import free_port
from deploy.local.postgresql_server import PostgresqlServer, delete_data
from deploy.local.state_folder import StateFolder
from tests.support.polling import eventually
from tests.support.rate_limits import HIGH_LIMIT_VARIABLES

_START_SECONDS = 190.0
_STOP_SECONDS = 60.0
_METRICS_PORTS = {
    process: f"ONBOARDING_{process.upper()}_METRICS_PORT" for process in ("edge", "management", "publisher", "consumer")
}
#: Prefixes of variables that a stack does not inherit from the tests.
_EXCLUDED_PREFIXES = ("ONBOARDING_", "EDGE_PORT", "MANAGEMENT_PORT", "PYTEST_")


class RunningStack:
    """`onboarding up` on a state folder; a context manager, or used with `start` and `stop`.

    With the `ports` of a stack that another process started on the folder, it refers to that stack.
    """

    def __init__(
        self, folder: Path, environment: dict[str, str] | None = None, ports: dict[str, str] | None = None
    ) -> None:
        self.state_folder = folder / "state"
        self.ports = ports or {
            variable: str(free_port()) for variable in ("EDGE_PORT", "MANAGEMENT_PORT", *_METRICS_PORTS.values())
        }
        self.metrics_ports = {process: int(self.ports[variable]) for process, variable in _METRICS_PORTS.items()}
        self.log_file = folder / "stack.log"
        own = {name: value for name, value in os.environ.items() if not name.startswith(_EXCLUDED_PREFIXES)}
        self.environment = {
            **own,
            **self.ports,
            "ONBOARDING_STATE_DIR": str(self.state_folder),
            "PYTHONPATH": str(Path(__file__).parents[3]),
            **HIGH_LIMIT_VARIABLES,
            **(environment or {}),
        }
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException as error:
            self.__exit__(type(error), error, error.__traceback__)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        # As root below pytest's closed folder, the data lies outside the state folder.
        delete_data(StateFolder(self.state_folder))

    @property
    def edge_url(self) -> str:
        """The base URL of the edge."""
        return f"http://127.0.0.1:{self.ports['EDGE_PORT']}"

    @property
    def management_url(self) -> str:
        """The base URL of the management service."""
        return f"http://127.0.0.1:{self.ports['MANAGEMENT_PORT']}"

    @property
    def database_url(self) -> str:
        """The URL of the database."""
        server = PostgresqlServer(StateFolder(self.state_folder))
        assert server.load_port()
        return server.url

    @property
    def demo(self) -> dict[str, str]:
        """The content of `demo.json` (contract, section 6)."""
        return dict(json.loads((self.state_folder / "demo.json").read_text()))

    def token(self, email: str) -> str:
        """Return a JWT for an email address, as `make token` does."""
        return DevelopmentIdentity(StateFolder(self.state_folder).subfolder("identity")).token(email)

    @property
    def log(self) -> str:
        """The output of the stack and its processes so far."""
        return self.log_file.read_text(errors="replace") if self.log_file.exists() else ""

    def pid_of(self, name: str) -> int:
        """Wait until a process runs, and return its id; the names are those of :meth:`pids`."""
        return eventually(lambda: self.pids().get(name))

    def pids(self) -> dict[str, int]:
        """Return the ids of edge, management, publisher, consumer, postgresql, valkey and launcher, if they run."""
        file = self.state_folder / "processes.json"
        try:
            return dict(json.loads(file.read_text()))
        except FileNotFoundError:
            return {}

    def kill(self, name: str) -> int:
        """Send SIGKILL to a process and return its id; the stack restarts it."""
        assert self._process is not None, "the tests of all workers use this stack"

        def killed() -> int | None:
            pid = self.pid_of(name)
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                # The process was killed before, and the stack has not restarted it yet.
                return None
            return pid

        return eventually(killed)

    def launch(self) -> subprocess.Popen[bytes]:
        """Start the stack without waiting for it."""
        with self.log_file.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "cli.main", "up"],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        return self._process

    def start(self) -> None:
        """Start the stack and wait until it is ready."""
        seen = len(self.log)
        process = self.launch()
        eventually(lambda: process.poll() is not None or "\nready\n" in self.log[seen:], within=_START_SECONDS)
        if process.poll() is not None:
            raise RuntimeError(f"the stack ended with {process.returncode}: {self.log[-4000:]}")

    def stop(self) -> int | None:
        """Send SIGTERM and return the exit status, None without a process."""
        if self._process is None:
            return None
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        return self.wait()

    def wait(self) -> int:
        """Return the exit status of the launcher. After a timeout kill it and raise TimeoutExpired."""
        assert self._process is not None
        try:
            return self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise
