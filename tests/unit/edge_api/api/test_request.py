"""The headers that the edge reads, and a context that hides them."""

from edge_api.api.headers import header_text
from edge_api.api.request import RequestContext, read_headers
from edge_api.api.routes import RESOLVE
from tests.support.data.snapshots import SECRET_KEY


def test_read_headers_are_folded_and_others_ignored() -> None:
    pairs = [(b"X-PROJECT-ID", b" p "), (b"x-secret-key", b" "), (b"Host", b"h"), (b"accept", b"u"), (b"x-a", b"b")]
    headers = read_headers(pairs)
    assert set(headers) == {b"x-project-id", b"x-secret-key", b"host"}
    assert header_text(headers, b"x-project-id") == "p"
    assert header_text(headers, b"x-secret-key") is None
    assert header_text(headers, b"if-none-match") is None


def test_repeated_headers_are_joined() -> None:
    headers = read_headers([(b"if-none-match", b'"a"'), (b"If-None-Match", b'"b"')])
    assert header_text(headers, b"if-none-match") == '"a", "b"'


def test_repr_contains_no_secret_key() -> None:
    assert SECRET_KEY not in repr(RequestContext(RESOLVE, {b"x-secret-key": SECRET_KEY.encode()}, "unix", b"id"))
