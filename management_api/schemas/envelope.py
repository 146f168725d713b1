"""The envelope of every answer of this service, and how values look in it (contract, section 3)."""

from datetime import datetime
from typing import Annotated, Any

import orjson
from pydantic import BaseModel, ConfigDict, PlainSerializer, WithJsonSchema

from common.timestamps import format_timestamp
from management_api.operations.paging import PageRequest

#: A moment as the wire shows it.
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


class ResponseModel(BaseModel):
    """Base of what is shown; it reads attributes of models and rows."""

    model_config = ConfigDict(from_attributes=True, frozen=True)


#: What is shown most is made as plain objects, whose models only document them: to make and check a model for each
#: thing costs more than to read it. `test_plain_views.py` holds both alike.
PlainView = dict[str, Any]


class TaggedModel(ResponseModel):
    """Base of what has an ETag when it is shown alone; it is changed and deleted If-Match."""


class Pagination(ResponseModel):
    """The pagination object of a list (interface, section 4)."""

    page: int
    limit: int
    total: int
    totalPages: int  # noqa: N815 - the interface spells it so

    @classmethod
    def of(cls, request: PageRequest, total: int) -> "Pagination":
        """Count the pages; there are none of nothing."""
        return cls(page=request.number, limit=request.limit, total=total, totalPages=-(-total // request.limit))


def envelope(
    data: ResponseModel | PlainView | list[Any] | None = None,
    *,
    pagination: Pagination | None = None,
    message: str | None = None,
) -> bytes:
    """Give the finished body of a success. Members without a value are left out of the envelope itself."""
    document: dict[str, Any] = {"success": True}
    if data is not None:
        document["data"] = data
    if pagination is not None:
        document["pagination"] = pagination
    if message is not None:
        document["message"] = message
    return orjson.dumps(document, default=_dump)


def _dump(value: object) -> Any:  # noqa: ANN401 - whatever JSON can show
    if isinstance(value, BaseModel):
        return value.model_dump(by_alias=True)
    raise TypeError(f"{type(value).__name__} has no JSON form")
