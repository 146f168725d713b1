"""Ids: TypeIDs, a type prefix and a UUIDv7 in base32, and the request ids of clients (contract, section 1)."""

import re
from enum import StrEnum

from typeid.codecs import base32
from uuid_utils import uuid7


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


#: The length of columns with ids.
MAX_ID_LENGTH = 40
#: The 128 bits of a UUID in the base32 of TypeIDs, which has no i, l, o and u; 26 digits would hold two bits more.
_UUID = "[0-7][0-9a-hjkmnp-tv-z]{25}"
_FORMS = {prefix: re.compile(f"{prefix.value}_{_UUID}") for prefix in IdPrefix}


def new_id(prefix: IdPrefix) -> str:
    """Return a new id; ids of one prefix sort by the time of their creation."""
    # The same as `str(TypeID(prefix))`, in a quarter of its time: every event without an id gets one here.
    return f"{prefix.value}_{base32.encode(uuid7().bytes)}"


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
