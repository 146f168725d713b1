"""`onboarding flows` against the management service over HTTP, with the API key of a user."""

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import pytest
from structlog.testing import capture_logs

from cli.main import main
from deploy.local.loopback_ports import LOOPBACK
from tests.support.clients.management import Management, User, management_service
from tests.support.servers.wsgi_server import running_wsgi


@dataclass(frozen=True)
class Ended:
    """A command that has ended."""

    status: int
    output: str
    errors: str

    def succeeded(self) -> str:
        """Return the output of a command that must have succeeded."""
        assert (self.status, self.errors) == (0, ""), self
        return self.output

    def failed(self, status: int = 1) -> str:
        """Return the errors of a command that must have failed."""
        assert self.status == status, self
        assert all(line.startswith("onboarding: ") for line in self.errors.splitlines()), self
        return self.errors


Flows = Callable[..., Ended]


class Interception:
    """The service with something that happens at requests: an action before one, or a response that is lost."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app
        self._before: dict[tuple[str, str], Callable[[], object]] = {}
        self._lost: list[tuple[str, str]] = []
        #: The requests that are being executed.
        self.running: set[int] = set()

    def before(self, method: str, ending: str, action: Callable[[], object]) -> None:
        """Run an action before the next request whose path has this ending."""
        self._before[method, ending] = action

    def lose_responses(self, *requests: tuple[str, str]) -> None:
        """Execute the next of each of these requests, and respond with 502, as a gateway without the response."""
        self._lost.extend(requests)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        self.running.add(id(environ))
        try:
            return self._serve(environ, start_response)
        finally:
            self.running.discard(id(environ))

    def _serve(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        for (wanted, ending), action in list(self._before.items()):
            if wanted == method and path.endswith(ending):
                del self._before[wanted, ending]
                action()
        lost = next((request for request in self._lost if request[0] == method and path.endswith(request[1])), None)
        if lost is None:
            return self._app(environ, start_response)
        self._lost.remove(lost)
        b"".join(self._app(environ, lambda *_: lambda _: None))
        start_response("502 Bad Gateway", [])
        return [b"bad gateway"]


@dataclass(frozen=True)
class Environment:
    """The service with a user and two projects of theirs: development and production."""

    management: Management
    service: Interception
    url: str
    user: User
    development: str
    production: str
    api_key: str = field(repr=False)


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def _running_files(folder: Path) -> Iterator[str]:
    """Serve a folder as a public bucket does; yield the URL."""
    with ThreadingHTTPServer((LOOPBACK, 0), partial(_QuietHandler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://{LOOPBACK}:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def environment(database_url: str, master_key: str, tmp_path: Path) -> Iterator[Environment]:
    """Return the running service, a user and the projects."""
    with (
        # The service of the test's process logs to the standard output of the command otherwise.
        capture_logs(),
        _running_files(tmp_path / "media") as media_url,
        management_service(database_url, master_key, tmp_path, media_url=media_url) as management,
        running_wsgi(service := Interception(management.app)) as url,
    ):
        user = management.user("alice")
        development, production = (user.create_project(name)["id"] for name in ("Development", "Production"))
        yield Environment(management, service, url, user, development, production, user.api_key())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return the path of a folder that does not exist yet."""
    return tmp_path / "flows of the app"


@pytest.fixture
def flows(
    environment: Environment, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Flows:
    """Return a function that runs `onboarding flows COMMAND` on the folder and a project."""
    monkeypatch.setenv("COLUMNS", "200")

    def run(command: str, project_id: str, *options: str, folder: Path = root, **variables: str) -> Ended:
        arguments = ["flows", command, str(folder), "--project", project_id, *options]
        given = {"ONBOARDING_API_KEY": environment.api_key, "ONBOARDING_MANAGEMENT_URL": environment.url, **variables}
        status = 0
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["onboarding", *arguments])
            for name, value in given.items():
                patch.setenv(name, value)
            try:
                main()
            except SystemExit as ended:
                status = int(ended.code or 0)
        captured = capsys.readouterr()
        return Ended(status, captured.out, captured.err)

    return run
