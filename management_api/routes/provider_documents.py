"""Fetches the keys of an OpenID Connect provider: discovery document, then key set (OpenID Connect Discovery 1.0)."""

import json
import time
from contextlib import closing
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import urllib3

from management_api.routes.verifying_keys import KeySetError, VerifyingKey, usable_keys

DISCOVERY_PATH = "/.well-known/openid-configuration"
#: For both documents together; a provider that needs longer counts as away.
FETCH_SECONDS = 5.0
MAX_DOCUMENT_BYTES = 256 * 1024
LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})


class ProviderDocuments:
    """The documents of one issuer."""

    def __init__(self, issuer: str, *, allow_loopback_http: bool = False) -> None:
        self._issuer = issuer
        self._allow_loopback_http = allow_loopback_http

    def fetch_keys(self) -> tuple[VerifyingKey, ...]:
        """Fetch the keys that may verify tokens now. Raises KeySetError; its text quotes nothing that was received."""
        deadline = time.monotonic() + FETCH_SECONDS
        with urllib3.PoolManager() as pool:
            discovered = self._document(pool, self._issuer.rstrip("/") + DISCOVERY_PATH, deadline)
            # Otherwise whoever controls some path of the provider's host could speak for the issuer.
            if discovered.get("issuer") != self._issuer:
                raise KeySetError("the discovery document is of another issuer")
            jwks_uri = discovered.get("jwks_uri")
            if not isinstance(jwks_uri, str):
                raise KeySetError("the discovery document names no key set")
            return usable_keys(self._document(pool, jwks_uri, deadline))

    def _document(self, pool: urllib3.PoolManager, url: str, deadline: float) -> dict[str, Any]:
        if not is_provider_url(url, allow_loopback_http=self._allow_loopback_http):
            raise KeySetError("the identity provider names an address that is not https")
        try:
            document = json.loads(_body(pool, url, deadline))
        except urllib3.exceptions.HTTPError as error:
            raise KeySetError(f"the identity provider cannot be reached: {type(error).__name__}") from error
        except (ValueError, RecursionError) as error:
            raise KeySetError("the identity provider answers with something that is not JSON") from error
        if not isinstance(document, dict):
            raise KeySetError("the identity provider answers with something that is not a JSON object")
        return document


def is_provider_url(url: str, *, allow_loopback_http: bool) -> bool:
    """Tell whether documents may be fetched from there: https, or plain http to this very machine where allowed."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return False
    if not host or parts.username is not None or parts.fragment:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and allow_loopback_http and host in LOOPBACK_HOSTS)


def _body(pool: urllib3.PoolManager, url: str, deadline: float) -> bytes:
    """Read an answer within the deadline and the size limit."""
    answer = pool.request(
        "GET",
        url,
        headers={"Accept": "application/json", "Accept-Encoding": "identity"},
        # Redirects are refused: where the keys are is said by the issuer's own document or not at all.
        redirect=False,
        retries=False,
        timeout=urllib3.Timeout(total=_time_left(deadline)),
        preload_content=False,
    )
    with closing(answer):
        if answer.status != HTTPStatus.OK:
            raise KeySetError(f"the identity provider answers with status {answer.status}")
        body = bytearray()
        while piece := answer.read1(MAX_DOCUMENT_BYTES, decode_content=False):
            body += piece
            if len(body) > MAX_DOCUMENT_BYTES:
                raise KeySetError("the identity provider answers with too much")
            # The timeout is for each read alone; one byte at a time would never break it.
            _time_left(deadline)
        return bytes(body)


def _time_left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise KeySetError("the identity provider takes too long")
    return left
