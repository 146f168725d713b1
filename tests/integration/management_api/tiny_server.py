"""Our gunicorn around a few lines of WSGI, as a process: what is tried is the server, not the service.

Arguments: port, most connections, seconds for a request, megabytes that may be held for clients, seconds for a stop.
"""

import sys
from pathlib import Path
from time import monotonic, sleep
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from gunicorn.app.base import BaseApplication
from pydantic import SecretStr

from common.logging import configure_logging
from management_api import gunicorn_server
from management_api.gunicorn_server import RefusingWorker, ThreadedServer, listen_on
from management_api.routes.unreadable_requests import UNREADABLE
from management_api.settings import ManagementSettings

LARGE = 8 * 1024 * 1024


def application(environ: WSGIEnvironment, start: StartResponse) -> list[bytes]:
    """Answer: /large with much, /wait/<file> once that file exists, /count with the length of the body."""
    path = environ["PATH_INFO"]
    answer = b"ok"
    if path == "/large":
        answer = b"x" * LARGE
    elif path.startswith("/wait"):
        answer = _when_it_exists(Path(path.removeprefix("/wait")))
    elif path == "/count":
        answer = b"%d" % len(environ["wsgi.input"].read())
    start("400 Bad Request" if path == UNREADABLE else "200 OK", [("Content-Length", str(len(answer)))])
    return [answer]


def _when_it_exists(file: Path) -> bytes:
    file.with_suffix(".begun").touch()
    deadline = monotonic() + 60
    while not file.exists() and monotonic() < deadline:
        sleep(0.01)
    return b"ok"


def _make_application(_settings: ManagementSettings) -> WSGIApplication:
    return application


def main() -> None:
    """Serve until SIGTERM."""
    port, connections, seconds, megabytes, stop = sys.argv[1:]
    settings = ManagementSettings(
        management_threads=2,
        master_key=SecretStr("A" * 43 + "="),
        assignment_keys=SecretStr("A" * 43 + "="),
        database_url=SecretStr("postgresql://nowhere/nothing"),
        identity_issuer="https://identity.test",
        identity_audience="onboarding",
    )
    configure_logging(settings, "management")
    gunicorn_server.MAX_CONNECTIONS = int(connections)
    gunicorn_server.STOP_SECONDS = int(stop)
    RefusingWorker.request_seconds = float(seconds)
    RefusingWorker.max_held_bytes = int(megabytes) * 1024 * 1024
    server: BaseApplication = ThreadedServer(settings, listen_on("127.0.0.1", int(port)), _make_application)
    server.run()


if __name__ == "__main__":
    main()
