"""JSON bodies: parsed, checked for what PostgreSQL can store, and converted with an error for every bad field."""

from collections.abc import Callable
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
    object_error,
    parse_batch_object,
    parse_object,
    value_error,
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
@pytest.mark.parametrize("parse", [parse_object, parse_batch_object])
def test_body_that_is_no_object_is_rejected(body: bytes, parse: Callable[[bytes], object]) -> None:
    with pytest.raises(MalformedBodyError, match=r"^The request body must be a JSON object$"):
        parse(body)


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


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b'{"a":NaN}', b'{"a":-Infinity}', b'{"a":' * 100_000])
def test_batch_that_is_no_json_is_rejected(body: bytes) -> None:
    with pytest.raises(MalformedBodyError, match=r"^The request body must be valid JSON$"):
        parse_batch_object(body)


def nested(levels: int, kind: str) -> Any:  # noqa: ANN401 - nested JSON has no finite type
    """Return a number of objects or lists inside of each other."""
    value: Any = 1
    for _ in range(levels):
        value = {"a": value} if kind == "object" else [value]
    return value


@pytest.mark.parametrize("kind", ["object", "list"])
def test_32_levels_are_allowed_and_33_rejected(kind: str) -> None:
    assert value_error(nested(MAX_DEPTH, kind)) is None
    assert value_error(nested(MAX_DEPTH + 1, kind)) == "must not be nested deeper than 32 levels"


def test_many_brackets_side_by_side_are_not_deep() -> None:
    document: dict[str, Any] = {"a": [[] for _ in range(100)]}
    assert object_error(orjson.dumps(document), document) is None


@pytest.mark.parametrize("document", [{"a": "\0"}, {"\0": 1}, {"a": [{"b": ["x\0"]}]}])
def test_nul_is_rejected_in_any_place(document: dict[str, Any]) -> None:
    assert object_error(orjson.dumps(document), document) is not None


def test_escaped_backslash_before_u0000_is_text() -> None:
    document = {"a": "\\u0000"}
    assert object_error(orjson.dumps(document), document) is None


@pytest.mark.parametrize("value", ["\ud800", ["\udfff"], {"\ud800": 1}, float("inf"), [float("nan")]])
def test_value_that_only_the_lenient_parser_accepts_is_rejected(value: object) -> None:
    assert value_error(value) is not None


@given(
    st.dictionaries(
        st.text(),
        st.recursive(st.text() | st.none() | st.integers(-9, 9), lambda inner: st.lists(inner, max_size=3)),
        max_size=3,
    )
)
def test_shortcut_by_bytes_agrees_with_walk(document: dict[str, Any]) -> None:
    assert object_error(orjson.dumps(document), document) == value_error(document)


@pytest.mark.parametrize(
    ("body", "items"),
    [
        (b'{"events": [1, 2]}', [1, 2]),
        (b'{"events": ["\\ud800"]}', ["\ud800"]),
        (b'{"events": [{"\\ud800": 1}]}', [{"\ud800": 1}]),
        (b'{"events": [1e999]}', [float("inf")]),
        (b'{"events": [1e999, 12345678901234567890]}', [float("inf"), 12345678901234567890.0]),
    ],
)
def test_items_of_batch_are_not_checked(body: bytes, items: list[object]) -> None:
    assert parse_batch_object(body) == {"events": items}


@pytest.mark.parametrize(
    "body",
    [
        b'{"\\ud800": 1}',
        b'{"events": "\\ud800"}',
        b'{"events": {"\\ud800": 1}}',
        b'{"events": [], "note": "\\ud800"}',
        b'{"events": 1e999}',
        b'{"events": [NaN]}',
        b'{"events": [',
        b'["\\ud800"]',
        b"\xff",
        b"[" * 100_000,
        b'{"events": ' + b"[" * 100_000 + b"}" * 100_000 + b"}",
        b'{"events": [], "note": {"a": ' + b"[" * 5000 + b"]" * 5000 + b"}}",
    ],
)
def test_unstorable_value_outside_of_items_is_rejected(body: bytes) -> None:
    with pytest.raises(MalformedBodyError):
        parse_batch_object(body)


@pytest.mark.parametrize("depth", [40, 900, 1100, 100_000])
@pytest.mark.parametrize(("opened", "closed"), [(b"[", b"]"), (b'{"]": ', b"}"), (b'[{"\\"[": ', b"}]")])
def test_deeply_nested_item_leaves_other_items_complete(depth: int, opened: bytes, closed: bytes) -> None:
    deep = opened * depth + b"1e999" + closed * depth
    items = parse_batch_object(b'{"events": [[1], %b, {"a": "[{"}]}' % deep)["events"]
    assert (items[0], items[2]) == ([1], {"a": "[{"})
    assert value_error(items[1]) is not None


@pytest.mark.timeout(10)
@pytest.mark.parametrize("part", [b'"', b'\\"', b'"\\', b"[]", b"{", b'[""'])
def test_repeated_part_is_parsed_in_linear_time(part: bytes) -> None:
    with pytest.raises(MalformedBodyError):
        parse_batch_object(b'{"events": [1e999' + part * 300_000)
