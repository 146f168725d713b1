"""The only ways to a project: to read it, to change it, to change who belongs to it.

All check that the caller has the role that the route asks for; someone without any role learns nothing, not even
that the project exists. To change a project also locks its row, so that changes to one project queue up, names the
caller to the audit log, and asks for publication in the same transaction, so that no change can forget any of them.
"""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Row, Select, bindparam, func, select, update
from sqlalchemy.orm import Session
from structlog.contextvars import bind_contextvars

from common.errors import ForbiddenError, ProjectNotFoundError, RequestError
from common.identifiers import IdPrefix, is_id
from management_api.database.audit_trail import name_who_changes
from management_api.database.prepared import Prepared
from management_api.database.projects import Member, Project, Role
from management_api.database.publications import NOTIFY_CHANNEL, Publication
from management_api.operations.callers import Caller
from management_api.operations.entity_tags import project_tag
from management_api.operations.preconditions import ANY_STATE, Precondition

#: Makes the error for "no such thing, or not visible to you"; a flow's says flow, so that nothing can be told apart.
Absent = Callable[[], RequestError]

_ROLE: Prepared[*tuple[Any, ...]] = Prepared(
    select(Member.role).where(Member.project_id == bindparam("project_id"), Member.user_id == bindparam("user_id"))
)
_COLUMNS_AND_ROLE: Prepared[*tuple[Any, ...]] = Prepared(
    select(*Project.__table__.columns, Member.role)
    .join(Member, Member.project_id == Project.id)
    .where(Project.id == bindparam("project_id"), Member.user_id == bindparam("user_id"))
)
_TO_READ = (
    select(Project, Member.role)
    .join(Member, Member.project_id == Project.id)
    .where(Project.id == bindparam("project_id"), Member.user_id == bindparam("user_id"))
    .execution_options(populate_existing=True)
)
# NO KEY UPDATE queues changes behind each other, and lets events of the project be stored meanwhile. The caller's
# membership is locked as well, after the project: so it is read as it is when the wait is over, not as it was.
_TO_CHANGE = _TO_READ.with_for_update(key_share=True, of=(Project, Member))
#: The publisher is woken at commit; many notifications of one transaction arrive as one.
_WAKE_UP = func.pg_notify(NOTIFY_CHANNEL, "")
_REQUEST_PUBLICATION = (
    update(Publication)
    .where(Publication.project_id == bindparam("project"))
    .values(wanted_revision=Publication.wanted_revision + 1, deleted=bindparam("is_deleted"))
    .returning(_WAKE_UP)
    .execution_options(synchronize_session=False)
)


def project_to_read(
    session: Session, caller: Caller, project_id: str, *, absent: Absent = ProjectNotFoundError
) -> Project:
    """Give the project. Raises `absent` without a role in it, ForbiddenError with too small a role."""
    project, _ = _permitted(session, caller, project_id, _TO_READ, absent)
    return project


def check_may_read(session: Session, caller: Caller, project_id: str, *, absent: Absent = ProjectNotFoundError) -> None:
    """Do what project_to_read does, for who needs nothing of the project itself."""
    _permitted_row(session, caller, project_id, _ROLE, absent)


def project_row_to_read(
    session: Session, caller: Caller, project_id: str, *, absent: Absent = ProjectNotFoundError
) -> Row[*tuple[Any, ...]]:
    """Do what project_to_read does, and give the project's columns as a row, which costs less than an object."""
    return _permitted_row(session, caller, project_id, _COLUMNS_AND_ROLE, absent)


def project_to_change(
    session: Session,
    caller: Caller,
    project_id: str,
    *,
    if_match: Precondition = ANY_STATE,
    absent: Absent = ProjectNotFoundError,
) -> Project:
    """Give the project, locked until the transaction ends, its publication requested.

    `if_match` is what the client demands of the project itself. Raises like project_to_read, and
    PreconditionFailedError.
    """
    project, _ = _locked(session, caller, project_id, absent)
    if_match.check(lambda: project_tag(project))
    request_publication(session, project_id)
    return project


def members_to_change(session: Session, caller: Caller, project_id: str) -> Role:
    """Lock the project, whose members are about to change, and give the caller's own role.

    Nothing is published: a snapshot knows no members. Raises like project_to_read.
    """
    _, role = _locked(session, caller, project_id, ProjectNotFoundError)
    return role


def request_publication(session: Session, project_id: str, *, deleted: bool = False) -> None:
    """Raise the project's wanted revision and wake the publisher; both take effect when the transaction commits."""
    session.execute(_REQUEST_PUBLICATION, {"project": project_id, "is_deleted": deleted})


def wake_publisher(session: Session) -> None:
    """Notify the publisher of a publication that was made by other means; it takes effect at commit too."""
    session.execute(select(_WAKE_UP))


def check_role(caller: Caller, role: str) -> None:
    """Raise ForbiddenError when the role is smaller than what the route asks for."""
    if not Role(role).includes(caller.needs):
        raise ForbiddenError


def _permitted_row(
    session: Session, caller: Caller, project_id: str, statement: Prepared[*tuple[Any, ...]], absent: Absent
) -> Row[*tuple[Any, ...]]:
    if not is_id(IdPrefix.PROJECT, project_id):
        raise absent()
    bind_contextvars(project=project_id)
    row = statement.row(session, {"project_id": project_id, "user_id": caller.user_id})
    if row is None:
        raise absent()
    check_role(caller, row.role)
    return row


def _locked(session: Session, caller: Caller, project_id: str, absent: Absent) -> tuple[Project, Role]:
    permitted = _permitted(session, caller, project_id, _TO_CHANGE, absent)
    name_who_changes(session, caller.user_id)
    return permitted


def _permitted(
    session: Session, caller: Caller, project_id: str, statement: Select[Project, str], absent: Absent
) -> tuple[Project, Role]:
    if not is_id(IdPrefix.PROJECT, project_id):
        raise absent()
    bind_contextvars(project=project_id)
    row = session.execute(statement, {"project_id": project_id, "user_id": caller.user_id}).one_or_none()
    if row is None:
        raise absent()
    project, role = row
    check_role(caller, role)
    return project, Role(role)
