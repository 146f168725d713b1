"""The gunicorn server of management around a few lines of WSGI, as a process: only the server is tested.

Arguments: port, limit of connections, limit of open files, seconds for a stop.
"""

import resource
import sys
from collections.abc import Mapping
from pathlib import Path
from time import monotonic, sleep
from unittest.mock import patch
from wsgiref.types import StartResponse, WSGIEnvironment

from gunicorn.app.base import BaseApplication
from pydantic import SecretStr

from common.errors import MalformedBodyError, RequestError
from common.logging import configure_logging
from management_api import server
from management_api.settings import ManagementSettings

LARGE = 8 * 1024 * 1024
_HELD: list[object] = []


def application(environ: WSGIEnvironment, start: StartResponse) -> list[bytes]:
    """Answer: /large with 8 MiB, /wait/<file> once that file exists, /count with the length of the body.

    /hold opens files until no descriptor is free, and /release closes them. /user names the user of the credential.
    """
    path = environ["PATH_INFO"]
    body = b"ok"
    if path.startswith("/wait"):
        body = _when_it_exists(Path(path.removeprefix("/wait")))
    elif path == "/large":
        body = b"x" * LARGE
    elif path == "/count":
        body = b"%d" % len(environ["wsgi.input"].read())
    elif path == "/hold":
        _hold_descriptors()
    elif path == "/user":
        environ["gunicorn.socket"].user_id = "alice"
    elif path == "/release":
        _HELD.clear()
    start("200 OK", [("Content-Length", str(len(body)))])
    return [body]


def _when_it_exists(file: Path) -> bytes:
    file.with_suffix(".begun").touch()
    deadline = monotonic() + 60
    while not file.exists() and monotonic() < deadline:
        sleep(0.01)
    return b"ok"


def _hold_descriptors() -> None:
    try:
        while True:
            _HELD.append(Path(__file__).open("rb"))  # noqa: SIM115 - closed when the list is emptied
    except OSError:
        return


def _reject_malformed(_address: str) -> tuple[RequestError, Mapping[str, str]]:
    return MalformedBodyError("malformed"), {}


def _make_application(_settings: ManagementSettings) -> server.WorkerApplication:
    return server.WorkerApplication(application, _reject_malformed)


def main() -> None:
    """Serve until SIGTERM."""
    port, connections, files, stop = map(int, sys.argv[1:])
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    settings = ManagementSettings(
        management_threads=2,
        master_key=SecretStr("A" * 43 + "="),
        assignment_keys=SecretStr("A" * 43 + "="),
        database_url=SecretStr("postgresql://nowhere/nothing"),
        identity_issuer="https://identity.test",
        identity_audience="onboarding",
    )
    configure_logging(settings, "management")
    with patch.object(server, "MAX_CONNECTIONS", connections), patch.object(server, "STOP_SECONDS", stop):
        listener = server.listen_on("127.0.0.1", port)
        served: BaseApplication = server.ManagementServer(settings, listener, _make_application)
        served.run()


if __name__ == "__main__":
    main()
