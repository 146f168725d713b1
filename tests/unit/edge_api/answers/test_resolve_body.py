"""The short way and the whole way of reading a resolve's body come to the same."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.errors import RequestError
from common.json_body import convert_object, parse_object
from common.wire.public_bodies import ResolveBody
from edge_api.answers.resolve_body import read_resolve_body

TEXTS = st.text(st.characters(max_codepoint=0x3000), max_size=6) | st.sampled_from(
    ["ios", "pt-BR", "BR", " x ", "\u00a0x", "x" * 129, "x" * 257, "\x00", "\x0b", "\t", "\ud800", ""]
)
VALUES = TEXTS | st.none() | st.integers() | st.booleans() | st.floats() | st.lists(st.none(), max_size=1)
MEMBERS = (
    "deviceId",
    "platform",
    "appVersion",
    "osVersion",
    "locale",
    "country",
    "assignmentToken",
    "other",
    "attributes",
)
BODIES = st.dictionaries(st.sampled_from(MEMBERS), VALUES | st.dictionaries(TEXTS, VALUES, max_size=2))


def outcome(read: Callable[[bytes], ResolveBody], body: bytes) -> object:
    """Give what was read of the body, or how it was refused."""
    try:
        found = read(body)
    except RequestError as error:
        return error.code, error.message, error.details
    return [getattr(found, name) for name in ResolveBody.__struct_fields__]


def whole_way(body: bytes) -> ResolveBody:
    """Read it as every other body is read."""
    return convert_object(parse_object(body), ResolveBody)


@given(BODIES, st.booleans())
def test_any_object_is_read_or_refused_alike(document: dict[str, Any], escaped: bool) -> None:  # noqa: FBT001 - drawn
    body = json.dumps({"deviceId": "phone", **document}, ensure_ascii=escaped).encode("utf-8", "surrogatepass")
    assert outcome(read_resolve_body, body) == outcome(whole_way, body)


@pytest.mark.parametrize(
    "body",
    [
        b'{"deviceId":"a","deviceId":"b"}',
        b'{"deviceId":"a"}x',
        b'\xef\xbb\xbf{"deviceId":"a"}',
        b'{"deviceId":"\xff"}',
        b'{"deviceId":"a\x01"}',
        b'{"deviceId":"a","x":1e999}',
        b'{"deviceId":"a","x":' + b"[" * 40 + b"]" * 40 + b"}",
        b'{"deviceId":"a","attributes":{"n":123456789012345678901234567890}}',
        b'{"deviceId":"a","platform":"web"}',
        b'{"deviceId":null}',
        b' { "deviceId" : "a" , "platform" : "ios" } ',
        b"[]",
        b"",
    ],
)
def test_what_is_unusual_is_read_or_refused_alike(body: bytes) -> None:
    assert outcome(read_resolve_body, body) == outcome(whole_way, body)
