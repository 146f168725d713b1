"""A batch is read although one of its items cannot be stored; what is around the items must be storable."""

import pytest

from common.batch_json import parse_batch_object
from common.errors import MalformedBodyError


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
    ],
)
def test_what_is_around_them_is_refused(body: bytes) -> None:
    with pytest.raises(MalformedBodyError):
        parse_batch_object(body)
