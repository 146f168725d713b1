"""Ids: TypeIDs, a type prefix and a UUIDv7 in base32, and the request ids of clients (contract, section 1)."""

import re
import threading
from enum import StrEnum
from random import getrandbits
from time import time_ns


class IdPrefix(StrEnum):
    """The type prefixes, one for each table."""

    PROJECT = "proj"
    FLOW = "flow"
    SCREEN = "screen"
    THEME = "theme"
    EXPERIMENT = "exp"
    EVENT = "evt"
    USER = "user"
    KEY = "key"
    AUDIT_ENTRY = "audit"
    SCHEDULE = "sched"
    PREVIEW_LINK = "preview"
    MEDIA = "media"


#: The length of columns with ids.
MAX_ID_LENGTH = 40
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
#: All pairs of digits: each ten bits are one look-up.
_PAIRS = tuple(first + second for first in _ALPHABET for second in _ALPHABET)
#: The 128 bits of a UUID in the base32 of TypeIDs, which has no i, l, o and u; 26 digits would hold two bits more.
_UUID = "[0-7][0-9a-hjkmnp-tv-z]{25}"
_FORMS = {prefix: re.compile(f"{prefix.value}_{_UUID}") for prefix in IdPrefix}


class _UuidSequence:
    """The UUIDv7s of this process, in base32 (RFC 9562, sections 5.7 and 6.2, method 1).

    48 bits of Unix milliseconds, a counter of 34 bits that starts at random in each millisecond, and 40 random bits.
    Ids increase, also when the clock is set back. Processes that share a counter by a fork differ in the random bits.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._milliseconds = 0
        self._time = ""
        self._counter = 0

    def next(self) -> str:
        """Return the next one. The edge calls this for each event without an id, so the digits are not in a loop."""
        milliseconds = time_ns() // 1_000_000
        with self._lock:
            if milliseconds > self._milliseconds:
                self._milliseconds = milliseconds
                self._time = "".join(_PAIRS[milliseconds >> shift & 1023] for shift in (40, 30, 20, 10, 0))
                self._counter = getrandbits(33)
            self._counter = counter = self._counter + 1
            time = self._time
        # Version 7 (4 bits), 12 bits of the counter, variant (2 bits), 22 bits of the counter.
        high = 0x70_0080_0000 | (counter & 0x3_FFC0_0000) << 2 | counter & 0x3F_FFFF
        low = getrandbits(40)
        return (
            f"{time}{_PAIRS[high >> 30]}{_PAIRS[high >> 20 & 1023]}{_PAIRS[high >> 10 & 1023]}{_PAIRS[high & 1023]}"
            f"{_PAIRS[low >> 30]}{_PAIRS[low >> 20 & 1023]}{_PAIRS[low >> 10 & 1023]}{_PAIRS[low & 1023]}"
        )


_next_uuid = _UuidSequence().next


def new_id(prefix: IdPrefix) -> str:
    """Return a new id; ids of one prefix sort by the time of their creation."""
    # The prefix itself: its `value` is a property in Python.
    return f"{prefix}_{_next_uuid()}"


def is_id(prefix: IdPrefix, text: str) -> bool:
    """Return whether the text is a well-formed id of that prefix. A malformed id counts as one that does not exist."""
    return _FORMS[prefix].fullmatch(text) is not None


MAX_REQUEST_ID_LENGTH = 128
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]+")
#: All kinds of keys begin with it (`credentials.py`).
_KEY_PREFIX = "obk_"
#: A bearer value with two dots is a JWT (contract, section 2).
_JWT_DOTS = 2


def is_safe_request_id(text: str) -> bool:
    """Return whether a client's request id may be kept. One that looks like a key or a JWT would end up in logs."""
    return (
        len(text) <= MAX_REQUEST_ID_LENGTH
        and _REQUEST_ID.fullmatch(text) is not None
        and _KEY_PREFIX not in text
        and text.count(".") != _JWT_DOTS
    )
