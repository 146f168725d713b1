"""The ids of recent events, by which a repeated event is recognised (contract, section 4).

An id is stored as a digest, in the partition of the week in which the event was received (UTC, from Monday on). Two
receipts of one event are at most seven days apart, so they are of one week or of two weeks that follow each other.
"""

import hashlib
from datetime import UTC, date, datetime, timedelta

from sqlalchemy import BigInteger, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from management_api.db.models.base import Model

#: The length of a digest.
DIGEST_BYTES = 16

WEEK = timedelta(days=7)


class EventId(Model):
    """The id of a stored event."""

    __tablename__ = "event_ids"
    __table_args__ = {"postgresql_partition_by": "RANGE (week)"}  # noqa: RUF012 - the name and form are SQLAlchemy's

    #: :func:`project_key` of the project, so that the ids of a project lie together.
    project: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    digest: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    #: The Monday of the week.
    week: Mapped[date] = mapped_column(primary_key=True)


class EventStorage(Model):
    """One row: the time from which on no event has been dropped for its age."""

    __tablename__ = "event_storage"

    #: Without a meaning: a table has a key.
    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    complete_from: Mapped[datetime | None]


def project_key(project_id: str) -> int:
    """Return the number that stands for a project; the trigger that empties a deleted project computes the same."""
    return int.from_bytes(hashlib.sha256(project_id.encode()).digest()[:8], "big", signed=True)


def event_id_digest(project_id: str, event_id: str) -> bytes:
    """Return the digest of an event id, which differs between projects."""
    return hashlib.sha256(f"{project_id} {event_id}".encode()).digest()[:DIGEST_BYTES]


def week_of(moment: datetime) -> date:
    """Return the Monday of the week of a moment."""
    day = moment.astimezone(UTC).date()
    return day - timedelta(days=day.weekday())
