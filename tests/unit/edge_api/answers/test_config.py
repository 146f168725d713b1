"""The config document: its forms, their tags, and clients that have it already."""

import gzip

import brotli
import msgspec
import pytest

from edge_api.answers.answer import Answer
from edge_api.answers.config import ConfigEndpoint
from edge_api.answers.entity_tags import first_listed
from edge_api.answers.request_head import RequestHeaders
from tests.snapshots import a_snapshot
from tests.unit.edge_api.answers.resident import access_to


def test_each_form_has_a_tag_of_its_own() -> None:
    access = access_to()
    document = access.resident.snapshot.config
    plain = ConfigEndpoint().answer(access, RequestHeaders(), b"")
    zipped = ConfigEndpoint().answer(access, RequestHeaders(accept_encoding="gzip"), b"")
    packed = ConfigEndpoint().answer(access, RequestHeaders(accept_encoding="gzip, br"), b"")
    assert headers_of(plain) == (None, f'"{document.etag}"'.encode())
    assert headers_of(zipped) == (b"gzip", f'"{document.etag}-gzip"'.encode())
    assert headers_of(packed) == (b"br", f'"{document.etag}-br"'.encode())
    assert brotli.decompress(packed.body) == gzip.decompress(zipped.body) == plain.body == document.body


def headers_of(answer: Answer) -> tuple[bytes | None, bytes]:
    """Give the content coding and the tag."""
    headers = dict(answer.headers)
    assert headers[b"vary"] == b"Accept-Encoding"
    return headers.get(b"content-encoding"), headers[b"etag"]


def test_of_a_document_without_brotli_the_next_best_form_is_sent() -> None:
    snapshot = a_snapshot()
    older = msgspec.structs.replace(snapshot, config=msgspec.structs.replace(snapshot.config, brotli=b""))
    answer = ConfigEndpoint().answer(access_to(older), RequestHeaders(accept_encoding="br, gzip"), b"")
    assert dict(answer.headers)[b"content-encoding"] == b"gzip"


@pytest.mark.parametrize(
    ("template", "tag"),
    [
        ('"{}"', '"{}"'),
        ('W/"{}"', '"{}"'),
        ('"other", "{}"', '"{}"'),
        ('"{}-gzip"', '"{}-gzip"'),
        ('"other", W/"{}-br"', '"{}-br"'),
        ('"{}", "{}-br"', '"{}-br"'),
        ("*", '"{}-br"'),
    ],
)
def test_a_client_that_has_any_form_gets_304_with_its_tag_and_no_body(template: str, tag: str) -> None:
    access = access_to()
    etag = access.resident.snapshot.config.etag
    head = RequestHeaders(if_none_match=template.format(etag, etag), accept_encoding="br")
    answer = ConfigEndpoint().answer(access, head, b"")
    assert (answer.status, answer.body) == (304, b"")
    assert {b"etag", b"cache-control", b"vary"} == set(dict(answer.headers))
    assert dict(answer.headers)[b"etag"] == tag.format(etag).encode()


@pytest.mark.parametrize("listed", ['"other"', "unquoted", '"unfinished', "", '"a" *'])
def test_a_client_with_another_document_gets_it_anew(listed: str) -> None:
    assert ConfigEndpoint().answer(access_to(), RequestHeaders(if_none_match=listed), b"").status == 200


def test_the_first_current_tag_that_is_listed_counts() -> None:
    assert first_listed('"b", "a"', ('"a"', '"b"')) == '"a"'
    assert first_listed('"c"', ('"a"', '"b"')) is None
    assert first_listed(None, ('"a"',)) is None
