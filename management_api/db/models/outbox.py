"""The outbox of the publisher: the wanted and the published revision of each project."""

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from management_api.db.models.base import Model, PrimaryId, UpdatedAt

#: The channel that wakes the publisher; a lost notification only costs it one poll.
NOTIFY_CHANNEL = "publications"


class Publication(Model):
    """The state of a project's publishing. It outlives the project, so that its deletion is published as well."""

    __tablename__ = "publications"
    __table_args__ = (
        CheckConstraint("0 <= published_revision AND published_revision <= wanted_revision", name="revisions"),
        Index("ix_publications_waiting", "updated_at", postgresql_where=text("published_revision < wanted_revision")),
    )

    project_id: Mapped[PrimaryId]
    wanted_revision: Mapped[int] = mapped_column(BigInteger, server_default="1")
    published_revision: Mapped[int] = mapped_column(BigInteger, server_default="0")
    deleted: Mapped[bool] = mapped_column(server_default="false")
    #: A publisher works on it until then; after that another one may. Not a lock: two at once are harmless.
    claimed_until: Mapped[datetime | None]
    updated_at: Mapped[UpdatedAt]
