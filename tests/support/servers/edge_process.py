"""The edge with its workers as child processes of a test, which sends them signals and restarts them on one port."""

import os
import signal
import subprocess
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil

from deploy.local.loopback_ports import LOOPBACK, free_port
from tests.support.data.assignment_keys import ASSIGNMENT_KEYS
from tests.support.polling import eventually
from tests.support.rate_limits import HIGH_LIMIT_VARIABLES
from tests.support.servers.release import THIS_RELEASE, Release

_START_SECONDS = 60.0
_STOP_SECONDS = 30.0
_MAX_CONNECTIONS = 400
#: Logged when a replacement does not start and the former workers stay.
RESTART_GIVEN_UP = "restart_given_up"
_PROGRAM = """
from common.logging import configure_logging
from edge_api.settings import EdgeSettings
from common.settings.sources import read_settings
from edge_api.main import serve
settings = read_settings(EdgeSettings)
configure_logging(settings, "edge")
serve(settings)
"""


class StartedEdge:
    """A context manager. `settings` are named as in the settings class; limits are high unless given."""

    def __init__(
        self,
        redis_url: str,
        folder: Path,
        release: Release = THIS_RELEASE,
        /,
        *,
        workers: int = 4,
        program: str = _PROGRAM,
        **settings: str,
    ) -> None:
        self.port = free_port()
        self.log_file = folder / "edge.log"
        self._workers = workers
        self._command = [release.python, "-P", "-c", program]
        variables = {
            **HIGH_LIMIT_VARIABLES,
            "EDGE_PORT": str(self.port),
            "ONBOARDING_REDIS_URL": redis_url,
            "ONBOARDING_ASSIGNMENT_KEYS": ASSIGNMENT_KEYS,
            "ONBOARDING_EDGE_WORKERS": str(workers),
            # Tests of the metrics set a port of their own.
            "ONBOARDING_EDGE_METRICS_PORT": "0",
            # On a busy machine a request comes long after its connection.
            "ONBOARDING_EDGE_HEADER_TIMEOUT_SECONDS": "60",
            **{f"ONBOARDING_{name.upper()}": value for name, value in settings.items()},
        }
        self._environment = release.environment(variables)
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None and self._process.poll() is None:
            self.terminate()

    @property
    def url(self) -> str:
        """The base URL of the edge."""
        return f"http://{LOOPBACK}:{self.port}"

    @property
    def log(self) -> str:
        """The output of its processes so far."""
        return self.log_file.read_text(errors="replace")

    def start(self) -> None:
        """Start the edge and wait until all workers exist and it is ready."""
        with self.log_file.open("ab") as log:
            self._process = subprocess.Popen(self._command, env=self._environment, stdout=log, stderr=log)  # noqa: S603 - our own program
        try:
            eventually(self._serves, within=_START_SECONDS)
        except BaseException:
            self.kill()
            raise

    @property
    def pid(self) -> int:
        """The process id of the arbiter."""
        return self._arbiter.pid

    def workers(self) -> set[int]:
        """Return the ids of all worker processes, including those that start or stop."""
        return set(_children_of(self._arbiter.pid))

    def has_all_workers(self) -> bool:
        """Return whether there are exactly as many workers as configured."""
        return len(self.workers()) == self._workers

    def terminate(self) -> int:
        """Send SIGTERM and return the exit status."""
        return self._stop(signal.SIGTERM)

    def interrupt(self) -> int:
        """Send SIGINT and return the exit status."""
        return self._stop(signal.SIGINT)

    def kill(self) -> None:
        """Send SIGKILL to all processes, as the end of a container does."""
        workers = [psutil.Process(pid) for pid in self.workers()] if self._arbiter.poll() is None else []
        self._arbiter.kill()
        for worker in workers:
            worker.kill()
        self._arbiter.wait(_STOP_SECONDS)
        psutil.wait_procs(workers, _STOP_SECONDS)

    def kill_arbiter(self) -> None:
        """Send SIGKILL to the arbiter, and to no worker."""
        self._arbiter.kill()
        self._arbiter.wait(_STOP_SECONDS)

    def rolling_restart(self) -> None:
        """Replace all workers, and wait until the former ones have ended."""
        before = self.workers()
        given_up = self.log.count(RESTART_GIVEN_UP)
        self.begin_rolling_restart()

        def are_replaced() -> bool:
            nonlocal given_up
            if self.log.count(RESTART_GIVEN_UP) > given_up:
                # A worker did not start in time on a busy machine: repeat the signal, as an operator would.
                given_up += 1
                self.begin_rolling_restart()
            return self.has_all_workers() and not before & self.workers()

        eventually(are_replaced, within=_START_SECONDS * self._workers)

    def begin_rolling_restart(self) -> None:
        """Send SIGHUP, which replaces one worker after the other."""
        self._arbiter.send_signal(signal.SIGHUP)

    def kill_a_worker(self) -> int:
        """Send SIGKILL to one worker and return its process id."""
        victim = min(self.workers())
        os.kill(victim, signal.SIGKILL)
        return victim

    def connections(self, of_each_worker: int) -> list[HTTPConnection]:
        """Open the same number of connections to every worker.

        No response names its worker; /proc names the process of a socket.
        """
        opened: list[HTTPConnection] = []
        try:
            while True:
                owners = self._owners()
                chosen = [
                    connection
                    for worker in self.workers()
                    for connection in _owned(opened, owners, worker)[:of_each_worker]
                ]
                if len(chosen) == of_each_worker * self._workers:
                    break
                assert len(opened) < _MAX_CONNECTIONS, "a worker accepts no connection"
                opened.extend(connected(self.port) for _ in range(self._workers))
        except BaseException:
            chosen = []
            raise
        finally:
            for connection in opened:
                if connection not in chosen:
                    connection.close()
        return chosen

    def _stop(self, number: signal.Signals) -> int:
        self._arbiter.send_signal(number)
        return self._arbiter.wait(_STOP_SECONDS)

    @property
    def _arbiter(self) -> subprocess.Popen[bytes]:
        assert self._process is not None
        return self._process

    def _serves(self) -> bool:
        if self._arbiter.poll() is not None:
            raise RuntimeError(f"the edge ended with {self._arbiter.returncode}: {self.log[-2000:]}")
        return self.has_all_workers() and is_ready(self.port)

    def _owners(self) -> dict[int, int]:
        """Return the worker that accepted each connection, by the client's port."""
        return {
            connection.raddr.port: worker
            for worker in self.workers()
            for connection in psutil.Process(worker).net_connections("tcp")
            if connection.raddr
        }


def is_ready(port: int) -> bool:
    """Return whether the edge on that port reports that it is ready."""
    connection = HTTPConnection(LOOPBACK, port, timeout=5)
    try:
        connection.request("GET", "/health/ready")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def connected(port: int) -> HTTPConnection:
    """Open a connection that is kept alive."""
    connection = HTTPConnection(LOOPBACK, port, timeout=20)
    connection.connect()
    return connection


def _owned(opened: list[HTTPConnection], owners: dict[int, int], worker: int) -> list[HTTPConnection]:
    return [connection for connection in opened if owners.get(connection.sock.getsockname()[1]) == worker]


def _children_of(process: int) -> list[int]:
    try:
        # psutil reads all processes of the machine for this, which is slow many times a second.
        return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return [child.pid for child in psutil.Process(process).children()]
