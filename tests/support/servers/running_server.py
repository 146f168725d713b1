"""A real PostgreSQL or Valkey for tests, started by the code that starts the local stack's."""

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
    """What PostgresqlServer and ValkeyServer have in common."""

    @property
    def name(self) -> str: ...
    @property
    def url(self) -> str: ...
    def spec(self) -> ProcessSpec: ...
    def is_ready(self) -> bool: ...


class RunningServer:
    """A handle for tests that need the server to die and come back; it comes back at the same URL with its data."""

    def __init__(self, server: Server, log_file: Path) -> None:
        self._server = server
        self._spec = server.spec()
        self._log_file = log_file
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it listens."""
        return self._server.url

    @property
    def pid(self) -> int:
        """The process to send signals to."""
        assert self._process is not None
        return self._process.pid

    def start(self, *, within: float = 30) -> None:
        """Start it and wait until it answers."""
        with self._log_file.open("ab") as log:
            self._process = eventually(lambda: _launched(self._spec, log.fileno()), within=within)
        eventually(self._answers, within=within)

    def kill(self) -> None:
        """Kill -9 it."""
        assert self._process is not None
        kill_group(self._process)

    def wait(self) -> None:
        """Wait for its end, which the test has brought about."""
        assert self._process is not None
        self._process.wait(30)

    def stop(self) -> None:
        """Stop it in its own orderly way; it may be dead already."""
        if self._process is not None:
            stop_together([(self._spec, self._process)])

    def _answers(self) -> None:
        assert self._process is not None
        # A dead server never answers: say why at once instead of waiting for the deadline.
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
