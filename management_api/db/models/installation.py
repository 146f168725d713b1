"""The relation of the database to its Redis: the id that both have, and the event streams that Redis has had."""

from datetime import datetime
from typing import Any

import psycopg
from sqlalchemy import func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from management_api.db.models.base import Model

_KNOWN = "SELECT EXISTS (SELECT FROM event_streams WHERE stream = %s)"
_ADD = "INSERT INTO event_streams (stream) VALUES (%s) ON CONFLICT DO NOTHING"
_NOTE_LOSS = "UPDATE event_streams SET lost_at = clock_timestamp() WHERE stream = %s"
_NEWEST_LOSS = "SELECT max(lost_at), extract(epoch FROM clock_timestamp() - max(lost_at))::float8 FROM event_streams"


class InstallationId(Model):
    """One row: a random id, 32 hexadecimal digits. A dump contains it, so a restored database has the same id."""

    __tablename__ = "installation"

    id: Mapped[str] = mapped_column(primary_key=True)


class KnownEventStream(Model):
    """An event stream that has had its consumer group, and the time at which Redis was last found without the group."""

    __tablename__ = "event_streams"

    stream: Mapped[str] = mapped_column(primary_key=True)
    added_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    lost_at: Mapped[datetime | None]


def installation_id(session: Session) -> str:
    """Return the id of the database."""
    return session.scalars(select(InstallationId.id)).one()


def is_known_stream(connection: psycopg.Connection[Any], stream: str) -> bool:
    """Return whether the stream has had its consumer group."""
    [(is_known,)] = connection.execute(_KNOWN, [stream]).fetchall()
    return bool(is_known)


def record_stream(connection: psycopg.Connection[Any], stream: str) -> None:
    """Store that the stream has its consumer group."""
    connection.execute(_ADD, [stream])


def record_stream_loss(connection: psycopg.Connection[Any], stream: str) -> None:
    """Store that Redis has lost the stream and its group."""
    connection.execute(_NOTE_LOSS, [stream])


def newest_stream_loss(cursor: psycopg.Cursor[Any]) -> tuple[datetime, float] | None:
    """Return the time of the newest loss of an event stream, and the seconds since then; None without a loss."""
    [(lost_at, seconds)] = cursor.execute(_NEWEST_LOSS).fetchall()
    return None if lost_at is None else (lost_at, seconds)
