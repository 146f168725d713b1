"""Moments as the wire shows them: ISO 8601, UTC, milliseconds, `Z` (contract, section 1)."""

from datetime import UTC, datetime


def format_timestamp(moment: datetime) -> str:
    """Render an aware datetime as `2026-11-20T19:12:03.123Z`."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_timestamp(text: str) -> datetime:
    """Read an ISO 8601 timestamp; one without an offset is taken as UTC. Raises ValueError."""
    if "T" not in text and " " not in text:
        raise ValueError("must have a date and a time")
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
