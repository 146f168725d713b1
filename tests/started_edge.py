"""The edge as a process with workers: started by its entry point, hurt by signals, started again on the same port."""

import os
import signal
import subprocess
import sys
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil

from deploy.local.loopback_ports import LOOPBACK, free_port
from tests.assignment_keys import ASSIGNMENT_KEYS
from tests.high_limits import HIGH_LIMIT_VARIABLES
from tests.polling import eventually

_START_SECONDS = 60.0
_STOP_SECONDS = 30.0
_MOST_CONNECTIONS = 400
#: What the supervisor says when it keeps the old workers because a new one was not ready.
_GIVEN_UP = "restart_given_up"
_PROGRAM = """
from common.logging import configure_logging
from edge_api.settings import EdgeSettings
from common.settings.sources import read_settings
from edge_api.server import serve
settings = read_settings(EdgeSettings)
configure_logging(settings, "edge")
serve(settings)
"""


class StartedEdge:
    """Use it as a context manager. `settings` are named as in the settings class; limits are high unless they say."""

    def __init__(
        self,
        redis_url: str,
        folder: Path,
        *,
        workers: int = 4,
        program: str = _PROGRAM,
        **settings: str,
    ) -> None:
        self.port = free_port()
        self.log_file = folder / "edge.log"
        self._workers = workers
        self._command = [sys.executable, "-c", program]
        own = {name: value for name, value in os.environ.items() if not name.startswith("ONBOARDING_")}
        self._environment = {
            **own,
            **HIGH_LIMIT_VARIABLES,
            "PYTHONPATH": str(Path(__file__).parents[1]),
            "EDGE_PORT": str(self.port),
            "ONBOARDING_REDIS_URL": redis_url,
            "ONBOARDING_ASSIGNMENT_KEYS": ASSIGNMENT_KEYS,
            "ONBOARDING_EDGE_WORKERS": str(workers),
            # Those that want to look name a port of their own.
            "ONBOARDING_EDGE_METRICS_PORT": "0",
            # A busy machine takes its time between a connection and its first request.
            "ONBOARDING_EDGE_HEADER_TIMEOUT_SECONDS": "60",
            **{f"ONBOARDING_{name.upper()}": value for name, value in settings.items()},
        }
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
        """Where it answers."""
        return f"http://{LOOPBACK}:{self.port}"

    @property
    def log(self) -> str:
        """What its processes have printed so far."""
        return self.log_file.read_text(errors="replace")

    def start(self) -> None:
        """Start it and wait until all workers are there and it answers."""
        with self.log_file.open("ab") as log:
            self._process = subprocess.Popen(self._command, env=self._environment, stdout=log, stderr=log)  # noqa: S603 - our own program
        try:
            eventually(self._serves, within=_START_SECONDS)
        except BaseException:
            self.kill()
            raise

    def workers(self) -> set[int]:
        """Give the processes that serve, now."""
        return {child for child in _children_of(self._supervisor.pid) if "spawn_main" in _command_of(child)}

    def has_all_workers(self) -> bool:
        """Tell whether there are as many workers as there should be."""
        return len(self.workers()) == self._workers

    def terminate(self) -> int:
        """Stop it in its orderly way and give its exit status."""
        self._supervisor.send_signal(signal.SIGTERM)
        return self._supervisor.wait(_STOP_SECONDS)

    def kill(self) -> None:
        """Kill -9 all its processes, as the end of a container does."""
        workers = [psutil.Process(pid) for pid in self.workers()] if self._supervisor.poll() is None else []
        self._supervisor.kill()
        for worker in workers:
            worker.kill()
        self._supervisor.wait(_STOP_SECONDS)
        psutil.wait_procs(workers, _STOP_SECONDS)

    def kill_the_supervisor(self) -> None:
        """Kill -9 the process that started the workers, and none of them."""
        self._supervisor.kill()
        self._supervisor.wait(_STOP_SECONDS)

    def restart_by_turns(self) -> None:
        """Replace one worker after the other, and wait until all are others."""
        before = self.workers()
        self.begin_restart_by_turns()
        given_up = self.log.count(_GIVEN_UP)

        def are_others() -> bool:
            nonlocal given_up
            if self.log.count(_GIVEN_UP) > given_up:
                # A machine on which a worker does not start in time; it is asked again, as an operator would.
                given_up += 1
                self._supervisor.send_signal(signal.SIGHUP)
            return self.has_all_workers() and not before & self.workers()

        eventually(are_others, within=_START_SECONDS * self._workers)

    def begin_restart_by_turns(self) -> None:
        """Have it replace one worker after the other from now on."""
        self._supervisor.send_signal(signal.SIGHUP)

    def kill_a_worker(self) -> int:
        """Kill -9 one worker and give its process."""
        victim = min(self.workers())
        os.kill(victim, signal.SIGKILL)
        return victim

    def connections(self, of_each_worker: int) -> list[HTTPConnection]:
        """Connect to every worker, so many times each.

        Which worker has taken a connection is nowhere in its answers; the system knows whose socket it is.
        """
        opened: list[HTTPConnection] = []
        try:
            while True:
                owners = self._owners()
                chosen = [one for worker in self.workers() for one in _owned(opened, owners, worker)[:of_each_worker]]
                if len(chosen) == of_each_worker * self._workers:
                    break
                assert len(opened) < _MOST_CONNECTIONS, "some worker takes no connection"
                opened.extend(connected(self.port) for _ in range(self._workers))
        except BaseException:
            chosen = []
            raise
        finally:
            for one in opened:
                if one not in chosen:
                    one.close()
        return chosen

    @property
    def _supervisor(self) -> subprocess.Popen[bytes]:
        assert self._process is not None
        return self._process

    def _serves(self) -> bool:
        if self._supervisor.poll() is not None:
            raise RuntimeError(f"the edge ended with {self._supervisor.returncode}: {self.log[-2000:]}")
        return self.has_all_workers() and is_ready(self.port)

    def _owners(self) -> dict[int, int]:
        """Give the worker that has accepted a connection, by the client's port."""
        return {
            connection.raddr.port: worker
            for worker in self.workers()
            for connection in psutil.Process(worker).net_connections("tcp")
            if connection.raddr
        }


def is_ready(port: int) -> bool:
    """Tell whether the edge on that port says that it can serve."""
    connection = HTTPConnection(LOOPBACK, port, timeout=5)
    try:
        connection.request("GET", "/health/ready")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def connected(port: int) -> HTTPConnection:
    """Open a connection that will be kept."""
    connection = HTTPConnection(LOOPBACK, port, timeout=20)
    connection.connect()
    return connection


def _owned(opened: list[HTTPConnection], owners: dict[int, int], worker: int) -> list[HTTPConnection]:
    return [one for one in opened if owners.get(one.sock.getsockname()[1]) == worker]


def _children_of(process: int) -> list[int]:
    try:
        # To look through all processes of a busy machine, many times a second, would cost more than what is tested.
        return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return [child.pid for child in psutil.Process(process).children()]


def _command_of(child: int) -> str:
    try:
        return " ".join(psutil.Process(child).cmdline())
    except psutil.Error:
        return ""
