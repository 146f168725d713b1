"""The identity provider's public keys: fetched by discovery or read from a file, and cached (contract, section 2)."""

import json
import threading
import time
from collections.abc import Callable
from contextlib import closing
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import structlog
import urllib3
from jwt import PyJWK, PyJWTError

from common.errors import OnboardingError, UnavailableError

#: The algorithm of a key of this type and curve. Symmetric keys and all other algorithms are left out.
ALGORITHMS = {"RSA": "RS256", "EC P-256": "ES256", "OKP Ed25519": "EdDSA"}
MIN_RSA_BITS = 2048
_PUBLIC_MEMBERS = ("kty", "crv", "n", "e", "x", "y")

DISCOVERY_PATH = "/.well-known/openid-configuration"
#: For the discovery document and the key set together.
FETCH_SECONDS = 5.0
MAX_DOCUMENT_BYTES = 256 * 1024
_LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})

#: A key that the provider has withdrawn is accepted for at most this time while the provider can be reached.
REFRESH_SECONDS = 300.0
#: Minimum time between the starts of two fetches, after a failure and for unknown key ids.
COOLDOWN_SECONDS = 30.0
#: Timeout of a request that waits for a fetch, because its token names an unknown key.
WAIT_SECONDS = 5.0
#: Requests that may wait at the same time, so that invented key ids cannot hold every thread.
MAX_WAITING = 3
#: Lifetime of the keys after the last successful fetch.
OUTAGE_SECONDS = 24 * 3600.0

KeySet = tuple[PyJWK, ...]

log = structlog.get_logger(__name__)


class JwksError(OnboardingError):
    """A key set cannot be fetched, cannot be read or has no usable key. The text quotes nothing that was received."""


def parse_jwks(document: object) -> KeySet:
    """Return the keys of a JWK set that verify signatures; all other keys are left out.

    Each key is tied to one algorithm. Raises JwksError if no key is left.
    """
    listed = document.get("keys") if isinstance(document, dict) else None
    items = listed if isinstance(listed, list) else []
    keys = tuple(key for item in items if isinstance(item, dict) and (key := _verification_key(item)) is not None)
    if not keys:
        raise JwksError("the key set has no RS256, ES256 or EdDSA key for signatures")
    return keys


def find_key(keys: KeySet, key_id: str | None) -> PyJWK | None:
    """Return the key with this id, or None. A token without a key id gets the only key of the set."""
    if key_id is None:
        return keys[0] if len(keys) == 1 else None
    return next((key for key in keys if key.key_id == key_id), None)


def _verification_key(item: dict[str, Any]) -> PyJWK | None:
    kind, operations = item.get("kty"), item.get("key_ops", ["verify"])
    algorithm = ALGORITHMS.get("RSA" if kind == "RSA" else f"{kind} {item.get('crv')}")
    if algorithm is None or item.get("alg", algorithm) != algorithm or item.get("use", "sig") != "sig":
        return None
    if not isinstance(operations, list) or "verify" not in operations:
        return None
    members = {name: item[name] for name in _PUBLIC_MEMBERS if name in item}
    if isinstance(item.get("kid"), str):
        members["kid"] = item["kid"]
    try:
        key = PyJWK(members, algorithm)
    except PyJWTError:
        return None
    return None if kind == "RSA" and key.key.key_size < MIN_RSA_BITS else key


