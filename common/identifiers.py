"""Ids of everything we make: TypeIDs, a type prefix and a UUIDv7 in base32 (contract, section 1)."""

from enum import StrEnum

from typeid import TypeID
from typeid.errors import TypeIDException


class IdPrefix(StrEnum):
    """The type prefixes. A prefix says which table an id belongs to."""

    PROJECT = "proj"
    FLOW = "flow"
    SCREEN = "screen"
    THEME = "theme"
    EXPERIMENT = "exp"
    EVENT = "evt"
    USER = "user"
    KEY = "key"
    AUDIT_ENTRY = "audit"


#: No id of ours is longer; columns and validation use it.
MAX_ID_LENGTH = 40


def new_id(prefix: IdPrefix) -> str:
    """Make a new id; ids of one prefix sort by the moment they were made."""
    return str(TypeID(prefix.value))


def is_id(prefix: IdPrefix, text: str) -> bool:
    """Tell whether the text is a well-formed id of that prefix. A malformed id is one that does not exist."""
    if not text.startswith(f"{prefix.value}_") or len(text) > MAX_ID_LENGTH:
        return False
    try:
        TypeID.from_string(text)
    except (TypeIDException, ValueError):
        return False
    return True
