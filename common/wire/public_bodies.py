"""Bodies of the public endpoints, and the bounds of each field (contract, section 4).

A description is the text of the error that follows the field's name. Unknown members are ignored, null counts as
absent, and `json_body.py` trims the strings before the bounds are checked.
"""

import re
import time
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal, Self

import msgspec
import orjson
from msgspec import Meta

from common.rules.conditions import MAX_NAME_LENGTH
from common.timestamps import timestamp_ms

MAX_DEVICE_ID_LENGTH = 256
MAX_FIELD_LENGTH = 128
MAX_LOCALE_LENGTH = 64
MAX_EVENT_LOCALE_LENGTH = 35
MAX_ATTRIBUTES = 50
MAX_ATTRIBUTE_LENGTH = 1024
MAX_TOKEN_LENGTH = 2048
MAX_PROPERTIES_BYTES = 16 * 1024
MAX_BATCH_EVENTS = 500
SINGLE_BODY_BYTES = 64 * 1024
BATCH_BODY_BYTES = 1024 * 1024
EARLIEST_EVENT = datetime(2000, 1, 1, tzinfo=UTC)
LATEST_EVENT_AHEAD = timedelta(hours=24)
_EARLIEST_EVENT_MS = int(EARLIEST_EVENT.timestamp() * 1000)
_LATEST_EVENT_AHEAD_MS = LATEST_EVENT_AHEAD // timedelta(milliseconds=1)

EVENT_TYPE_PATTERN = r"^[a-z][a-z0-9_.]{0,63}$"
EVENT_TYPE_DESCRIPTION = "must have 1 to 64 of a-z, 0-9, underscore and full stop, a letter first"
#: Any characters except those that `text.py` forbids.
_TEXT = r"^[^\x00-\x08\x0b-\x1f\ud800-\udfff]*$"
#: The shape of a BCP 47 tag (RFC 5646): a language, or a private or grandfathered prefix, and its subtags. Android and
#: POSIX write an underscore between them.
LOCALE = re.compile(r"^(?:[A-Za-z]{2,8}|[xXiI](?=[-_]))(?:[-_][A-Za-z0-9]{1,8})*$")

Field = Annotated[
    str, Meta(min_length=1, max_length=MAX_FIELD_LENGTH, pattern=_TEXT, description="must have 1 to 128 characters")
]
#: A malformed id counts as a flow that the project does not have (contract, section 1).
FlowId = Annotated[str, Meta(pattern=r"\S", description="must not be empty")]
DeviceId = Annotated[
    str, Meta(min_length=1, max_length=MAX_DEVICE_ID_LENGTH, pattern=_TEXT, description="must have 1 to 256 characters")
]
AppVersion = Annotated[
    str, Meta(max_length=MAX_FIELD_LENGTH, pattern=_TEXT, description="must have at most 128 characters")
]
Platform = Annotated[Literal["ios", "android"], Meta(description="must be ios or android")]
Locale = Annotated[
    str,
    Meta(
        max_length=MAX_LOCALE_LENGTH,
        pattern=LOCALE.pattern,
        description="must be a BCP 47 language tag, as pt-BR",
    ),
]
EventLocale = Annotated[
    str, Meta(max_length=MAX_EVENT_LOCALE_LENGTH, pattern=_TEXT, description="must have at most 35 characters")
]
Country = Annotated[str, Meta(pattern=r"^[A-Za-z]{2}$", description="must be an ISO 3166-1 alpha-2 country code")]
EventType = Annotated[str, Meta(pattern=EVENT_TYPE_PATTERN, description=EVENT_TYPE_DESCRIPTION)]
Token = Annotated[str, Meta(max_length=MAX_TOKEN_LENGTH, description="must have at most 2048 characters")]
AttributeName = Annotated[str, Meta(min_length=1, max_length=MAX_NAME_LENGTH, pattern=_TEXT)]
AttributeValue = Annotated[str, Meta(max_length=MAX_ATTRIBUTE_LENGTH, pattern=_TEXT)] | bool | int | float
Attributes = Annotated[
    dict[AttributeName, AttributeValue],
    Meta(
        max_length=MAX_ATTRIBUTES,
        description="must be a flat object of at most 50 strings, numbers and booleans, "
        "with names of 1 to 128 and strings of at most 1024 characters, without control characters",
    ),
]


