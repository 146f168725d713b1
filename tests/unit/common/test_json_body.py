"""Bodies parsed, and refused in words of ours."""

from collections.abc import Callable
from typing import Annotated

import msgspec
import pytest

from common.batch_json import parse_batch_object
from common.errors import InvalidRequestError, MalformedBodyError
from common.json_body import convert_object, parse_object


class Thing(msgspec.Struct, rename="camel"):
    """A body with a described field and one that is not."""

    some_number: Annotated[int, msgspec.Meta(ge=1, description="must be at least 1")]
    some_list: list[int] | None = None


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b'{"a":"\\ud800"}', b'{"a":1e999}', b"{}{}", b"\xef\xbb\xbf{}"])
def test_what_is_no_json_is_refused(body: bytes) -> None:
    with pytest.raises(MalformedBodyError, match=r"^The request body must be valid JSON$"):
        parse_object(body)


@pytest.mark.parametrize("body", [b"[]", b"null", b"1", b'"a"'])
@pytest.mark.parametrize("parse", [parse_object, parse_batch_object])
def test_what_is_no_object_is_refused(body: bytes, parse: Callable[[bytes], object]) -> None:
    with pytest.raises(MalformedBodyError, match=r"^The request body must be a JSON object$"):
        parse(body)


def test_of_duplicate_members_the_last_counts() -> None:
    assert parse_object(b'{"a":1,"a":2}') == {"a": 2}


def test_an_object_becomes_a_struct() -> None:
    assert convert_object({"someNumber": 1, "unknown": 2}, Thing) == Thing(1)


def test_a_complaint_is_the_description_or_a_plain_word_never_the_clients_text() -> None:
    with pytest.raises(InvalidRequestError) as raised:
        convert_object({"someNumber": 0, "someList": ["<script>"]}, Thing)
    assert [(detail.field, detail.message) for detail in raised.value.details] == [
        ("someNumber", "must be at least 1"),
        ("someList", "is invalid"),
    ]


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b'{"a":NaN}', b'{"a":-Infinity}', b'{"a":' * 100_000])
def test_what_is_no_json_is_refused_of_a_batch_too(body: bytes) -> None:
    with pytest.raises(MalformedBodyError, match=r"^The request body must be valid JSON$"):
        parse_batch_object(body)
