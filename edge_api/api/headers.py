"""Headers as the edge reads them: trimmed values, entity tags, and the declared type and length of a body."""

import re
from collections.abc import Collection

from common.errors import PayloadTooLargeError, UnsupportedMediaTypeError
from edge_api.api.request import CONTENT_LENGTH, CONTENT_TYPE, Headers

_JSON = b"application/json"
_TAG = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')


def header_text(headers: Headers, name: bytes) -> str | None:
    """Return the trimmed value of a header; None if it is absent or empty."""
    value = headers.get(name)
    return None if value is None else value.decode("latin-1").strip() or None


def match_etag(if_none_match: str | None, current: Collection[str]) -> str | None:
    """Return the first of the current (strong, quoted) tags that the header lists; `*` lists all.

    The comparison is the weak one, which If-None-Match demands.
    """
    if if_none_match is None:
        return None
    listed = set(_TAG.findall(if_none_match))
    for tag in current:
        if if_none_match == "*" or tag in listed:
            return tag
    return None


def check_declared_body(headers: Headers, limit_bytes: int) -> None:
    """Check the type and the declared length of a body before any of it is read.

    Raises UnsupportedMediaTypeError and PayloadTooLargeError. A length that is declared too small, or not at all, is
    noticed while the body is read.
    """
    if headers.get(CONTENT_TYPE) != _JSON:
        _check_media_type(headers)
    length = headers.get(CONTENT_LENGTH)
    if length is not None and is_longer(length, limit_bytes):
        raise PayloadTooLargeError(limit_bytes)


def _check_media_type(headers: Headers) -> None:
    declared = header_text(headers, CONTENT_TYPE)
    if declared is None or declared.partition(";")[0].strip().lower() != _JSON.decode():
        raise UnsupportedMediaTypeError


def is_longer(length: bytes, limit_bytes: int) -> bool:
    """Return whether a declared length exceeds a limit, also one of thousands of digits, which `int` rejects."""
    if not length.isdigit():
        return False
    digits = length.lstrip(b"0")
    return len(digits) > len(str(limit_bytes)) or (digits != b"" and int(digits) > limit_bytes)