def any_time_ms(text: str) -> int:
    """Return the Unix milliseconds of an ISO 8601 timestamp. Raises ValueError with the text for the client."""
    try:
        return timestamp_ms(text)
    except ValueError:
        raise ValueError("must be an ISO 8601 timestamp, as 2026-11-20T19:12:03.123Z") from None


def corrected_time_ms(unix_ms: int, skew_ms: int, now_ms: int) -> int:
    """Return the time of an event by the clock of the service, within the limits of times.

    `skew_ms` is the clock of the device minus that of the service.
    """
    return min(max(unix_ms - skew_ms, _EARLIEST_EVENT_MS), now_ms + _LATEST_EVENT_AHEAD_MS)


def event_time_ms(text: str, now_ms: int) -> int:
    """Return the Unix milliseconds of an event's ISO 8601 timestamp. Raises ValueError with the text for the client."""
    unix_ms = any_time_ms(text)
    if unix_ms < _EARLIEST_EVENT_MS:
        raise ValueError("must not be before the year 2000")
    if unix_ms > now_ms + _LATEST_EVENT_AHEAD_MS:
        raise ValueError("must not be more than 24 hours in the future")
    return unix_ms


class EventTime:
    """The time of an event, in Unix milliseconds.

    A plain class: msgspec would convert a struct field by field, without :meth:`from_json`.
    """

    __slots__ = ("unix_ms",)

    def __init__(self, unix_ms: int) -> None:
        self.unix_ms = unix_ms

    @classmethod
    def from_json(cls, value: object) -> Self:
        """Parse an ISO 8601 timestamp, at the earliest 2000, at most a day ahead. Raises ValueError."""
        return cls(event_time_ms(value if isinstance(value, str) else "", int(time.time() * 1000)))


class SentTime:
    """The time of a device's clock when it sends a body, in Unix milliseconds; any time, because clocks are wrong."""

    __slots__ = ("unix_ms",)

    def __init__(self, unix_ms: int) -> None:
        self.unix_ms = unix_ms

    @classmethod
    def from_json(cls, value: object) -> Self:
        """Parse an ISO 8601 timestamp. Raises ValueError."""
        return cls(any_time_ms(value if isinstance(value, str) else ""))


class Properties:
    """The free part of an event: an object with any names and values."""

    __slots__ = ("members",)

    def __init__(self, members: dict[str, Any]) -> None:
        self.members = members

    @classmethod
    def from_json(cls, value: object) -> Self:
        """Accept an object of at most 16 KiB as JSON. Raises ValueError."""
        if not isinstance(value, dict):
            raise ValueError("must be an object")  # noqa: TRY004 - `convert_object` expects a ValueError
        if len(orjson.dumps(value)) > MAX_PROPERTIES_BYTES:
            raise ValueError("must have at most 16 KiB as JSON")
        return cls(value)


class ResolveBody(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The body of POST /api/onboarding/resolve."""

    device_id: DeviceId
    platform: Platform | None = None
    app_version: AppVersion | None = None
    os_version: AppVersion | None = None
    locale: Locale | None = None
    country: Country | None = None
    attributes: Attributes | None = None
    assignment_token: Token | None = None


class EventBody(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The body of POST /api/analytics/event, and one item of a batch."""

    event_type: EventType
    device_id: DeviceId
    event_id: Field | None = None
    flow_id: FlowId | None = None
    screen_id: Field | None = None
    experiment_id: Field | None = None
    variant: Field | None = None
    session_id: Field | None = None
    timestamp: EventTime | None = None
    sent_at: SentTime | None = None
    platform: Platform | None = None
    app_version: AppVersion | None = None
    locale: EventLocale | None = None
    properties: Properties | None = None


class EventBatchBody(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The body of POST /api/analytics/events; each item is checked by itself."""

    events: Annotated[
        list[Any], Meta(min_length=1, max_length=MAX_BATCH_EVENTS, description="must be a list of 1 to 500 events")
    ]
    sent_at: SentTime | None = None
