"""The only ways to projects and their parts: the caller's role, the lock, If-Match, the publication.

Each function checks that the caller has the role of the route; without any role in the project the response is the
same as for an unknown id. The functions for updates lock the row of the project, so that changes of a project queue,
set the actor of the audit log, and request the publication in the same transaction.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session
from structlog.contextvars import bind_contextvars

from common.errors import FlowNotFoundError, ForbiddenError, NotFoundError, ProjectNotFoundError, RequestError
from common.ids import IdPrefix, is_id
from management_api.db.audit import set_audit_actor
from management_api.db.etags import NO_PRECONDITION, Precondition, current_tag, project_tag
from management_api.db.models.base import Model
from management_api.db.models.experiments import Experiment
from management_api.db.models.flows import Flow, Screen, Theme
from management_api.db.models.outbox import NOTIFY_CHANNEL, Publication
from management_api.db.models.projects import Member, Project, Role

PartT = TypeVar("PartT", Flow, Screen, Theme, Experiment)

#: Wakes the publisher at commit; many notifications of one transaction arrive as one.
NOTIFY_PUBLISHER = func.pg_notify(NOTIFY_CHANNEL, "")


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated user on one route; `needs` is the role that the route requires in the project."""

    user_id: str
    needs: Role


def screen_not_found() -> NotFoundError:
    """Return the error for an unknown or invisible screen."""
    return NotFoundError("Screen not found")


def theme_not_found() -> NotFoundError:
    """Return the error for an unknown or invisible theme."""
    return NotFoundError("Theme not found")


def experiment_not_found() -> NotFoundError:
    """Return the error for an unknown or invisible experiment."""
    return NotFoundError("Experiment not found")


NotFound = Callable[[], RequestError]

_PARTS: dict[type[Model], tuple[IdPrefix, NotFound]] = {
    Flow: (IdPrefix.FLOW, FlowNotFoundError),
    Screen: (IdPrefix.SCREEN, screen_not_found),
    Theme: (IdPrefix.THEME, theme_not_found),
    Experiment: (IdPrefix.EXPERIMENT, experiment_not_found),
}


def request_publication(session: Session, project_id: str, *, deleted: bool = False) -> None:
    """Raise the project's wanted revision and wake the publisher; both take effect when the transaction commits."""
    session.execute(
        update(Publication)
        .where(Publication.project_id == project_id)
        .values(wanted_revision=Publication.wanted_revision + 1, deleted=deleted)
    )
    session.execute(select(NOTIFY_PUBLISHER))


def check_may_read(session: Session, caller: Caller, project_id: str) -> None:
    """Check the caller's role like project_for_read, without loading the project."""
    if not is_id(IdPrefix.PROJECT, project_id):
        raise ProjectNotFoundError
    bind_contextvars(project=project_id)
    role = session.scalar(select(Member.role).where(Member.project_id == project_id, Member.user_id == caller.user_id))
    if role is None:
        raise ProjectNotFoundError
    _check_role(caller, Role(role))


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

    Raises its NotFoundError without a role in its project, ForbiddenError for too small a role.
    """
    prefix, not_found = _PARTS[model]
    if not is_id(prefix, part_id):
        raise not_found()
    statement = (
        select(model, Member.role)
        .join(Member, Member.project_id == model.project_id)
        .where(model.id == part_id, Member.user_id == caller.user_id)
    )
    row = session.execute(statement).one_or_none()
    return _permitted_part(caller, None if row is None else (row[0], row[1]), not_found)


def get_for_update(
    session: Session, caller: Caller, model: type[PartT], part_id: str, *, if_match: Precondition = NO_PRECONDITION
) -> PartT:
    """Return a part of a project, locked with its project until the transaction ends, its publication requested.

    `if_match` is about the part itself. Raises like get_for_read, and PreconditionFailedError.
    """
    prefix, not_found = _PARTS[model]
    if not is_id(prefix, part_id):
        raise not_found()
    statement = (
        select(model, Member.role, Project)
        .join(Project, Project.id == model.project_id)
        .join(Member, Member.project_id == model.project_id)
        .where(model.id == part_id, Member.user_id == caller.user_id)
        .with_for_update(key_share=True, of=(Project, Member, model))
        .execution_options(populate_existing=True)
    )
    row = session.execute(statement).one_or_none()
    part = _permitted_part(caller, None if row is None else (row[0], row[1]), not_found)
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
    _check_role(caller, role)
    if for_update:
        set_audit_actor(session, caller.user_id)
    return project, role


def _permitted_part(caller: Caller, found: tuple[PartT, str] | None, not_found: NotFound) -> PartT:
    if found is None:
        raise not_found()
    part, role = found
    _check_role(caller, Role(role))
    bind_contextvars(project=part.project_id)
    return part


def _check_role(caller: Caller, role: Role) -> None:
    if not role.includes(caller.needs):
        raise ForbiddenError
