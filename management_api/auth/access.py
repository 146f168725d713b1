"""The only ways to a project and to its parts: the role of the caller, the lock, If-Match, the publication."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar, TypeVarTuple

from sqlalchemy import Row, Select, bindparam, func, select, update
from sqlalchemy.orm import Session
from structlog.contextvars import bind_contextvars

from common.errors import FlowNotFoundError, ForbiddenError, NotFoundError, ProjectNotFoundError, RequestError
from common.ids import IdPrefix, is_id
from management_api.db.audit import set_audit_actor
from management_api.db.models.base import Model
from management_api.db.models.experiments import Experiment
from management_api.db.models.flows import Flow, Screen, Theme
from management_api.db.models.outbox import NOTIFY_CHANNEL, Publication
from management_api.db.models.projects import Member, Project, Role
from management_api.db.prepared import Prepared
from management_api.http.etags import NO_PRECONDITION, Precondition, current_tag, current_tag_of_row, project_tag


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated user on one route. `needs` is the role that the route's row asks for in the project at hand."""

    user_id: str
    needs: Role


# The only ways to a project: to read it, to change it, to change who belongs to it.
# All check that the caller has the role that the route asks for; someone without any role learns nothing, not even
# that the project exists. To change a project also locks its row, so that changes to one project queue up, names the
# caller to the audit log, and asks for publication in the same transaction, so that no change can forget any of them.
# What is refused is rolled back, the request for publication with it.

#: Makes the error for "no such thing, or not visible to you"; a flow's says flow, so that nothing can be told apart.
Absent = Callable[[], RequestError]

_ROLE: Prepared[*tuple[Any, ...]] = Prepared(
    select(Member.role).where(Member.project_id == bindparam("project_id"), Member.user_id == bindparam("user_id"))
)
_PROJECT: Select[*tuple[Any, ...]] = (
    select(*Project.__table__.columns, Member.role)
    .join(Member, Member.project_id == Project.id)
    .where(Project.id == bindparam("project_id"), Member.user_id == bindparam("user_id"))
)
_TO_READ = Prepared(_PROJECT)
#: The publisher is woken at commit; many notifications of one transaction arrive as one.
NOTIFY_PUBLISHER = func.pg_notify(NOTIFY_CHANNEL, "")


def locking(statement: Select[*tuple[Any, ...]], *parts: Any) -> Select[*tuple[Any, ...]]:  # noqa: ANN401 - SQLAlchemy's
    """Make a statement lock the project, the caller's membership, and then the parts that it reads.

    NO KEY UPDATE queues changes behind each other, and lets events of the project be stored meanwhile. What is locked
    is read as it is when the wait is over, not as it was.
    """
    return statement.with_for_update(key_share=True, of=(Project, Member, *parts))


_LOCKED = Prepared(locking(_PROJECT))


def project_to_read(session: Session, caller: Caller, project_id: str) -> Row[*tuple[Any, ...]]:
    """Give the project's columns. Raises ProjectNotFoundError without a role in it, ForbiddenError if that is small."""
    return _permitted_row(session, caller, project_id, _TO_READ)


def check_may_read(session: Session, caller: Caller, project_id: str) -> None:
    """Do what project_to_read does, for who needs nothing of the project itself."""
    _permitted_row(session, caller, project_id, _ROLE)


def project_to_change(
    session: Session, caller: Caller, project_id: str, *, if_match: Precondition = NO_PRECONDITION
) -> Row[*tuple[Any, ...]]:
    """Give the project, locked until the transaction ends, its publication requested.

    `if_match` is what the client demands of the project itself. Raises like project_to_read, and
    PreconditionFailedError.
    """
    project = _permitted_row(session, caller, project_id, _LOCKED)
    set_audit_actor(session, caller.user_id)
    if_match.check(lambda: project_tag(project))
    request_publication(session, project_id)
    return project


def members_to_change(session: Session, caller: Caller, project_id: str) -> Role:
    """Lock the project, whose members are about to change, and give the caller's own role.

    Nothing is published: a snapshot knows no members. Raises like project_to_read.
    """
    project = _permitted_row(session, caller, project_id, _LOCKED)
    set_audit_actor(session, caller.user_id)
    return Role(project.role)


def request_publication(session: Session, project_id: str, *, deleted: bool = False) -> None:
    """Raise the project's wanted revision and wake the publisher; both take effect when the transaction commits."""
    session.execute(
        update(Publication)
        .where(Publication.project_id == project_id)
        .values(wanted_revision=Publication.wanted_revision + 1, deleted=deleted)
    )
    session.execute(select(NOTIFY_PUBLISHER))


