"""A client of several instances of a service that retries only as a load balancer does while they are replaced.

An instance that does not listen is skipped: nothing was sent to it. A request on a kept-alive connection
that the service has closed is sent again on a new connection. Every other error is raised.
"""

import json
from collections.abc import Sequence
from contextlib import ExitStack
from http.client import HTTPConnection, RemoteDisconnected
from typing import Any, Self

from deploy.local.loopback_ports import LOOPBACK

_SECONDS = 30.0


class BalancedClient:
    """One connection to each instance, used in turn; a context manager that closes them."""

    def __init__(self, ports: Sequence[int], headers: dict[str, str]) -> None:
        self._ports = list(ports)
        self._headers = headers
        self._kept: dict[int, HTTPConnection] = {}
        #: The numbers of kept-alive connections that were closed and of instances that refused a connection.
        self.closed = 0
        self.skipped = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        with ExitStack() as stack:
            for connection in self._kept.values():
                stack.callback(connection.close)

    def call(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
        """Return the status and the JSON of the response. Raises OSError or HTTPException without a response."""
        status, content, _ = self.call_with_tag(method, path, body, **headers)
        return status, content

    def call_with_tag(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, Any, str]:
        """Do the same as :meth:`call`, and return the entity tag too, empty without one."""
        sent = json.dumps(body) if body is not None else None
        content_type = {"Content-Type": "application/json"} if body is not None else {}
        all_headers = {
            **self._headers,
            **content_type,
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        # Start with the next instance.
        self._ports.append(self._ports.pop(0))
        for port in [*self._ports, *self._ports]:
            try:
                return self._send(port, method, path, sent, all_headers)
            except ConnectionRefusedError:
                self.skipped += 1
        raise ConnectionRefusedError("no instance listens")

    def _send(
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
        response = connection.getresponse()
        content = response.read()
        if response.will_close:
            connection.close()
        else:
            self._kept[port] = connection
        return response.status, json.loads(content), response.headers.get("ETag", "")
