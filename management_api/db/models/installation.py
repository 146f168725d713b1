"""The relation of the database to its Redis: the id that both have, and the event streams that Redis has had."""

from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from management_api.db.models.base import Model


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
