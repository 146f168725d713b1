"""The outbox of the publisher: the wanted and the published revision of each project."""

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, Index, bindparam, func, text, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from management_api.db.models.base import Model, PrimaryId, UpdatedAt

#: The channel that wakes the publisher; a lost notification only costs it one poll.
NOTIFY_CHANNEL = "publications"
#: Wakes the publisher at commit; many notifications of one transaction arrive as one.
NOTIFY_PUBLISHER = func.pg_notify(NOTIFY_CHANNEL, "")
#: The key of `Session.info` with the projects whose publication a transaction has requested.
_REQUESTED = "requested_publications"


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


_REQUEST = (
    update(Publication)
    .where(Publication.project_id == bindparam("of_project"))
    .values(wanted_revision=Publication.wanted_revision + 1, deleted=bindparam("is_deleted"))
    .returning(NOTIFY_PUBLISHER)
)


def request_publication(session: Session, project_id: str, *, deleted: bool = False) -> None:
    """Raise the project's wanted revision and wake the publisher; both take effect when the transaction commits.

    A transaction raises the revision once, however often it requests it.
    """
    requested = session.info.setdefault(_REQUESTED, {})
    # The savepoint of a request may have been rolled back since; the outer transaction is active to the end.
    former = requested.get(project_id)
    if former is not None and former.is_active and not deleted:
        return
    requested[project_id] = session.get_nested_transaction() or session.get_transaction()
    # Without the ORM, which would build the statement again for each execution.
    session.connection().execute(_REQUEST, {"of_project": project_id, "is_deleted": deleted})
