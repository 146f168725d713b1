"""What is read of the headers, what is put on every answer, and what is refused by the headers alone."""

import pytest

from common.errors import PayloadTooLargeError, UnsupportedMediaTypeError
from edge_api.answers.body_limits import check_declared_body
from edge_api.answers.exchange import RequestContext, request_id_from
from edge_api.answers.request_head import RequestHeaders
from tests.snapshots import a_snapshot
from tests.unit.edge_api.answers.resident import access_to


def test_known_headers_are_read_and_trimmed_and_empty_ones_count_as_absent() -> None:
    head = RequestHeaders.of([(b"x-project-id", b" p "), (b"x-secret-key", b" "), (b"host", b"h")])
    assert (head.project_id, head.secret_key) == ("p", None)


def test_repeated_headers_are_joined() -> None:
    head = RequestHeaders.of([(b"if-none-match", b'"a"'), (b"if-none-match", b'"b"')])
    assert head.if_none_match == '"a", "b"'


@pytest.mark.parametrize("sane", ["a", "A-Z_0.9", "x" * 128])
def test_a_sane_request_id_is_kept(sane: str) -> None:
    assert request_id_from(sane) == sane.encode()


@pytest.mark.parametrize("other", [None, "", "a b", "x" * 129, "a\n", "é"])
def test_another_request_id_is_replaced(other: str | None) -> None:
    made = request_id_from(other)
    assert made.decode() != other
    assert request_id_from(made.decode()) == made


def test_the_config_version_is_told_once_the_project_is_known() -> None:
    exchange = RequestContext("/api/config", RequestHeaders(), None, b"id")
    assert b"x-config-version" not in dict(exchange.headers())
    exchange.access = access_to(a_snapshot(revision=7))
    assert dict(exchange.headers())[b"x-config-version"] == b"7"


@pytest.mark.parametrize("media_type", ["application/json", "Application/JSON; charset=utf-8", "application/json;"])
def test_json_is_taken_with_parameters(media_type: str) -> None:
    check_declared_body(RequestHeaders(content_type=media_type), 10)


@pytest.mark.parametrize("media_type", [None, "text/plain", "application/jsonp", "application/json+x"])
def test_another_media_type_is_refused(media_type: str | None) -> None:
    with pytest.raises(UnsupportedMediaTypeError):
        check_declared_body(RequestHeaders(content_type=media_type), 10)


@pytest.mark.parametrize("length", ["11", "00011", "9" * 5_000])
def test_a_declared_length_above_the_limit_is_refused(length: str) -> None:
    with pytest.raises(PayloadTooLargeError):
        check_declared_body(RequestHeaders(content_type="application/json", content_length=length), 10)


@pytest.mark.parametrize("length", [None, "0", "10", "0" * 50 + "9", "nonsense"])
def test_a_length_that_does_not_say_too_much_is_left_to_the_reading(length: str | None) -> None:
    check_declared_body(RequestHeaders(content_type="application/json", content_length=length), 10)
