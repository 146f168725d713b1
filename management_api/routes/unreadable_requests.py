"""What is not even HTTP is found by the server and answered by the application, so that it is counted like all else."""

import io
import sys
from collections.abc import Callable
from typing import Any, NoReturn
from wsgiref.types import WSGIApplication, WSGIEnvironment

import falcon

from common.errors import MalformedBodyError

#: Stands for the path that could not be read; without a slash in front it is none that anything is found under.
UNREADABLE = "unreadable"


def refuse_what_is_unreadable(req: falcon.Request, resp: falcon.Response, **_groups: str | None) -> NoReturn:
    """Answer in the place of a resource. Raises MalformedBodyError."""
    del req, resp  # There is nothing to read, and the error says it all.
    raise MalformedBodyError("The request is not well-formed HTTP")


def answer_to_unreadable(application: WSGIApplication, address: str) -> bytes:
    """Ask the application in the name of a client of whom only the address is known, and give what to send."""
    head: list[str] = []

    def start(status: str, headers: list[tuple[str, str]], _failure: Any = None, /) -> Callable[[bytes], object]:  # noqa: ANN401 - WSGI's signature
        head.extend((f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in headers), "Connection: close"))
        return _write_nothing

    body = b"".join(application(_unreadable_request(address), start))
    return "\r\n".join((*head, "", "")).encode("latin-1") + body


def _write_nothing(_data: bytes) -> None:
    """Stand for WSGI's old way to send a body, which no application of ours uses."""


def _unreadable_request(address: str) -> WSGIEnvironment:
    return {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": "",
        "PATH_INFO": UNREADABLE,
        "QUERY_STRING": "",
        "SERVER_NAME": "",
        "SERVER_PORT": "",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": address,
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
