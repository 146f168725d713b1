"""The management service as a child of a test: gunicorn, started by its entry point, reached over HTTP."""

import contextlib
import json
import os
import signal
import socket
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from deploy.local.loopback_ports import LOOPBACK, free_port
from tests.support.clients.token_issuer import AUDIENCE, ISSUER
from tests.support.data.assignment_keys import ASSIGNMENT_KEYS
from tests.support.polling import eventually
from tests.support.servers.release import THIS_RELEASE, Release

PROGRAM = (
    "from common.settings.sources import read_settings\n"
    "from management_api.settings import ManagementSettings\n"
    "from common.logging import configure_logging\n"
    "from management_api.main import serve\n"
    "settings = read_settings(ManagementSettings)\n"
    "configure_logging(settings, 'management')\n"
    "serve(settings)\n"
)


class ServiceProcess:
    """A running service; `stop` returns its exit status."""

    def __init__(self, environment: dict[str, str], log_file: Path, release: Release = THIS_RELEASE) -> None:
        self.port = int(environment["MANAGEMENT_PORT"])
        self.log_file = log_file
        own = {**environment, "PYTHONPATH": str(release.sources)}
        with log_file.open("ab") as log:
            self._process = subprocess.Popen([release.python, "-P", "-c", PROGRAM], env=own, stdout=log, stderr=log)  # noqa: S603 - our own program

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_until_ready(self) -> None:
        """Wait until it serves."""
        eventually(self._is_ready, within=90)

    def stop(self) -> int:
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(timeout=90)

    def call(
        self, method: str, path: str, body: Iterable[bytes] | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any]:
        """Return the status and the JSON of a response; a body that is an iterator is sent in chunks."""
        with contextlib.closing(HTTPConnection(LOOPBACK, self.port, timeout=20)) as connection:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response.status, json.loads(response.read())

    def log_lines(self) -> list[dict[str, Any]]:
        """Return the log, each line of which must be JSON."""
        return [json.loads(line) for line in self.log_file.read_text().splitlines()]

    def send_raw(self, sent: bytes) -> bytes:
        """Send raw bytes, and return the response up to the end of the connection."""
        with socket.create_connection((LOOPBACK, self.port), timeout=20) as connection:
            connection.sendall(sent)
            return b"".join(iter(lambda: connection.recv(65536), b""))

    def _is_ready(self) -> bool:
        with contextlib.suppress(OSError):
            return self.call("GET", "/health/ready")[0] == 200
        return False


def service_environment(database_url: str, master_key: str, folder: Path, **settings: str) -> dict[str, str]:
    """Return the environment of the service; `settings` are added with the prefix of variables."""
    named = {
        "database_url": database_url,
        "master_key": master_key,
        "assignment_keys": ASSIGNMENT_KEYS,
        "identity_issuer": ISSUER,
        "identity_audience": AUDIENCE,
        "rate_limits_enabled": "false",
        # Tests of the metrics set a port of their own.
        "management_metrics_port": "0",
        **settings,
    }
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "MANAGEMENT_PORT": str(free_port()),
        **{f"ONBOARDING_{name.upper()}": value for name, value in named.items()},
    }


@contextmanager
def running_service(environment: dict[str, str], folder: Path) -> Iterator[ServiceProcess]:
    """Run the service for the length of the block, which begins when it is ready."""
    process = ServiceProcess(environment, folder / "service.log")
    try:
        process.wait_until_ready()
        yield process
    finally:
        process.stop()
