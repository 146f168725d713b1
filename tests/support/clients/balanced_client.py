"""A caller of several instances of a service, who does what a balancer does while they are replaced, and no more.

An instance that does not listen is passed over: nothing has been sent to it. A request on a connection that was kept
and that the service has closed meanwhile is sent again on a new one. Everything else is an answer, or a failure.
"""

import json
from collections.abc import Sequence
from contextlib import ExitStack
from http.client import HTTPConnection, RemoteDisconnected
from typing import Any, Self

from deploy.local.loopback_ports import LOOPBACK

_SECONDS = 30.0


class BalancedCaller:
    """One connection to each instance, used by turns; a context manager that closes them."""

    def __init__(self, ports: Sequence[int], headers: dict[str, str]) -> None:
        self._ports = list(ports)
        self._headers = headers
        self._kept: dict[int, HTTPConnection] = {}
        #: How often a kept connection was found closed, and how often an instance was not there.
        self.closed = 0
        self.passed_over = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        with ExitStack() as stack:
            for connection in self._kept.values():
                stack.callback(connection.close)

    def call(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
        """Return status and JSON of the answer. Raises OSError or HTTPException when there is none."""
        status, content, _ = self.call_with_tag(method, path, body, **headers)
        return status, content

    def call_with_tag(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, Any, str]:
        """Do the same as :meth:`call`, and return the entity tag too, empty without one."""
        sent = json.dumps(body) if body is not None else None
        type_of = {"Content-Type": "application/json"} if body is not None else {}
        given = {**self._headers, **type_of, **{name.replace("_", "-"): value for name, value in headers.items()}}
        # The next in turn comes first.
        self._ports.append(self._ports.pop(0))
        for port in [*self._ports, *self._ports]:
            try:
                return self._ask(port, method, path, sent, given)
            except ConnectionRefusedError:
                self.passed_over += 1
        raise ConnectionRefusedError("no instance listens")

    def _ask(
        self, port: int, method: str, path: str, body: str | None, headers: dict[str, str]
    ) -> tuple[int, Any, str]:
        kept = self._kept.pop(port, None)
        if kept is not None:
            try:
                return self._exchange(port, kept, method, path, body, headers)
            except (RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                kept.close()
                self.closed += 1
        fresh = HTTPConnection(LOOPBACK, port, timeout=_SECONDS)
        fresh.connect()
        return self._exchange(port, fresh, method, path, body, headers)

    def _exchange(
        self, port: int, connection: HTTPConnection, method: str, path: str, body: str | None, headers: dict[str, str]
    ) -> tuple[int, Any, str]:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
        if answer.will_close:
            connection.close()
        else:
            self._kept[port] = connection
        return answer.status, json.loads(content), answer.headers.get("ETag", "")
