"""How large a body may be, and how it must be declared (contract, section 1)."""

from common.errors import PayloadTooLargeError, UnsupportedMediaTypeError
from edge_api.answers.request_head import RequestHeaders

SINGLE_BODY_BYTES = 64 * 1024
BATCH_BODY_BYTES = 1024 * 1024
JSON_TYPE = "application/json"


def check_media_type(head: RequestHeaders) -> None:
    """Refuse a body that is not declared as JSON. Raises UnsupportedMediaTypeError."""
    declared = head.content_type
    if declared == JSON_TYPE:
        return
    if declared is None or declared.partition(";")[0].strip().lower() != JSON_TYPE:
        raise UnsupportedMediaTypeError


def check_declared_body(head: RequestHeaders, limit_bytes: int) -> None:
    """Refuse a body by its headers, before any of it is read.

    Raises UnsupportedMediaTypeError and PayloadTooLargeError. A length that is declared smaller than the body is,
    or not at all, is found out while reading.
    """
    check_media_type(head)
    length = head.content_length
    if length is not None and length.isdecimal() and _exceeds(length, limit_bytes):
        raise PayloadTooLargeError(limit_bytes)


def _exceeds(length: str, limit_bytes: int) -> bool:
    """Compare without making a number of more digits than any length has, which Python would refuse."""
    digits = length.lstrip("0")
    return len(digits) > len(str(limit_bytes)) or (digits != "" and int(digits) > limit_bytes)
