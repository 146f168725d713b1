"""Unusual responses of a provider: their keys, or a log line with the reason."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from management_api.auth import jwks
from management_api.auth.jwks import (
    DISCOVERY_PATH,
    MAX_DOCUMENT_BYTES,
    JwksError,
    fetch_provider_keys,
    is_provider_url,
)
from tests.support.background import serving
from tests.support.clients.token_issuer import KEY_ID, TokenIssuer


class OddProvider(ThreadingHTTPServer):
    """Responds to each path with the status, headers and body that a test has set."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.issuer = f"http://127.0.0.1:{self.server_port}"
        self.pages: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.asked: list[str] = []
        self.dribbles = threading.Event()
        self.ends = threading.Event()

    def put(self, path: str, document: object, status: int = 200, **headers: str) -> None:
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.pages[path] = (status, headers, body)

    def discover(self, **members: object) -> None:
        self.put(DISCOVERY_PATH, {"issuer": self.issuer, "jwks_uri": f"{self.issuer}/keys", **members})


class _Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, OddProvider)
        self.server.asked.append(self.path)
        status, headers, body = self.server.pages.get(self.path, (404, {}, b""))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        while self.server.dribbles.is_set() and not self.server.ends.wait(0.01):
            self.wfile.write(b" ")

    def log_message(self, *_arguments: object) -> None:
        """Write no log."""


@pytest.fixture
def provider(tmp_path: Path) -> Iterator[OddProvider]:
    server = OddProvider()
    with serving(server):
        server.discover()
        server.put("/keys", {"keys": [TokenIssuer(tmp_path).public_jwk()]})
        yield server
        server.ends.set()


def fetched(provider: OddProvider) -> list[str | None]:
    return [key.key_id for key in fetch_provider_keys(provider.issuer)]


def assert_refused(provider: OddProvider, reason: str) -> None:
    with pytest.raises(JwksError, match=reason) as raised:
        fetched(provider)
    assert "\n" not in str(raised.value)


def test_keys_are_found_by_discovery(provider: OddProvider) -> None:
    assert fetched(provider) == [KEY_ID]
    assert provider.asked == [DISCOVERY_PATH, "/keys"]


@pytest.mark.parametrize("issuer", ["https://other.test", None, 1, "", "{}/", ["{}"]])
def test_the_document_of_another_issuer_is_refused(provider: OddProvider, issuer: object) -> None:
    provider.discover(issuer=issuer.format(provider.issuer) if isinstance(issuer, str) else issuer)
    assert_refused(provider, "of another issuer")


@pytest.mark.parametrize("uri", [None, 1, {}])
def test_a_document_without_key_set_is_refused(provider: OddProvider, uri: object) -> None:
    provider.discover(jwks_uri=uri)
    assert_refused(provider, "names no key set")


@pytest.mark.parametrize(
    "uri", ["http://keys.test/", "file:///etc/passwd", "ftp://keys.test/", "keys", "", "http://169.254.169.254/", "://"]
)
def test_keys_are_fetched_from_https_alone(provider: OddProvider, uri: str) -> None:
    provider.discover(jwks_uri=uri)
    assert_refused(provider, "not https")


@pytest.mark.parametrize("path", [DISCOVERY_PATH, "/keys"])
def test_redirects_are_not_followed(provider: OddProvider, path: str) -> None:
    provider.put("/elsewhere", {"keys": []})
    provider.put(path, b"", 302, Location="/elsewhere")
    assert_refused(provider, "status 302")
    assert "/elsewhere" not in provider.asked


@pytest.mark.parametrize("path", [DISCOVERY_PATH, "/keys"])
@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (500, b"", "status 500"), (204, b"", "status 204"), (200, b"", "not JSON"), (200, b"<html>", "not JSON"),
        (200, b"[]", "not a JSON object"), (200, b'"text"', "not a JSON object"), (200, b"\xff\xfe", "not JSON"),
        (200, b"[" * 100_000, "not JSON"), (200, b" " * (MAX_DOCUMENT_BYTES + 1), "too much"),
        (200, b'{"a": ' + b"9" * 5000 + b"}", "not JSON"),
    ],
    ids=lambda value: str(value)[:20],
)  # fmt: skip
def test_unusual_response_is_rejected(provider: OddProvider, path: str, status: int, body: bytes, reason: str) -> None:
    provider.put(path, body, status)
    assert_refused(provider, reason)


@pytest.mark.parametrize("document", [{}, {"keys": []}, {"keys": None}, {"keys": [{"kty": "oct", "k": "AAAA"}]}])
def test_a_key_set_without_usable_key_is_refused(provider: OddProvider, document: object) -> None:
    provider.put("/keys", document)
    assert_refused(provider, "no RS256, ES256 or EdDSA key")


def test_endless_response_is_aborted(provider: OddProvider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jwks, "FETCH_SECONDS", 0.3)
    provider.dribbles.set()
    assert_refused(provider, "takes too long")


def test_unreachable_provider_logs_one_line() -> None:
    with pytest.raises(JwksError, match=r"^the identity provider cannot be reached: \w+$"):
        fetch_provider_keys("http://127.0.0.1:9")


@pytest.mark.parametrize(
    ("url", "allow_loopback_http", "allowed"),
    [
        ("https://identity.test", False, True),
        ("https://identity.test/tenant/", False, True),
        ("http://identity.test", True, False),
        ("http://127.0.0.1:8080", True, True),
        ("http://localhost:8080", True, True),
        ("http://[::1]:8080", True, True),
        ("http://127.0.0.1:8080", False, False),
        ("http://127.0.0.1.identity.test", True, False),
        ("http://localhost@identity.test", True, False),
        ("https://user:password@identity.test", False, False),
        ("https://identity.test/#part", False, False),
        ("https://", False, False),
        ("onboarding-development", False, False),
        ("https://[", False, False),
    ],
)
def test_only_https_and_loopback_urls_are_requested(url: str, *, allow_loopback_http: bool, allowed: bool) -> None:
    assert is_provider_url(url, allow_loopback_http=allow_loopback_http) is allowed
