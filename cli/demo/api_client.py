"""A client of the services' JSON APIs on this machine, for the demo project and for readiness."""

from collections.abc import Mapping
from typing import Any

import urllib3

from cli.errors import CommandError, ServerUnavailableError
from common.errors import first_line

_OK = 200
_TIMEOUT_SECONDS = 10.0


class ApiClient:
    """Sends requests to one service with one set of credentials. urllib3 ignores the proxies of the environment."""

    def __init__(self, base_url: str, headers: Mapping[str, str] | None = None) -> None:
        self._base_url = base_url
        self._headers = dict(headers or {})
        self._pool = urllib3.PoolManager(retries=False, timeout=_TIMEOUT_SECONDS)

    def get(self, path: str, **query: str) -> Any:  # noqa: ANN401 - JSON
        """Return `data` of the response. Raises CommandError."""
        return self._data("GET", path, fields=query)

    def post(self, path: str, body: Mapping[str, Any]) -> Any:  # noqa: ANN401 - JSON
        """Return `data` of the response. Raises CommandError."""
        return self._data("POST", path, json=body)

    def put(self, path: str, body: Mapping[str, Any]) -> Any:  # noqa: ANN401 - JSON
        """Return `data` of the response. Raises CommandError."""
        return self._data("PUT", path, json=body)

    def is_ready(self) -> bool:
        """Return whether the service is ready."""
        try:
            return self._pool.request("GET", f"{self._base_url}/health/ready").status == _OK
        except urllib3.exceptions.HTTPError:
            return False

    def get_public(self, path: str, **query: str) -> dict[str, Any]:
        """Return a body of the edge, which has no `data`; empty while there is none."""
        try:
            response = self._pool.request("GET", self._base_url + path, headers=self._headers, fields=query)
        except urllib3.exceptions.HTTPError:
            return {}
        found: dict[str, Any] = response.json() if response.status == _OK else {}
        return found

    def _data(self, method: str, path: str, **content: Any) -> Any:  # noqa: ANN401 - arguments of urllib3; JSON
        request = f"{method} {self._base_url}{path}"
        try:
            response = self._pool.request(method, self._base_url + path, headers=self._headers, **content)
        except urllib3.exceptions.HTTPError as error:
            raise ServerUnavailableError(
                f"{request} got no response: {first_line(error.__cause__ or error)}"
            ) from error
        try:
            body = response.json()
            if response.status < 400:  # noqa: PLR2004 - errors are 4xx and 5xx
                return body["data"]
        except (ValueError, KeyError, TypeError) as error:
            raise CommandError(f"{request} got status {response.status} and no JSON with `data`") from error
        raise CommandError(f"{request} got status {response.status}: {body.get('error', 'without a reason')}")
