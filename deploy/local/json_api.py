"""A small client of our own HTTP API, for seeding the demo project; a development dependency would be too much."""

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from cli.server_errors import first_line
from deploy.local.errors import StackError

_TIMEOUT_SECONDS = 10.0


class JsonApi:
    """Speaks JSON to one of the services on this machine with one set of credentials."""

    def __init__(self, base_url: str, headers: Mapping[str, str]) -> None:
        self._base_url = base_url
        self._headers = {"Content-Type": "application/json", **headers}
        # The services are on this machine: a proxy from the environment would not find them.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def get(self, path: str) -> dict[str, Any]:
        """Give the object of the envelope's `data`. Raises StackError when there is none."""
        return _object(self._data("GET", path, None))

    def post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Give the object of the envelope's `data`. Raises StackError when there is none."""
        return _object(self._data("POST", path, body))

    def list(self, path: str, **query: str) -> list[dict[str, Any]]:
        """Give the items of the envelope's `data`. Raises StackError when there is no list."""
        data = self._data("GET", f"{path}?{urlencode(query)}", None)
        if not isinstance(data, list):
            raise StackError(f"GET {path} was answered without a list")
        return [_object(item) for item in data]

    def status(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> int | None:
        """Give the status of the answer, None when nobody answers."""
        try:
            with self._opener.open(self._request(method, path, body), timeout=_TIMEOUT_SECONDS) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            error.close()
            return error.code
        except OSError:
            return None

    def document(self, path: str) -> dict[str, Any]:
        """Give the object that a GET is answered with, an empty one when there is none (yet)."""
        try:
            with self._opener.open(self._request("GET", path, None), timeout=_TIMEOUT_SECONDS) as answer:
                return _object(json.load(answer))
        except urllib.error.HTTPError as error:
            error.close()
            return {}
        except (OSError, ValueError):
            return {}

    def _data(self, method: str, path: str, body: Mapping[str, Any] | None) -> object:
        try:
            with self._opener.open(self._request(method, path, body), timeout=_TIMEOUT_SECONDS) as answer:
                found: object = json.load(answer)["data"]
                return found
        except urllib.error.HTTPError as error:
            with error:
                raise StackError(f"{method} {path} was answered {error.code}: {_reason(error.read())}") from error
        except (OSError, ValueError, KeyError) as error:
            raise StackError(f"{method} {self._base_url}{path} was not answered: {first_line(error)}") from error

    def _request(self, method: str, path: str, body: Mapping[str, Any] | None) -> urllib.request.Request:
        content = None if body is None else json.dumps(body).encode()
        # The address is one of our own settings.
        return urllib.request.Request(self._base_url + path, content, self._headers, method=method)  # noqa: S310 - see above


def _object(data: object) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise StackError("an answer of the management service is not an object")
    return data


def _reason(body: bytes) -> str:
    try:
        return str(json.loads(body)["error"])
    except (ValueError, KeyError, TypeError):
        return "without a reason"