class JwksFile:
    """The keys of a JWKS file. A changed file is read again at the next request; a damaged file changes nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._version = self._read_version()
        self._keys = read_jwks_file(path)

    def find(self, key_id: str | None) -> PyJWK | None:
        """Return the key with this id, or None. A token without a key id gets the only key of the file."""
        version = self._read_version()
        if version != self._version:
            try:
                self._keys = read_jwks_file(self._path)
            except JwksError as error:
                log.warning("verifying keys kept, the key set cannot be read", reason=str(error))
            self._version = version
        return find_key(self._keys, key_id)

    def _read_version(self) -> tuple[int, int, int]:
        try:
            stat = self._path.stat()
        except OSError:
            return (0, 0, 0)
        return (stat.st_mtime_ns, stat.st_size, stat.st_ino)


def read_jwks_file(path: Path) -> KeySet:
    """Return the usable keys of a JWKS file. Raises JwksError."""
    try:
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise JwksError(f"the key set cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise JwksError("the key set is not JSON") from error
    return parse_jwks(document)


class JwksCache:
    """The provider's keys, fetched by one thread. A lookup of a cached key takes no lock and never waits.

    The thread fetches every REFRESH_SECONDS, COOLDOWN_SECONDS after a failure, and when a token names an unknown key.
    """

    def __init__(self, fetch: Callable[[], KeySet], clock: Callable[[], float] = time.monotonic) -> None:
        self._fetch = fetch
        self._clock = clock
        #: The keys and the time of their fetch, replaced at once.
        self._cached: tuple[KeySet, float] = ((), clock())
        #: Guards all members below.
        self._changed = threading.Condition()
        #: Whether a fetch is wanted or under way.
        self._requested = True
        self._started_at = clock()
        self._delay = 0.0
        self._fetches = 0
        self._waiting = 0
        self._closed = False
        self._thread = threading.Thread(target=self._refresh, name="jwks", daemon=True)

    def start(self) -> None:
        """Start the thread, and wait up to WAIT_SECONDS for the first keys; the service also starts without them."""
        self._thread.start()
        with self._changed:
            self._changed.wait_for(lambda: self._fetches > 0, WAIT_SECONDS)

    def close(self) -> None:
        """Stop the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join(WAIT_SECONDS)

    def find(self, key_id: str | None) -> PyJWK | None:
        """Return the key with this id, or None. A token without a key id gets the only key of the provider.

        Raises UnavailableError while the provider cannot be reached.
        """
        keys = self._current_keys()
        key = find_key(keys, key_id)
        # A fetch would not help a token without a key id.
        if key is not None or (keys and key_id is None):
            return key
        self._wait_for_fetch()
        keys = self._current_keys()
        if not keys:
            raise _unavailable()
        return find_key(keys, key_id)

    def _current_keys(self) -> KeySet:
        keys, fetched_at = self._cached
        return keys if self._clock() - fetched_at <= OUTAGE_SECONDS else ()

    def _wait_for_fetch(self) -> None:
        """Wait for the fetch under way, or request a fetch and wait for it; return at once during the cooldown."""
        with self._changed:
            if not self._requested and self._clock() < self._started_at + COOLDOWN_SECONDS:
                return
            if self._waiting >= MAX_WAITING:
                raise _unavailable()
            self._requested = True
            self._changed.notify_all()
            fetches = self._fetches
            self._waiting += 1
            try:
                done = self._changed.wait_for(lambda: self._fetches > fetches, WAIT_SECONDS)
            finally:
                self._waiting -= 1
        if not done:
            raise _unavailable()

    def _refresh(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._requested or self._closed, self._delay)
                if self._closed:
                    return
                self._requested, self._started_at = True, self._clock()
            keys = self._fetch_or_log()
            with self._changed:
                if keys:
                    self._cached = (keys, self._clock())
                self._delay = REFRESH_SECONDS if keys else COOLDOWN_SECONDS
                self._requested = False
                self._fetches += 1
                self._changed.notify_all()

    def _fetch_or_log(self) -> KeySet:
        try:
            return self._fetch()
        except JwksError as error:
            log.warning("keys of the identity provider not fetched", reason=str(error))
        except Exception as error:  # noqa: BLE001 - the thread must survive, no other thread fetches
            log.error("keys of the identity provider not fetched", reason=type(error).__qualname__)  # noqa: TRY400 - an error's text may quote what was received
        return ()


def _unavailable() -> UnavailableError:
    return UnavailableError("The identity provider cannot be asked at the moment, please try again")


def fetch_provider_keys(issuer: str) -> KeySet:
    """Fetch the discovery document and the key set (OpenID Connect Discovery 1.0). Raises JwksError."""
    deadline = time.monotonic() + FETCH_SECONDS
    # A provider on this machine, for development, names a key set on this machine. No other provider may.
    is_local = issuer.startswith("http:")

    def fetch(url: str) -> dict[str, Any]:
        if not is_provider_url(url, allow_loopback_http=is_local):
            raise JwksError("the identity provider names an address that is not https")
        return _fetch_document(url, deadline)

    discovered = fetch(issuer.rstrip("/") + DISCOVERY_PATH)
    # Otherwise a tenant with a path on the provider's host could sign for the issuer.
    if discovered.get("issuer") != issuer:
        raise JwksError("the discovery document is of another issuer")
    jwks_uri = discovered.get("jwks_uri")
    if not isinstance(jwks_uri, str):
        raise JwksError("the discovery document names no key set")
    return parse_jwks(fetch(jwks_uri))


def is_provider_url(url: str, *, allow_loopback_http: bool) -> bool:
    """Return whether documents may be fetched from this URL: by https, or by http from this machine where allowed."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return False
    if not host or parts.username is not None or parts.fragment:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and allow_loopback_http and host in _LOOPBACK_HOSTS)


def _fetch_document(url: str, deadline: float) -> dict[str, Any]:
    try:
        # Without a shared pool: no connection is idle for minutes, and perhaps gone, before it is used again.
        with urllib3.PoolManager() as pool:
            document = json.loads(_fetch_body(pool, url, deadline))
    except urllib3.exceptions.HTTPError as error:
        raise JwksError(f"the identity provider cannot be reached: {type(error).__name__}") from error
    except (ValueError, RecursionError) as error:
        raise JwksError("the identity provider answers with something that is not JSON") from error
    if not isinstance(document, dict):
        raise JwksError("the identity provider answers with something that is not a JSON object")
    return document


def _fetch_body(pool: urllib3.PoolManager, url: str, deadline: float) -> bytes:
    response = pool.request(
        "GET",
        url,
        headers={"Accept": "application/json", "Accept-Encoding": "identity"},
        # Redirects are rejected: only the issuer's own document names the key set.
        redirect=False,
        retries=False,
        timeout=urllib3.Timeout(total=_seconds_left(deadline)),
        preload_content=False,
    )
    with closing(response):
        if response.status != HTTPStatus.OK:
            raise JwksError(f"the identity provider answers with status {response.status}")
        body = bytearray()
        while part := response.read1(MAX_DOCUMENT_BYTES, decode_content=False):
            body += part
            if len(body) > MAX_DOCUMENT_BYTES:
                raise JwksError("the identity provider answers with too much")
            # The timeout is for each read, so a provider that sends one byte at a time would never reach it.
            _seconds_left(deadline)
        return bytes(body)


def _seconds_left(deadline: float) -> float:
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise JwksError("the identity provider takes too long")
    return seconds
