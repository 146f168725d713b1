"""The configuration: its encodings, their tags, and conditional requests."""

import gzip

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_api.api.config import ConfigEndpoint, accepted_codings
from edge_api.api.headers import match_etag
from edge_api.api.response import Response
from tests.unit.edge_api.api.authenticated import a_request, authenticated_project


def test_encodings_have_different_tags() -> None:
    project = authenticated_project()
    document = project.snapshot.snapshot.config
    plain = ConfigEndpoint().handle(project, a_request(b""))
    zipped = ConfigEndpoint().handle(project, a_request(headers={b"accept-encoding": b"gzip"}))
    packed = ConfigEndpoint().handle(project, a_request(headers={b"accept-encoding": b"gzip, br"}))
    assert encoding_and_tag(plain) == (None, f'"{document.etag}"'.encode())
    assert encoding_and_tag(zipped) == (b"gzip", f'"{document.etag}-gzip"'.encode())
    assert encoding_and_tag(packed) == (b"br", f'"{document.etag}-br"'.encode())
    assert brotli.decompress(packed.body) == gzip.decompress(zipped.body) == plain.body == document.body


def encoding_and_tag(response: Response) -> tuple[bytes | None, bytes]:
    headers = dict(response.headers)
    assert headers[b"vary"] == b"Accept-Encoding"
    return headers.get(b"content-encoding"), headers[b"etag"]


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
def test_client_with_any_current_tag_gets_304_with_that_tag(template: str, tag: str) -> None:
    project = authenticated_project()
    etag = project.snapshot.snapshot.config.etag
    headers = {b"if-none-match": template.format(etag, etag).encode(), b"accept-encoding": b"br"}
    response = ConfigEndpoint().handle(project, a_request(headers=headers))
    assert (response.status, response.body) == (304, b"")
    assert {b"etag", b"cache-control", b"vary"} == set(dict(response.headers))
    assert dict(response.headers)[b"etag"] == tag.format(etag).encode()


@pytest.mark.parametrize("listed", ['"other"', "unquoted", '"unfinished', "", '"a" *'])
def test_client_with_another_tag_gets_the_document(listed: str) -> None:
    assert (
        ConfigEndpoint().handle(authenticated_project(), a_request(headers={b"if-none-match": listed.encode()})).status
        == 200
    )


def test_first_current_tag_of_a_list_matches() -> None:
    assert match_etag('"b", "a"', ('"a"', '"b"')) == '"a"'
    assert match_etag('"c"', ('"a"', '"b"')) is None
    assert match_etag(None, ('"a"',)) is None


CODINGS = ["br", "gzip", "identity"]
weights = st.sampled_from(["", ";q=0", "; q=0.5", ";Q=0.500", " ;q=1.0", ";q=1", ";q=0.", ";q=0.001"])
names = st.sampled_from(["br", "BR", "gzip", "x-gzip", "identity", "*", "deflate", "zstd"])
texts = st.text(st.characters(max_codepoint=255), max_size=40)


@pytest.mark.parametrize(
    ("accept_encoding", "expected"),
    [
        (None, "identity"),
        ("gzip", "gzip identity"),
        ("GZIP", "gzip identity"),
        ("x-gzip", "gzip identity"),
        ("br", "br identity"),
        ("gzip, deflate, br", "br gzip identity"),
        ("gzip, deflate, br, zstd", "br gzip identity"),
        ("br;q=0.9, gzip", "gzip br identity"),
        ("br, gzip;q=0.5", "br gzip identity"),
        ("br\t;\tq=0.5 ,gzip; q=0.5", "br gzip identity"),
        ("*", "br gzip identity"),
        ("*;q=0.5, br;q=0.1", "gzip identity br"),
        ("br;q=0, *", "gzip identity"),
        ("*;q=0", "identity"),
        ("*;q=0, gzip", "gzip identity"),
        ("gzip;q=0", "identity"),
        ("gzip; q=0.000", "identity"),
        ("identity", "identity"),
        ("identity, gzip;q=0.5", "identity gzip"),
        ("identity;q=0.5, gzip", "gzip identity"),
        ("identity, gzip", "gzip identity"),
        ("identity;q=0, gzip;q=0.001", "gzip identity"),
        ("identity;q=0", "identity"),
        ("deflate", "identity"),
        (",, gzip,", "gzip identity"),
    ],
)
def test_codings_are_ordered_by_weight_then_by_size(accept_encoding: str | None, expected: str) -> None:
    assert accepted_codings(accept_encoding) == tuple(expected.split())


@pytest.mark.parametrize(
    "malformed",
    ["q=nonsense", "q=7", "q=1.1", "q=0.5555", "q=-1", "q=1e-1", "q=inf", "q=nan", "q=", "q", "", "level=5", "q=1;q=1"],
)
def test_coding_with_malformed_weight_is_not_accepted(malformed: str) -> None:
    assert accepted_codings(f"br;{malformed}") == ("identity",)
    assert accepted_codings(f"gzip, br;{malformed}") == ("gzip", "identity")


@given(st.lists(st.tuples(names, weights), unique_by=lambda member: member[0].lower().removeprefix("x-"), max_size=8))
def test_accepted_codings_equal_the_standard(members: list[tuple[str, str]]) -> None:
    given_weights = {
        name.lower().removeprefix("x-"): float(weight.replace(" ", "").lower().removeprefix(";q=") or 1)
        for name, weight in members
    }
    ranked = accepted_codings(", ".join(name + weight for name, weight in members))
    acceptable = {coding for coding in CODINGS if given_weights.get(coding, given_weights.get("*", 0.0)) > 0}
    assert set(ranked) == acceptable | {"identity"}
    by_weight = [given_weights.get(coding, given_weights.get("*", 0.0)) for coding in ranked]
    assert by_weight == sorted(by_weight, reverse=True)


@given(texts | st.lists(texts, max_size=80).map(",".join))
def test_identity_is_always_accepted(accept_encoding: str) -> None:
    assert "identity" in accepted_codings(accept_encoding)
