"""The config document: its two forms, their tags, and clients that have it already."""

import gzip

import pytest

from edge_api.answers.config import ConfigEndpoint
from edge_api.answers.content_coding import prefers_gzip
from edge_api.answers.entity_tags import first_listed
from edge_api.answers.request_head import RequestHead
from tests.unit.edge_api.answers.resident import access_to


def test_each_form_has_a_tag_of_its_own() -> None:
    access = access_to()
    document = access.resident.snapshot.config
    plain = ConfigEndpoint().answer(access, RequestHead(), b"")
    packed = ConfigEndpoint().answer(access, RequestHead(accept_encoding="gzip"), b"")
    assert dict(plain.headers)[b"etag"] == f'"{document.etag}"'.encode()
    assert dict(packed.headers)[b"etag"] == f'"{document.etag}-gzip"'.encode()
    assert gzip.decompress(packed.body) == plain.body == document.body


@pytest.mark.parametrize("template", ['"{}"', 'W/"{}"', '"other", "{}"', '"{}-gzip"', "*"])
def test_a_client_that_has_the_document_gets_304_with_the_tag_and_no_body(template: str) -> None:
    access = access_to()
    head = RequestHead(if_none_match=template.format(access.resident.snapshot.config.etag))
    answer = ConfigEndpoint().answer(access, head, b"")
    assert (answer.status, answer.body) == (304, b"")
    assert {b"etag", b"cache-control", b"vary"} == set(dict(answer.headers))


@pytest.mark.parametrize("listed", ['"other"', "unquoted", '"unfinished', "", '"a" *'])
def test_a_client_with_another_document_gets_it_anew(listed: str) -> None:
    assert ConfigEndpoint().answer(access_to(), RequestHead(if_none_match=listed), b"").status == 200


def test_the_first_current_tag_that_is_listed_counts() -> None:
    assert first_listed('"b", "a"', ('"a"', '"b"')) == '"a"'
    assert first_listed('"c"', ('"a"', '"b"')) is None
    assert first_listed(None, ('"a"',)) is None


@pytest.mark.parametrize(
    ("accept_encoding", "expected"),
    [
        (None, False),
        ("gzip", True),
        ("GZIP", True),
        ("x-gzip", True),
        ("br, gzip;q=0.5", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000", False),
        ("*", True),
        ("*;q=0", False),
        ("gzip;q=0, *", False),
        ("identity, gzip;q=0.5", False),
        ("identity;q=0, gzip;q=0.1", True),
        ("br", False),
        ("gzip;q=nonsense", False),
        ("gzip;q=7", False),
        (",,;,", False),
    ],
)
def test_gzip_is_sent_to_those_who_want_it(accept_encoding: str | None, *, expected: bool) -> None:
    assert prefers_gzip(accept_encoding) is expected
