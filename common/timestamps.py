"""Timestamps on the wire: ISO 8601, UTC, milliseconds, `Z` (contract, section 1)."""

import re
from datetime import UTC, datetime

#: The accepted forms of ISO 8601, extended and basic. Python's own parser skips unexpected characters: it parses
#: `19:103` as 19:10, and ignores an `x` after the seconds.
_is_timestamp = re.compile(
    r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{8}|[0-9]{4}-W[0-9]{2}-[0-9]|[0-9]{4}W[0-9]{3})[T ]"
    r"[0-9]{2}(?::?[0-9]{2}(?::?[0-9]{2}(?:[.,][0-9]+)?)?)?(?:Z|[+-][0-9]{2}(?::?[0-5][0-9])?)?"
).fullmatch
#: The form that SDKs send, checked in half the time.
_is_usual = re.compile(r"\d\d\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d\dZ", re.ASCII).fullmatch
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECONDS_PER_DAY = 86_400


def format_timestamp(moment: datetime) -> str:
    """Format an aware datetime as `2026-11-20T19:12:03.123Z`."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_timestamp(text: str) -> datetime:
    """Parse an ISO 8601 date and time; without an offset it is in UTC. Raises ValueError."""
    if _is_timestamp(text) is None:
        raise ValueError("is no ISO 8601 timestamp")
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("is out of range") from error


def timestamp_ms(text: str) -> int:
    """Return the Unix milliseconds of an ISO 8601 date and time, as `parse_timestamp` reads it. Raises ValueError.

    Rounded down; in a small part of the time of a conversion to UTC.
    """
    if _is_usual(text) is None and _is_timestamp(text) is None:
        raise ValueError("is no ISO 8601 timestamp")
    moment = datetime.fromisoformat(text)
    since = (moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment) - _EPOCH
    return (since.days * _SECONDS_PER_DAY + since.seconds) * 1000 + since.microseconds // 1000


def utc_now() -> datetime:
    """Return the current time as an aware datetime in UTC."""
    return datetime.now(UTC)
