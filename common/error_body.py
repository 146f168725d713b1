"""The body of every non-2xx answer of both services (contract, section 1, Errors)."""

from typing import Any

import orjson

from common.errors import RequestError


def error_document(error: RequestError) -> dict[str, Any]:
    """Give the members of the error body; `details` is there for validation errors only."""
    document: dict[str, Any] = {"success": False, "error": error.message, "code": error.code.value}
    if error.shows_status:
        document["status"] = error.status
    if error.details:
        document["details"] = [
            {"field": detail.field, "code": detail.code.value, "message": detail.message} for detail in error.details
        ]
    return document


def error_body(error: RequestError) -> bytes:
    """Give the error body as finished JSON bytes."""
    return orjson.dumps(error_document(error))
