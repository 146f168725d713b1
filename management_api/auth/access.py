"""The only ways to projects and their parts: the caller's role, the lock, the precondition.

Each function checks that the caller has the role of the route; without any role in the project the response is the
same as for an unknown id. The functions for updates lock the row of the project, so that changes of a project queue,
and set the actor of the audit log, whose listener requests the publication (`db/audit.py`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Row, Select, bindparam, exists, inspect, select
from sqlalchemy.orm import Session, aliased, contains_eager
from sqlalchemy.sql.base import ExecutableOption
from structlog.contextvars import bind_contextvars

from common.errors import (
    FlowNotFoundError,
    ForbiddenError,
    NotFoundError,
    ProjectNotFoundError,
    RequestError,
)
from common.ids import IdPrefix, is_id
from management_api.auth.entity_tags import NO_PRECONDITION, Precondition, current_tag, tag_of
from management_api.db.audit import set_audit_actor
from management_api.db.engine import Reader
from management_api.db.models.base import Model
from management_api.db.models.experiments import Experiment
from management_api.db.models.flow_history import ScreenId, live_document
from management_api.db.models.flows import Flow, Theme
from management_api.db.models.media import Media
from management_api.db.models.projects import Member, Project, Role
from management_api.db.models.users import User

PartT = TypeVar("PartT", Flow, ScreenId, Theme, Experiment, Media)
#: A deactivated user has no role. This holds for schedules, too, which run without a request.
_IS_OF_CALLER = Member.user_id == (
    select(User.id).where(User.id == bindparam("user_id"), User.is_active()).correlate(None).scalar_subquery()
)
_IS_MEMBER = (Member.project_id == bindparam("project_id")) & _IS_OF_CALLER


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated user on one route, and the role that the route requires in the project."""

    user_id: str
    required_role: Role


def screen_not_found() -> NotFoundError:
    """Return the error for an unknown or invisible screen."""
    return NotFoundError("Screen not found")


def theme_not_found() -> NotFoundError:
    """Return the error for an unknown or invisible theme."""
    return NotFoundError("Theme not found")


def experiment_not_found() -> NotFoundError:
    """Return the error for an unknown or invisible experiment."""
    return NotFoundError("Experiment not found")


def media_not_found() -> NotFoundError:
    """Return the error for an unknown, invisible or deleted media file."""
    return NotFoundError("Media file not found")


def project_for_caller(*columns: Any) -> Select[*tuple[Any, ...]]:  # noqa: ANN401 - any column
    """Return a statement for `read_project`: the columns of one project, and the caller's role."""
    return select(*columns, Member.role).join(Member, Member.project_id == Project.id).where(_IS_MEMBER)


def role_for_caller(*columns: ColumnElement[Any]) -> Select[*tuple[Any, ...]]:
    """Return a statement for `read_project`: the caller's role, and columns of no table, for example subqueries."""
    return select(*columns, Member.role).where(_IS_MEMBER)


def part_for_caller(model: type[PartT], *columns: Any) -> Select[*tuple[Any, ...]]:  # noqa: ANN401 - any column
    """Return a statement for `read_part`: the columns of one part, and the caller's role."""
    return (
        select(*columns, Member.role)
        .select_from(model)
        .join(Member, Member.project_id == model.project_id)
        .where(model.id == bindparam("part_id"), _IS_OF_CALLER)
    )


#: The place of one flow, and its live document.
FLOW_WITH_DOCUMENT = part_for_caller(Flow, Flow.id, Flow.project_id, live_document().label("document"))


class _Part(NamedTuple):
    """A kind of part of a project. Its statements are built once: building one costs as much as executing it."""

    prefix: IdPrefix
    not_found: Callable[[], RequestError]
    read: Select[*tuple[Any, ...]]
    lock: Select[*tuple[Any, ...]]

    @classmethod
    def from_model(
        cls, model: type[PartT], prefix: IdPrefix, not_found: Callable[[], RequestError], *options: ExecutableOption
    ) -> "_Part":
        lock = (
            part_for_caller(model, model)
            .join(Project, Project.id == model.project_id)
            .options(*options)
            .with_for_update(key_share=True, of=(Project, Member, model))
            .execution_options(populate_existing=True)
        )
        columns = (getattr(model, attribute.key) for attribute in inspect(model).column_attrs)
        return cls(prefix, not_found, part_for_caller(model, *columns), lock)


_PARTS: dict[type[Model], _Part] = {
    Flow: _Part.from_model(Flow, IdPrefix.FLOW, FlowNotFoundError, contains_eager(Flow.project)),
    ScreenId: _Part.from_model(ScreenId, IdPrefix.SCREEN, screen_not_found),
    Theme: _Part.from_model(Theme, IdPrefix.THEME, theme_not_found),
    Experiment: _Part.from_model(Experiment, IdPrefix.EXPERIMENT, experiment_not_found),
    Media: _Part.from_model(Media, IdPrefix.MEDIA, media_not_found),
}

