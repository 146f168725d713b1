"""Responses: the envelope, CSV tables, and content without an envelope (contract, section 3)."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any

import falcon
from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, WithJsonSchema
from pydantic_core import to_json
from sqlalchemy import Row

from common.errors import ConflictError
from common.timestamps import format_timestamp
from management_api.auth.lists import PageRequest

#: A time in a response.
Timestamp = Annotated[
    datetime,
    PlainSerializer(format_timestamp, return_type=str),
    WithJsonSchema(
        {
            "type": "string",
            "format": "date-time",
            "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$",
            "examples": ["2026-11-20T19:12:03.123Z"],
        },
        mode="serialization",
    ),
]

Count = Annotated[int, Field(ge=0)]
Fraction = Annotated[float, Field(ge=0, le=1)]
CompletionRate = Annotated[
    float, Field(ge=0, le=1, description="Users who completed, divided by users who started; 0 without a start.")
]


class ResponseModel(BaseModel):
    """Base of responses; validates mapped objects and rows by their attributes."""

    model_config = ConfigDict(from_attributes=True, frozen=True)


def rows_as_dicts(rows: Sequence[Row[Any]]) -> list[dict[str, Any]]:
    """Return rows of one statement as dictionaries, which pydantic validates in less than half the time of rows."""
    names = rows[0]._fields if rows else ()
    return [dict(zip(names, row, strict=True)) for row in rows]


def is_none(value: object) -> bool:
    """Return whether a member is left out of a response: `Field(default=None, exclude_if=is_none)`."""
    return value is None


def is_false(value: object) -> bool:
    """Return whether a flag is left out of a response unless it is true: `Field(default=None, exclude_if=is_false)`."""
    return not value


def is_empty(value: Collection[Any]) -> bool:
    """Return whether a list or an object is left out of a response: `Field(exclude_if=is_empty)`."""
    return not value


class ETagModel(ResponseModel):
    """Base of responses with an ETag, whose object `If-Match` may protect."""


class Pagination(ResponseModel):
    """The place of the items in the whole list."""

    page: int
    limit: int
    total: Count = Field(description="The number of items on all pages.")
    #: The interface spells it so.
    totalPages: Count = Field(description="The number of pages; 0 without an item.")  # noqa: N815
    next: str | None = Field(
        default=None,
        exclude_if=is_none,
        description="Of the list of events: the `cursor` of the next page, if this page was requested by a cursor, or"
        " ended early because it would read too many events.",
    )

    @classmethod
    def for_page(cls, request: PageRequest, total: int, following: str | None = None) -> "Pagination":
        """Return the pagination of a page; an empty list has no pages."""
        pages = -(-total // request.limit)
        return cls(page=request.number, limit=request.limit, total=total, totalPages=pages, next=following)


def envelope(
    data: ResponseModel | list[Any] | None = None,
    *,
    pagination: Pagination | None = None,
    message: str | None = None,
) -> bytes:
    """Return the body of a success as JSON. The envelope has no members without a value."""
    document: dict[str, Any] = {"success": True}
    if data is not None:
        document["data"] = data
    if pagination is not None:
        document["pagination"] = pagination
    if message is not None:
        document["message"] = message
    return to_json(document, inf_nan_mode="null")


#: Of a response (contract, Quotas of a project). Lists leave out what is large, so only content that was stored before
#: its limits can be larger.
MAX_RESPONSE_BYTES = 16 * 1024 * 1024

#: A spreadsheet computes a cell that begins with one of these, also in their full-width form.
_FORMULA_SIGNS = ("=", "+", "-", "@")
#: Programs may split a line at these, depending on the user's language, or ignore them before a formula sign.
_SEPARATORS = re.compile(r"[\s,;|]+")
_CONTROLS = ("\t", "\r", "\n")
#: A field with another character stands in quotes, so that nothing in it separates fields.
_BARE_FIELD = re.compile(r'[^",;|\t\r\n]*')


def csv_table(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> bytes:
    """Return a header and the rows; null is an empty field. A text that a spreadsheet would compute gets a quote."""
    return csv_line(columns, dict(zip(columns, columns, strict=True))) + b"".join(
        csv_line(columns, row) for row in rows
    )


def csv_line(columns: Sequence[str], row: Mapping[str, object]) -> bytes:
    """Return one line of a table."""
    return (",".join(_field(_cell(row[column])) for column in columns) + "\r\n").encode()


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = str(value)
    return f"'{text}" if isinstance(value, str) and _is_formula(text) else text


def _is_formula(text: str) -> bool:
    start = unicodedata.normalize("NFKC", text)
    separators = _SEPARATORS.match(start)
    return text.startswith(_CONTROLS) or start.startswith(_FORMULA_SIGNS, separators.end() if separators else 0)


def _field(text: str) -> str:
    if _BARE_FIELD.fullmatch(text):
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


@dataclass(frozen=True, eq=False)
class RawResponse:
    """A response without an envelope: its media types, and the JSON Schema of its content."""

    media_types: tuple[str, ...]
    schema: Mapping[str, Any] = field(default_factory=dict)


#: Without the charset that Falcon's constant has, which is part neither of `Accept` nor of the OpenAPI document.
MEDIA_CSV = "text/csv"
#: A JSON document on each line.
MEDIA_JSON_LINES = "application/x-ndjson"


def respond(
    response: falcon.Response,
    data: ResponseModel | list[Any] | None = None,
    *,
    pagination: Pagination | None = None,
    message: str | None = None,
    tag: str | None = None,
) -> None:
    """Set the envelope as the body, which is serialized now, while the transaction is open. Raises ConflictError.

    `tag` is the entity tag of the object in `data` (`auth/access.py`).
    """
    if tag is not None:
        response.set_header("ETag", f'"{tag}"')
    response.content_type = falcon.MEDIA_JSON
    body = envelope(data, pagination=pagination, message=message)
    if len(body) > MAX_RESPONSE_BYTES:
        raise ConflictError(f"The response would be larger than {MAX_RESPONSE_BYTES} bytes; request fewer items")
    response.data = body


#: Of HTML of this service: it opens no windows, uses no device, and sends its address nowhere.
PAGE_HEADERS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
}


def preferred_type(request: falcon.Request, *others: str) -> str:
    """Return the media type that the client prefers, of JSON and others; a malformed `Accept` means JSON."""
    try:
        # Falcon compares letter by letter, but media types may be written in any case (RFC 9110, section 8.3.1).
        return falcon.mediatypes.best_match([falcon.MEDIA_JSON, *others], request.accept.lower()) or falcon.MEDIA_JSON
    except ValueError:
        return falcon.MEDIA_JSON


def prefers_csv(request: falcon.Request) -> bool:
    """Return whether the client prefers CSV to JSON."""
    return preferred_type(request, MEDIA_CSV) == MEDIA_CSV


def respond_with_csv(response: falcon.Response, table: bytes, file_name: str) -> None:
    """Respond with a table as CSV, to be saved under a file name."""
    response.content_type = f"{MEDIA_CSV}; charset=utf-8; header=present"
    response.downloadable_as = file_name
    response.data = table


def respond_with_json_lines(response: falcon.Response, lines: bytes, file_name: str) -> None:
    """Respond with a JSON document on each line, to be saved under a file name."""
    response.content_type = MEDIA_JSON_LINES
    response.downloadable_as = file_name
    response.data = lines
