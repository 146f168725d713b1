"""Timestamps on the wire."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.timestamps import format_timestamp, parse_timestamp, utc_now


def test_timestamp_is_formatted_in_utc_with_milliseconds() -> None:
    moment = datetime(2026, 11, 20, 21, 12, 3, 123999, tzinfo=timezone(timedelta(hours=2)))
    assert format_timestamp(moment) == "2026-11-20T19:12:03.123Z"


@given(st.datetimes(min_value=datetime(1000, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001 - hypothesis adds the zone
def test_formatted_timestamp_is_parsed_to_the_millisecond(moment: datetime) -> None:
    assert parse_timestamp(format_timestamp(moment)) == moment.replace(microsecond=moment.microsecond // 1000 * 1000)


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-20T19:12:03Z",
        "2026-11-20 21:12:03+02:00",
        "2026-11-20T19:12:03",
        "2026-11-20T19:12:03,000000000Z",
        "20261120T191203Z",
        "20261120T141203-0500",
        "2026-W47-5T19:12:03Z",
    ],
)
def test_forms_of_iso_8601_are_parsed_with_utc_as_default(text: str) -> None:
    assert parse_timestamp(text) == datetime(2026, 11, 20, 19, 12, 3, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "T",
        "now T",
        "2026-11-20",
        "2026-02-30T00:00:00Z",
        "2026-11-20T25:00:00Z",
        "0001-01-01T00:00:00+14:00",
        # `datetime.fromisoformat` parses all of these, some as another time.
        "2026-11-20T19:103Z",
        "20261120T191Z",
        "2026-11-20T19:12,03Z",
        "2026-11-20T19:12:03:123Z",
        "2026-11-20T19:12:03x+02:00",
        "2026-11-20T19:12:03 Z",
        "2026-11-20T19:12:03.Z",
        "2026-11-20T19:12:03+02:99",
        "2026-11-20T19:12:03+02.5",
        "2026-11-20x19:12:03 ",
    ],
)
def test_text_that_is_no_timestamp_is_rejected(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_timestamp(text)


@given(st.text(max_size=40))
def test_any_text_is_parsed_or_rejected(text: str) -> None:
    try:
        assert parse_timestamp(text).utcoffset() == timedelta(0)
    except ValueError as error:
        assert str(error)  # noqa: PT017 - either outcome is right, another exception is not


def test_now_is_aware() -> None:
    assert utc_now().utcoffset() == timedelta(0)
