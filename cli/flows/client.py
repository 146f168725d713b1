"""The management API as `onboarding flows` calls it: retries, pages, and errors as one line."""

import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode, urlsplit
from urllib.request import getproxies_environment, proxy_bypass

import orjson
import urllib3
from pydantic import SecretStr

from cli.errors import CommandError, ServerUnavailableError

#: Concurrent requests.
CONNECTIONS = 4
MAX_ATTEMPTS = 5
FIRST_PAUSE_SECONDS = 0.25
#: A longer `Retry-After` is reported instead.
MAX_PAUSE_SECONDS = 30.0
PAGE_LIMIT = 100
_TIMEOUT = urllib3.Timeout(connect=5, read=60)
_RETRIED = frozenset(
    {
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.BAD_GATEWAY,
        HTTPStatus.SERVICE_UNAVAILABLE,
        HTTPStatus.GATEWAY_TIMEOUT,
    }
)


@dataclass(frozen=True, slots=True)
class ApiResponse:
    """A success. `attempts` above 1: an answer before may have been lost."""

    status: int
    data: Any
    tag: str | None
    total: int
    attempts: int


class ApiError(CommandError):
    """A response that is no success. Problems are `details`, each with a field, a code and a message."""

    def __init__(self, status: int, message: str, details: list[Mapping[str, Any]], attempts: int) -> None:
        super().__init__(message)
        self.status = status
        self.details = details
        self.attempts = attempts


class FatalApiError(CommandError):
    """The service does not accept the key, or does not answer as itself: no further request can succeed."""


class UnreachableError(FatalApiError, ServerUnavailableError):
    """The service did not respond."""


class ManagementClient:
    """Calls the management API with a personal API key."""

    def __init__(self, url: str, api_key: SecretStr) -> None:
        self._url = url.rstrip("/").removesuffix("/api")
        self._headers = {
            "Authorization": f"Bearer {api_key.get_secret_value()}",
            "Content-Type": "application/json",
            "Accept": "application/json",
            "User-Agent": "onboarding-flows",
        }
        self._pool = _pool_for(self._url)
        self._was_reached = False

    def get(self, path: str, **query: str | int) -> ApiResponse:
        """GET a path below `/api`. Raises ApiError, FatalApiError."""
        return self._send("GET", f"{path}?{urlencode(query)}" if query else path)

    def items(self, path: str, **query: str | int) -> Iterator[Any]:
        """Yield the items of all pages of a list, the oldest first."""
        page, seen, total = 1, 0, 1
        while seen < total:
            response = self.get(path, **query, page=page, limit=PAGE_LIMIT, sort="created_at")
            yield from response.data
            if not response.data:
                return
            page, seen, total = page + 1, seen + len(response.data), response.total

    def post(self, path: str, body: Mapping[str, Any]) -> ApiResponse:
        """POST under an idempotency key, so that a repeated request is executed once."""
        return self._send("POST", path, body, {"Idempotency-Key": uuid.uuid4().hex})

    def upload(self, path: str, content: bytes, content_type: str, **query: str) -> ApiResponse:
        """POST a file under an idempotency key."""
        headers = {"Idempotency-Key": uuid.uuid4().hex, "Content-Type": content_type}
        return self._send("POST", f"{path}?{urlencode(query)}", content, headers)

    def download(self, url: str) -> bytes:
        """Return a public file. Raises CommandError."""
        response = fetched(url, {})
        if response.status != HTTPStatus.OK:
            raise CommandError(f"{url} cannot be read: status {response.status}")
        return response.data

    def put(self, path: str, body: Mapping[str, Any], tag: str | None = None) -> ApiResponse:
        """PUT, on condition that the entity tag is `tag`."""
        return self._send("PUT", path, body, {"If-Match": tag} if tag else {})

    def delete(self, path: str, tag: str | None = None) -> ApiResponse:
        """DELETE, on condition that the entity tag is `tag`."""
        return self._send("DELETE", path, None, {"If-Match": tag} if tag else {})

    def _send(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> ApiResponse:
        content = body if body is None or isinstance(body, bytes) else orjson.dumps(body)
        pause = FIRST_PAUSE_SECONDS
        for attempt in range(1, MAX_ATTEMPTS + 1):
            is_last = attempt == MAX_ATTEMPTS
            try:
                response = self._pool.request(
                    method,
                    f"{self._url}/api{path}",
                    body=content,
                    headers={**self._headers, **(headers or {})},
                    timeout=_TIMEOUT,
                    retries=False,
                    redirect=False,
                )
            except urllib3.exceptions.HTTPError as error:
                if is_last or not self._was_reached:
                    raise UnreachableError(f"{self._url} cannot be reached: {_reason(error)}") from None
                wait = pause
            else:
                self._was_reached = True
                wait = max(pause, _retry_after(response))
                if response.status not in _RETRIED or is_last or wait > MAX_PAUSE_SECONDS:
                    return self._checked(response, attempt)
            time.sleep(wait)
            pause *= 2
        raise AssertionError

    def _checked(self, response: urllib3.BaseHTTPResponse, attempts: int) -> ApiResponse:
        try:
            document = orjson.loads(response.data)
            is_success = document["success"] is True
        except (orjson.JSONDecodeError, KeyError, TypeError):
            raise FatalApiError(
                f"{self._url} does not answer as the management service: status {response.status} without its JSON"
            ) from None
        if is_success and response.status < HTTPStatus.BAD_REQUEST:
            total = document.get("pagination", {}).get("total", 0)
            return ApiResponse(response.status, document.get("data"), response.headers.get("ETag"), total, attempts)
        message = str(document.get("error") or f"status {response.status}")
        if response.status == HTTPStatus.UNAUTHORIZED:
            raise FatalApiError(f"{message}: set ONBOARDING_API_KEY to the personal API key of a user")
        if response.status == HTTPStatus.TOO_MANY_REQUESTS:
            raise FatalApiError(f"{message}: the service allows no more requests for {_retry_after(response):.0f} s")
        raise ApiError(response.status, message, document.get("details") or [], attempts)


def fetched(url: str, headers: Mapping[str, str]) -> urllib3.BaseHTTPResponse:
    """GET a URL of the edge or of a store of media. Raises UnreachableError."""
    try:
        return _pool_for(url).request("GET", url, headers=headers, timeout=_TIMEOUT)
    except urllib3.exceptions.HTTPError as error:
        raise UnreachableError(f"{url} cannot be reached: {_reason(error)}") from None


def _pool_for(url: str) -> urllib3.PoolManager:
    """Return connections, through the proxy of the environment if it names one for the URL."""
    parts = urlsplit(url)
    proxy = getproxies_environment().get(parts.scheme)
    if proxy and not proxy_bypass(parts.netloc):
        return urllib3.ProxyManager(proxy, maxsize=CONNECTIONS)
    return urllib3.PoolManager(maxsize=CONNECTIONS)


def _retry_after(response: urllib3.BaseHTTPResponse) -> float:
    text = response.headers.get("Retry-After", "0")
    return float(text) if text.isdecimal() else 0.0


def _reason(error: urllib3.exceptions.HTTPError) -> str:
    """Return the last part of an error, without the object in front of it."""
    text = str(error)
    return text.rpartition(": ")[2] or type(error).__name__
