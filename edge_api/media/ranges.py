"""Ranges of a file that never changes (RFC 9110, section 14)."""

import re
from typing import NamedTuple

_RANGE = re.compile(r"bytes=[ \t]*([0-9]{0,18})-([0-9]{0,18})[ \t]*")


class ByteRange(NamedTuple):
    """The bytes from `start` to before `end`."""

    start: int
    end: int


class UnsatisfiableRangeError(Exception):
    """The range has no byte of the file."""


def requested_range(header: str | None, if_range: str | None, tag: str, size: int) -> ByteRange | None:
    """Return the one range of a request, None for the complete file. Raises UnsatisfiableRangeError.

    Several ranges, other units and malformed headers are ignored, as RFC 9110 allows; so is the range of another file.
    """
    found = None if header is None else _RANGE.fullmatch(header)
    if found is None or (if_range is not None and if_range != tag):
        return None
    first, last = found.groups()
    if first:
        start, end = int(first), min(int(last) + 1, size) if last else size
        if last and int(last) < start:
            return None
    elif last:
        start, end = max(0, size - int(last)), size
    else:
        return None
    if start >= size or start >= end:
        raise UnsatisfiableRangeError
    return ByteRange(start, end)
