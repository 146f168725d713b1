"""The ASGI scope of a request, made once its head is complete."""

from typing import Any, Literal
from urllib.parse import unquote

import httptools
from uvicorn._types import HTTPScope

_SPECIFICATION: Literal["2.3"] = "2.3"


class ConnectionScope:
    """What the scopes of a connection's requests have in common."""

    def __init__(
        self, server: tuple[str, int | None] | None, client: tuple[str, int] | None, scheme: str, state: dict[str, Any]
    ) -> None:
        self._server = server
        self._client = client
        self._scheme = scheme
        self._state = state

    def of_request(self, method: bytes, url: bytes, version: str, headers: list[tuple[bytes, bytes]]) -> HTTPScope:
        """Give the scope. Raises HttpParserInvalidURLError and UnicodeDecodeError for what is no URL."""
        parsed = httptools.parse_url(url)
        path = parsed.path.decode("ascii")
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": _SPECIFICATION},
            "http_version": version,
            "method": method.decode("ascii"),
            "scheme": self._scheme,
            "path": unquote(path) if "%" in path else path,
            "raw_path": parsed.path,
            "query_string": parsed.query or b"",
            "root_path": "",
            "headers": headers,
            "client": self._client,
            "server": self._server,
            "state": self._state.copy(),
            "extensions": {},
        }

    def of_nothing(self) -> HTTPScope:
        """Give the scope of a request that could not be read."""
        return self.of_request(b"GET", b"/", "1.1", [])
