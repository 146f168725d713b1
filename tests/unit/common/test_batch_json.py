"""A batch is read although one of its items cannot be stored; what is around the items must be storable."""

import pytest

from common.batch_json import parse_batch_object
from common.errors import MalformedBodyError
from common.json_rules import value_problem


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
def test_items_are_left_for_others_to_judge(body: bytes, items: list[object]) -> None:
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
def test_what_is_around_them_is_refused(body: bytes) -> None:
    with pytest.raises(MalformedBodyError):
        parse_batch_object(body)


@pytest.mark.parametrize("depth", [40, 900, 1100, 100_000])
@pytest.mark.parametrize(("opened", "closed"), [(b"[", b"]"), (b'{"]": ', b"}"), (b'[{"\\"[": ', b"}]")])
def test_an_item_nested_without_end_leaves_the_others_whole(depth: int, opened: bytes, closed: bytes) -> None:
    deep = opened * depth + b"1e999" + closed * depth
    items = parse_batch_object(b'{"events": [[1], %b, {"a": "[{"}]}' % deep)["events"]
    assert (items[0], items[2]) == ([1], {"a": "[{"})
    assert value_problem(items[1]) is not None


@pytest.mark.timeout(10)
@pytest.mark.parametrize("part", [b'"', b'\\"', b'"\\', b"[]", b"{", b'[""'])
def test_a_body_of_one_part_again_and_again_takes_no_time(part: bytes) -> None:
    with pytest.raises(MalformedBodyError):
        parse_batch_object(b'{"events": [1e999' + part * 300_000)
