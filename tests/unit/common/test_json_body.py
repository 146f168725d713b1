"""JSON bodies: parsed, checked for what PostgreSQL can store, and converted with an error for every bad field."""

from typing import Annotated, Any

import msgspec
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.errors import InvalidRequestError, MalformedBodyError
from common.json_body import (
    MAX_DEPTH,
    convert_object,
    parse_object,
    storage_error,
)


class Thing(msgspec.Struct, rename="camel"):
    """A body with one described field and one without a description."""

    some_number: Annotated[int, msgspec.Meta(ge=1, description="must be at least 1")]
    some_list: list[int] | None = None


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b'{"a":"\\ud800"}', b'{"a":1e999}', b"{}{}", b"\xef\xbb\xbf{}"])
def test_body_that_is_no_json_is_rejected(body: bytes) -> None:
    with pytest.raises(MalformedBodyError, match=r"^The request body must be valid JSON$"):
        parse_object(body)


@pytest.mark.parametrize("body", [b"[]", b"null", b"1", b'"a"'])
def test_body_that_is_no_object_is_rejected(body: bytes) -> None:
    with pytest.raises(MalformedBodyError, match=r"^The request body must be a JSON object$"):
        parse_object(body)


def test_last_of_duplicate_members_counts() -> None:
    assert parse_object(b'{"a":1,"a":2}') == {"a": 2}


def test_object_is_converted_to_struct() -> None:
    assert convert_object({"someNumber": 1, "unknown": 2}, Thing) == Thing(1)


def test_field_error_is_the_description_without_the_clients_text() -> None:
    with pytest.raises(InvalidRequestError) as raised:
        convert_object({"someNumber": 0, "someList": ["<script>"]}, Thing)
    assert [(detail.field, detail.message) for detail in raised.value.details] == [
        ("someNumber", "must be at least 1"),
        ("someList", "is invalid"),
    ]


def nested(levels: int, kind: str) -> Any:  # noqa: ANN401 - nested JSON has no finite type
    """Return a number of objects or lists inside of each other."""
    value: Any = 1
    for _ in range(levels):
        value = {"a": value} if kind == "object" else [value]
    return value


@pytest.mark.parametrize("kind", ["object", "list"])
def test_32_levels_are_allowed_and_33_rejected(kind: str) -> None:
    assert storage_error(orjson.dumps(nested(MAX_DEPTH, kind))) is None
    assert storage_error(orjson.dumps(nested(MAX_DEPTH + 1, kind))) == "must not be nested deeper than 32 levels"


def test_many_brackets_side_by_side_are_not_deep() -> None:
    document: dict[str, Any] = {"a": [[] for _ in range(100)]}
    assert storage_error(orjson.dumps(document)) is None


@pytest.mark.parametrize("document", [{"a": "\0"}, {"\0": 1}, {"a": [{"b": ["x\0"]}]}])
def test_nul_is_rejected_in_any_place(document: dict[str, Any]) -> None:
    assert storage_error(orjson.dumps(document)) is not None


def test_escaped_backslash_before_u0000_is_text() -> None:
    document = {"a": "\\u0000"}
    assert storage_error(orjson.dumps(document)) is None


@given(
    st.recursive(
        st.sampled_from([1, "", "[", '\\"{', "]\\", "\0"]),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from('a["\\'), inner, max_size=2),
        max_leaves=60,
    )
)
def test_check_of_bytes_agrees_with_a_walk_through_the_value(value: object) -> None:
    error = storage_error(orjson.dumps(value))
    if has_nul(value):
        assert error == "must not contain NUL characters or lone surrogates"
    else:
        assert error == ("must not be nested deeper than 32 levels" if depth_of(value) > MAX_DEPTH else None)


def has_nul(value: object) -> bool:
    """Return whether a text in the value has a NUL character."""
    if isinstance(value, dict):
        return any(map(has_nul, value.values()))
    return any(map(has_nul, value)) if isinstance(value, list) else value == "\0"


def depth_of(value: object) -> int:
    """Return how many lists and objects are inside of each other."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth_of, inner), default=0)
