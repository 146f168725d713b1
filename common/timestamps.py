"""Moments as the wire shows them: ISO 8601, UTC, milliseconds, `Z` (contract, section 1)."""

import re
from datetime import UTC, datetime

#: The forms of ISO 8601 that are read, extended and basic. Python's own reader passes over what it does not expect: it
#: would make 19:10 of `19:103`, and of seconds with an `x` behind them what they were without it.
_FORM = re.compile(
    r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{8}|[0-9]{4}-W[0-9]{2}-[0-9]|[0-9]{4}W[0-9]{3})[T ]"
    r"[0-9]{2}(?::?[0-9]{2}(?::?[0-9]{2}(?:[.,][0-9]+)?)?)?(?:Z|[+-][0-9]{2}(?::?[0-5][0-9])?)?"
)


def format_timestamp(moment: datetime) -> str:
    """Render an aware datetime as `2026-11-20T19:12:03.123Z`."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_timestamp(text: str) -> datetime:
    """Read an ISO 8601 timestamp, a date and a time; one without an offset is taken as UTC. Raises ValueError."""
    if _FORM.fullmatch(text) is None:
        raise ValueError("is no ISO 8601 timestamp")
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("is out of range") from error


def utc_now() -> datetime:
    """Give the present moment, aware, in UTC."""
    return datetime.now(UTC)