_ROLE = role_for_caller()
# FOR NO KEY UPDATE queues changes of a project, and lets its events be stored meanwhile.
_LOCKED_PROJECT = (
    project_for_caller(Project)
    .with_for_update(key_share=True, of=(Project, Member))
    .execution_options(populate_existing=True)
)


def check_may_read(reader: Reader, caller: Caller, project_id: str) -> None:
    """Raise ProjectNotFoundError without a role in the project, ForbiddenError for too small a role."""
    read_project(reader, caller, project_id, _ROLE)


def read_project(
    reader: Reader, caller: Caller, project_id: str, statement: Select[*tuple[Any, ...]], **values: object
) -> Row[*tuple[Any, ...]]:
    """Return the row that a statement (`project_for_caller`) selects with the values. Raises like check_may_read."""
    if not is_id(IdPrefix.PROJECT, project_id):
        raise ProjectNotFoundError
    bind_contextvars(project=project_id)
    values |= {"project_id": project_id, "user_id": caller.user_id}
    row = reader.execute(statement, values).one_or_none()
    if row is None:
        raise ProjectNotFoundError
    _check_role(caller, Role(row.role))
    return row


def project_for_update(
    session: Session, caller: Caller, project_id: str, *, if_match: Precondition = NO_PRECONDITION
) -> Project:
    """Return the project, locked until the transaction ends.

    `if_match` is about the project itself. Raises like check_may_read, and PreconditionFailedError.
    """
    project, _ = _lock_project(session, caller, project_id)
    if_match.check(lambda: tag_of(Project, project))
    return project


def members_for_update(session: Session, caller: Caller, project_id: str) -> Role:
    """Lock the project to change its members, and return the caller's role. Raises like check_may_read."""
    return _lock_project(session, caller, project_id)[1]


def projects_owned_alone(session: Session, user_id: str, *project_ids: str) -> Sequence[str]:
    """Return the projects, of all or of some, that have a user as an owner and no other owner who is active.

    The caller holds their locks.
    """
    other = aliased(Member)
    has_other_owner = exists().where(
        other.project_id == Member.project_id,
        other.role == Role.OWNER.value,
        other.user_id != user_id,
        User.id == other.user_id,
        User.is_active(),
    )
    owned = select(Member.project_id).where(
        Member.user_id == user_id, Member.role == Role.OWNER.value, ~has_other_owner
    )
    if project_ids:
        owned = owned.where(Member.project_id.in_(project_ids))
    return session.scalars(owned.order_by(Member.project_id)).all()


def get_for_read(
    reader: Reader,
    caller: Caller,
    model: type[PartT],
    part_id: str,
    statement: Select[*tuple[Any, ...]] | None = None,
) -> Row[*tuple[Any, ...]]:
    """Return the columns of a part of a project, or the columns of a statement (`part_for_caller`).

    Raises its NotFoundError without a role in its project, ForbiddenError for too small a role.
    """
    kind = _PARTS[model]
    row = _read_part(reader, caller, kind, part_id, kind.read if statement is None else statement)
    bind_contextvars(project=row.project_id)
    return row


def get_for_update(
    session: Session,
    caller: Caller,
    model: type[PartT],
    part_id: str,
    *,
    if_match: Precondition = NO_PRECONDITION,
) -> PartT:
    """Return a part of a project, locked with its project until the transaction ends.

    `if_match` is about the part itself; a screen is checked where its document is read. Raises like get_for_read, and
    PreconditionFailedError.
    """
    part: PartT
    part, _ = _read_part(session, caller, _PARTS[model], part_id, _PARTS[model].lock)
    bind_contextvars(project=part.project_id)
    set_audit_actor(session, caller.user_id)
    if_match.check(lambda: current_tag(session, part))
    return part


def _lock_project(session: Session, caller: Caller, project_id: str) -> tuple[Project, Role]:
    """Lock the project, and return it with the caller's role in it."""
    project, role = read_project(session, caller, project_id, _LOCKED_PROJECT)
    set_audit_actor(session, caller.user_id)
    return project, Role(role)


def _read_part(
    reader: Reader, caller: Caller, kind: _Part, part_id: str, statement: Select[*tuple[Any, ...]]
) -> Row[*tuple[Any, ...]]:
    if not is_id(kind.prefix, part_id):
        raise kind.not_found()
    row = reader.execute(statement, {"part_id": part_id, "user_id": caller.user_id}).one_or_none()
    if row is None:
        raise kind.not_found()
    _check_role(caller, Role(row.role))
    return row


def _check_role(caller: Caller, role: Role) -> None:
    if not role.includes(caller.required_role):
        raise ForbiddenError
