"""The ids of recent events as digests, by which a repeated event is told (contract, section 4).

There are two tables that take turns. A new id is put into the one whose turn it is unless the other has it, and when
they change turns, at the earliest after seven days, the one that is to be filled next is emptied first. So an id is
known for seven to fourteen days, and expiring costs nothing.

To the table of the turn before nothing may ever be added, nor may a digest in it change: consumers remember what it has
(decision 55).
"""

import hashlib
import uuid
from datetime import datetime

from sqlalchemy import BigInteger
from sqlalchemy.orm import Mapped, mapped_column

from management_api.database.model import CreatedAt, Model

#: How long the digest of an event is.
DIGEST_BYTES = 16


class _RecentEventId(Model):
    """Base of both tables."""

    __abstract__ = True

    #: Of which project, as `project_key` says, so that the ids of a project lie together.
    project: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    digest: Mapped[uuid.UUID] = mapped_column(primary_key=True)


class RecentEventIdEven(_RecentEventId):
    """An id that was put in on an even turn."""

    __tablename__ = "recent_event_ids_even"


class RecentEventIdOdd(_RecentEventId):
    """An id that was put in on an odd turn."""

    __tablename__ = "recent_event_ids_odd"


class EventStorage(Model):
    """The one row that says whose turn it is, and from when on no event has been dropped for its age."""

    __tablename__ = "event_storage"

    turn: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    turn_since: Mapped[CreatedAt]
    complete_from: Mapped[datetime | None]


def project_key(project_id: str) -> int:
    """Give the number that stands for a project; the trigger that empties a deleted one computes the same."""
    return int.from_bytes(hashlib.sha256(project_id.encode()).digest()[:8], "big", signed=True)


def event_id_digest(project_id: str, event_id: str) -> bytes:
    """Give the bytes that stand for an event; migration 0006 computes the same."""
    return hashlib.sha256(f"{project_id} {event_id}".encode()).digest()[:DIGEST_BYTES]
