"""Headers that are read, request ids that are kept, and bodies that are rejected by their headers alone."""

import pytest

from common.errors import PayloadTooLargeError, UnsupportedMediaTypeError
from edge_api.api.request import RequestContext, check_declared_body, header_text, read_headers, request_id_from
from tests.snapshots import SECRET_KEY, a_snapshot
from tests.unit.edge_api.api.authenticated import authenticated_project


def test_read_headers_are_folded_and_others_ignored() -> None:
    pairs = [(b"X-PROJECT-ID", b" p "), (b"x-secret-key", b" "), (b"Host", b"h"), (b"user-agent", b"u"), (b"x-a", b"b")]
    headers = read_headers(pairs)
    assert set(headers) == {b"x-project-id", b"x-secret-key", b"host"}
    assert header_text(headers, b"x-project-id") == "p"
    assert header_text(headers, b"x-secret-key") is None
    assert header_text(headers, b"if-none-match") is None


def test_repeated_headers_are_joined() -> None:
    headers = read_headers([(b"if-none-match", b'"a"'), (b"If-None-Match", b'"b"')])
    assert header_text(headers, b"if-none-match") == '"a", "b"'


@pytest.mark.parametrize("safe", [b"a", b"A-Z_0.9", b"x" * 128, b"1-2", b" padded "])
def test_safe_request_id_is_kept(safe: bytes) -> None:
    assert request_id_from({b"x-request-id": safe}) == safe.strip()


@pytest.mark.parametrize("other", [None, b"", b"-", b"a b", b"x" * 129, b"a\n", b"\xe9", b"obk_api_x", b"a.b.c"])
def test_other_request_id_is_replaced(other: bytes | None) -> None:
    made = request_id_from({} if other is None else {b"x-request-id": other})
    assert made != other or other == b"-"
    assert request_id_from({b"x-request-id": made}) == made


def test_config_version_is_sent_once_project_is_authenticated() -> None:
    context = RequestContext("/api/config", {}, None, b"id")
    assert b"x-config-version" not in dict(context.response_headers())
    context.project = authenticated_project(a_snapshot(revision=7))
    assert dict(context.response_headers())[b"x-config-version"] == b"7"


def test_repr_contains_no_secret_key() -> None:
    assert SECRET_KEY not in repr(RequestContext("/", {b"x-secret-key": SECRET_KEY.encode()}, None, b"id"))


@pytest.mark.parametrize("media_type", [b"application/json", b"Application/JSON; charset=utf-8", b"application/json;"])
def test_json_with_parameters_is_accepted(media_type: bytes) -> None:
    check_declared_body({b"content-type": media_type}, 10)


@pytest.mark.parametrize("media_type", [None, b"text/plain", b"application/jsonp", b"application/json+x"])
def test_other_media_type_is_rejected(media_type: bytes | None) -> None:
    with pytest.raises(UnsupportedMediaTypeError):
        check_declared_body({} if media_type is None else {b"content-type": media_type}, 10)


@pytest.mark.parametrize("length", [b"11", b"00011", b"9" * 5_000])
def test_declared_length_above_limit_is_rejected(length: bytes) -> None:
    with pytest.raises(PayloadTooLargeError):
        check_declared_body({b"content-type": b"application/json", b"content-length": length}, 10)


@pytest.mark.parametrize("length", [None, b"0", b"10", b"0" * 50 + b"9", b"nonsense"])
def test_other_declared_length_is_left_to_reading(length: bytes | None) -> None:
    headers = {b"content-type": b"application/json"}
    check_declared_body(headers if length is None else {**headers, b"content-length": length}, 10)