def permitted(caller: Caller, row: Row[*tuple[Any, ...]] | None, absent: Absent) -> Row[*tuple[Any, ...]]:
    """Give a row with the caller's role. Raises `absent` if there is none, ForbiddenError for too small a role."""
    if row is None:
        raise absent()
    if not Role(row.role).includes(caller.needs):
        raise ForbiddenError
    return row


def _permitted_row(
    session: Session, caller: Caller, project_id: str, statement: Prepared[*tuple[Any, ...]]
) -> Row[*tuple[Any, ...]]:
    if not is_id(IdPrefix.PROJECT, project_id):
        raise ProjectNotFoundError
    bind_contextvars(project=project_id)
    row = statement.row(session, {"project_id": project_id, "user_id": caller.user_id})
    return permitted(caller, row, ProjectNotFoundError)


# The only two ways to a flow, a screen, a theme or an experiment: through its project, to read it or to change it.
# An id that is malformed, unknown or of a project without the caller gives one and the same error.

Columns = TypeVarTuple("Columns")
PartT = TypeVar("PartT", Flow, Screen, Theme, Experiment)


def screen_not_found() -> NotFoundError:
    """Make the error for no such screen, or not visible to this caller."""
    return NotFoundError("Screen not found")


def theme_not_found() -> NotFoundError:
    """Make the error for no such theme, or not visible to this caller."""
    return NotFoundError("Theme not found")


def experiment_not_found() -> NotFoundError:
    """Make the error for no such experiment, or not visible to this caller."""
    return NotFoundError("Experiment not found")


@dataclass(frozen=True)
class PartKind(Generic[PartT]):
    """A kind of thing that belongs to one project."""

    model: type[PartT]
    prefix: IdPrefix
    absent: Absent

    @cached_property
    def to_read(self) -> Prepared[*tuple[Any, ...]]:
        """The statement that `part_to_read` runs."""
        return Prepared(with_role(select(*self.model.__table__.columns), self.model))

    @cached_property
    def to_change(self) -> Prepared[*tuple[Any, ...]]:
        """The statement that `part_to_change` runs."""
        columns = select(*self.model.__table__.columns, Project.default_flow_id)
        part = with_role(columns.join(Project, Project.id == self.model.project_id), self.model)
        return Prepared(locking(part, self.model))


FLOW = PartKind(Flow, IdPrefix.FLOW, FlowNotFoundError)
SCREEN = PartKind(Screen, IdPrefix.SCREEN, screen_not_found)
THEME = PartKind(Theme, IdPrefix.THEME, theme_not_found)
EXPERIMENT = PartKind(Experiment, IdPrefix.EXPERIMENT, experiment_not_found)


def with_role(statement: Select[*Columns], model: type[PartT]) -> Select[*tuple[Any, ...]]:
    """Make a statement about parts of one kind ask for one of them, and for the caller's role in its project."""
    return (
        statement.add_columns(Member.role.label("role"))
        .join(Member, Member.project_id == model.project_id)
        .where(model.id == bindparam("part_id"), Member.user_id == bindparam("user_id"))
    )


def row_to_read(
    session: Session, caller: Caller, kind: PartKind[PartT], part_id: str, statement: Prepared[*tuple[Any, ...]]
) -> Row[*tuple[Any, ...]]:
    """Give the row of a statement that `with_role` has made.

    Raises the kind's `absent` without a role in the part's project, ForbiddenError with too small a role.
    """
    if not is_id(kind.prefix, part_id):
        raise kind.absent()
    row = statement.row(session, {"part_id": part_id, "user_id": caller.user_id})
    part = permitted(caller, row, kind.absent)
    bind_contextvars(project=part.project_id)
    return part


def part_to_read(session: Session, caller: Caller, kind: PartKind[PartT], part_id: str) -> Row[*tuple[Any, ...]]:
    """Give the part's columns. Raises like row_to_read."""
    return row_to_read(session, caller, kind, part_id, kind.to_read)


def part_to_change(
    session: Session, caller: Caller, kind: PartKind[PartT], part_id: str, *, if_match: Precondition = NO_PRECONDITION
) -> Row[*tuple[Any, ...]]:
    """Give the part and its project's `default_flow_id`, both locked, the project's publication requested.

    `if_match` is what the client demands of the part itself. Raises like part_to_read, and PreconditionFailedError.
    """
    part = row_to_read(session, caller, kind, part_id, kind.to_change)
    set_audit_actor(session, caller.user_id)
    if_match.check(lambda: current_tag_of_row(session, kind.model, part))
    request_publication(session, part.project_id)
    return part


