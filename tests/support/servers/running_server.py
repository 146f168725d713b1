"""PostgreSQL and Valkey for tests, started by the code of the local stack."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from deploy.local.errors import StillRunningError
from deploy.local.state_folder import StateFolder
from deploy.local.supervision.process_spec import ProcessSpec, kill_group, launch, stop_together
from deploy.local.valkey_server import ValkeyServer
from tests.support.polling import eventually


class Server(Protocol):
    """The interface of PostgresqlServer and ValkeyServer."""

    @property
    def name(self) -> str: ...
    @property
    def url(self) -> str: ...
    def spec(self) -> ProcessSpec: ...
    def is_ready(self) -> bool: ...


class RunningServer:
    """A server that a test starts, kills and restarts; it keeps its URL and its data."""

    def __init__(self, server: Server, log_file: Path) -> None:
        self._server = server
        self._spec = server.spec()
        self._log_file = log_file
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The URL of the server."""
        return self._server.url

    @property
    def pid(self) -> int:
        """The process id."""
        assert self._process is not None
        return self._process.pid

    def start(self, *, within: float = 30) -> None:
        """Start the server and wait until it is ready."""
        with self._log_file.open("ab") as log:
            self._process = eventually(lambda: _launched(self._spec, log.fileno()), within=within)
        eventually(self._check_ready, within=within)

    def kill(self) -> None:
        """Send SIGKILL to the server and its child processes."""
        assert self._process is not None
        kill_group(self._process)

    def wait(self) -> None:
        """Wait for the end of the server."""
        assert self._process is not None
        self._process.wait(30)

    def stop(self) -> None:
        """Stop the server with its stop signals; it may have ended before."""
        if self._process is not None:
            stop_together([(self._spec, self._process)])

    def _check_ready(self) -> None:
        assert self._process is not None
        # Fail at once with the log instead of waiting for the deadline.
        if self._process.poll() is not None:
            raise RuntimeError(f"{self._server.name} ended: {self._log_file.read_text()[-2000:]}")
        assert self._server.is_ready()


def _launched(program: ProcessSpec, output: int) -> subprocess.Popen[bytes]:
    try:
        return launch(program, output)
    except StillRunningError as error:
        raise AssertionError(str(error)) from error


@contextmanager
def own_valkey(folder: Path) -> Iterator[RunningServer]:
    """Run a server on a folder for the length of the block."""
    state = StateFolder(folder)
    state.make()
    server = RunningServer(ValkeyServer(state), folder / "valkey.log")
    try:
        server.start()
        yield server
    finally:
        server.stop()