# --- as objects of the session ----------------------------------------------------------------------------------------

_PARTS: dict[type[Model], tuple[IdPrefix, Absent]] = {
    Flow: (IdPrefix.FLOW, FlowNotFoundError),
    Screen: (IdPrefix.SCREEN, screen_not_found),
    Theme: (IdPrefix.THEME, theme_not_found),
    Experiment: (IdPrefix.EXPERIMENT, experiment_not_found),
}


def project_for_read(session: Session, caller: Caller, project_id: str) -> Project:
    """Return the project. Raises ProjectNotFoundError without a role in it, ForbiddenError for too small a role."""
    return _load_project(session, caller, project_id, for_update=False)[0]


def project_for_update(
    session: Session, caller: Caller, project_id: str, *, if_match: Precondition = NO_PRECONDITION
) -> Project:
    """Return the project, locked until the transaction ends, its publication requested.

    `if_match` is about the project itself. Raises like project_for_read, and PreconditionFailedError.
    """
    project, _ = _load_project(session, caller, project_id, for_update=True)
    if_match.check(lambda: project_tag(project))
    request_publication(session, project_id)
    return project


def members_for_update(session: Session, caller: Caller, project_id: str) -> Role:
    """Lock the project to change its members, and return the caller's role. Raises like project_for_read.

    Nothing is published: a snapshot has no members.
    """
    return _load_project(session, caller, project_id, for_update=True)[1]


def get_for_read(session: Session, caller: Caller, model: type[PartT], part_id: str) -> PartT:
    """Return a flow, screen, theme or experiment.

    Raises its error of absence without a role in its project, ForbiddenError for too small a role.
    """
    prefix, absent = _PARTS[model]
    if not is_id(prefix, part_id):
        raise absent()
    statement = (
        select(model, Member.role)
        .join(Member, Member.project_id == model.project_id)
        .where(model.id == part_id, Member.user_id == caller.user_id)
    )
    row = session.execute(statement).one_or_none()
    return _permitted_part(caller, None if row is None else (row[0], row[1]), absent)


def get_for_update(
    session: Session, caller: Caller, model: type[PartT], part_id: str, *, if_match: Precondition = NO_PRECONDITION
) -> PartT:
    """Return a part of a project, locked with its project until the transaction ends, its publication requested.

    `session.get_one(Project, part.project_id)` returns the project without a statement. `if_match` is about the part
    itself. Raises like get_for_read, and PreconditionFailedError.
    """
    prefix, absent = _PARTS[model]
    if not is_id(prefix, part_id):
        raise absent()
    statement = (
        select(model, Member.role, Project)
        .join(Project, Project.id == model.project_id)
        .join(Member, Member.project_id == model.project_id)
        .where(model.id == part_id, Member.user_id == caller.user_id)
        .with_for_update(key_share=True, of=(Project, Member, model))
        .execution_options(populate_existing=True)
    )
    row = session.execute(statement).one_or_none()
    part = _permitted_part(caller, None if row is None else (row[0], row[1]), absent)
    set_audit_actor(session, caller.user_id)
    if_match.check(lambda: current_tag(session, part))
    request_publication(session, part.project_id)
    return part


def _load_project(session: Session, caller: Caller, project_id: str, *, for_update: bool) -> tuple[Project, Role]:
    """Load the project and the caller's role in it.

    FOR NO KEY UPDATE queues changes of a project, and lets its events be stored meanwhile.
    """
    if not is_id(IdPrefix.PROJECT, project_id):
        raise ProjectNotFoundError
    bind_contextvars(project=project_id)
    statement = (
        select(Project, Member.role)
        .join(Member, Member.project_id == Project.id)
        .where(Project.id == project_id, Member.user_id == caller.user_id)
    )
    if for_update:
        statement = statement.with_for_update(key_share=True, of=(Project, Member))
        statement = statement.execution_options(populate_existing=True)
    row = session.execute(statement).one_or_none()
    if row is None:
        raise ProjectNotFoundError
    project, role = row[0], Role(row[1])
    if not role.includes(caller.needs):
        raise ForbiddenError
    if for_update:
        set_audit_actor(session, caller.user_id)
    return project, role


def _permitted_part(caller: Caller, found: tuple[PartT, str] | None, absent: Absent) -> PartT:
    if found is None:
        raise absent()
    part, role = found
    if not Role(role).includes(caller.needs):
        raise ForbiddenError
    bind_contextvars(project=part.project_id)
    return part
