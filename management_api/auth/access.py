"""The only ways to projects and their parts: the caller's role, the lock, entity tags.

Each function checks that the caller has the role of the route; without any role in the project the response is the
same as for an unknown id. The functions for updates lock the row of the project, so that changes of a project queue,
and set the actor of the audit log, whose listener requests the publication (`db/audit.py`).

An entity tag covers the state that a client can edit (`If-Match`, RFC 9110, section 13.1.1). Statistics of projects and
flows are not part of it, because an event must not fail the edit of a client (docs/internals/management.md). The state
of a flow includes its screens.
"""

import functools
import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import orjson
from sqlalchemy import ColumnElement, LargeBinary, Row, RowMapping, Select, bindparam, inspect, select
from sqlalchemy.orm import Session, contains_eager
from sqlalchemy.orm.attributes import InstrumentedAttribute
from sqlalchemy.sql.base import ExecutableOption
from structlog.contextvars import bind_contextvars

from common.errors import (
    FlowNotFoundError,
    ForbiddenError,
    NotFoundError,
    PreconditionFailedError,
    ProjectNotFoundError,
    RequestError,
)
from common.ids import IdPrefix, is_id
from management_api.db.audit import set_audit_actor
from management_api.db.engine import Reader
from management_api.db.models.base import Model
from management_api.db.models.documents import FlowDocument
from management_api.db.models.experiments import Experiment
from management_api.db.models.flows import Flow, Screen, Theme
from management_api.db.models.projects import Member, Project, Role

#: The columns of a screen in the tag of its flow. `updated_at` stands for content and settings.
SCREEN_STATE: tuple[InstrumentedAttribute[Any], ...] = (
    Screen.id, Screen.type, Screen.name, Screen.order, Screen.updated_at,
)  # fmt: skip


def tag_of(model: type[Model], row: object, *parts: object) -> str:
    """Return the tag of an object or row with the model's columns, and of further JSON of its state."""
    state = [getattr(row, name) for name in _state_columns(model)]
    # Sorted: PostgreSQL returns the members of a document in another order than the client sent them.
    return hashlib.sha256(orjson.dumps([state, parts], option=orjson.OPT_SORT_KEYS)).hexdigest()


def project_tag(project: Project | Row[*tuple[Any, ...]]) -> str:
    """Return the tag of a project."""
    return tag_of(Project, project)


def screen_tag(screen: Screen | Row[*tuple[Any, ...]]) -> str:
    """Return the tag of a screen."""
    return tag_of(Screen, screen)


def theme_tag(theme: Theme | Row[*tuple[Any, ...]]) -> str:
    """Return the tag of a theme."""
    return tag_of(Theme, theme)


def experiment_tag(experiment: Experiment | Row[*tuple[Any, ...]]) -> str:
    """Return the tag of an experiment."""
    return tag_of(Experiment, experiment)


def flow_tag(flow: object, *, is_default: bool, screens: Iterable[Mapping[str, Any] | RowMapping]) -> str:
    """Return the tag of a flow; `screens` have SCREEN_STATE, in their order."""
    parts = [[screen[column.key] for column in SCREEN_STATE] for screen in screens]
    return tag_of(Flow, flow, is_default, parts)


def current_tag(session: Session, part: Flow | Screen | Theme | Experiment) -> str:
    """Return the tag of a locked part of a project; the screens of a flow are read, they belong to its state."""
    if not isinstance(part, Flow):
        return tag_of(type(part), part)
    screens = session.execute(select(*SCREEN_STATE).where(Screen.flow_id == part.id).order_by(Screen.order)).mappings()
    return flow_tag(part, is_default=part.project.default_flow_id == part.id, screens=screens)


@functools.cache
def _state_columns(model: type[Model]) -> tuple[str, ...]:
    """Return the columns of a model whose values are its state.

    Ciphertexts change when the master key is rotated. The document of a draft gains members with a new release, and a
    pending schedule names the draft's tag; `updated_at` stands for the document.
    """
    columns = inspect(model).column_attrs
    left_out = (LargeBinary, FlowDocument) if "updated_at" in columns else (LargeBinary,)
    return tuple(column.key for column in columns if not isinstance(column.columns[0].type, left_out))


@dataclass(frozen=True, slots=True)
class Precondition:
    """The required state of an object: its tag must be one of `tags`, strong entity tags; None is any state.

    With `must_exist` there must be an object; most changes require that anyway. With `must_be_new` there must be none.
    """

    tags: frozenset[str] | None
    must_exist: bool = False
    must_be_new: bool = False

    def check(self, current_tag: Callable[[], str | None]) -> None:
        """Raise PreconditionFailedError if the object is in another state; an object without a tag matches none.

        Call it only while the project is locked.
        """
        if self == NO_PRECONDITION:
            return
        tag = current_tag()
        is_other = tag is not None if self.must_be_new else tag is None
        if is_other or (self.tags is not None and tag not in self.tags):
            raise PreconditionFailedError


#: Neither `If-Match` nor `If-None-Match`.
NO_PRECONDITION = Precondition(tags=None)


PartT = TypeVar("PartT", Flow, Screen, Theme, Experiment)
_IS_MEMBER = (Member.project_id == bindparam("project_id")) & (Member.user_id == bindparam("user_id"))


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


def project_for_caller(*columns: Any) -> Select[*tuple[Any, ...]]:  # noqa: ANN401 - any column
    """Return a statement for `read_project`: the columns of one project, and the caller's role."""
    return select(*columns, Member.role).join(Member, Member.project_id == Project.id).where(_IS_MEMBER)


def role_for_caller(*columns: ColumnElement[Any]) -> Select[*tuple[Any, ...]]:
    """Return a statement for `read_project`: the caller's role, and columns of no table, such as subqueries."""
    return select(*columns, Member.role).where(_IS_MEMBER)


def part_for_caller(model: type[PartT], *columns: Any) -> Select[*tuple[Any, ...]]:  # noqa: ANN401 - any column
    """Return a statement for `read_part`: the columns of one part, and the caller's role."""
    return (
        select(*columns, Member.role)
        .join(Member, Member.project_id == model.project_id)
        .where(model.id == bindparam("part_id"), Member.user_id == bindparam("user_id"))
    )


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
        return cls(prefix, not_found, part_for_caller(model, *model.__table__.columns), lock)


_PARTS: dict[type[Model], _Part] = {
    Flow: _Part.from_model(Flow, IdPrefix.FLOW, FlowNotFoundError, contains_eager(Flow.project)),
    Screen: _Part.from_model(Screen, IdPrefix.SCREEN, screen_not_found),
    Theme: _Part.from_model(Theme, IdPrefix.THEME, theme_not_found),
    Experiment: _Part.from_model(Experiment, IdPrefix.EXPERIMENT, experiment_not_found),
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
    if_match.check(lambda: project_tag(project))
    return project


def members_for_update(session: Session, caller: Caller, project_id: str) -> Role:
    """Lock the project to change its members, and return the caller's role. Raises like check_may_read."""
    return _lock_project(session, caller, project_id)[1]


def get_for_read(
    reader: Reader,
    caller: Caller,
    model: type[PartT],
    part_id: str,
    statement: Select[*tuple[Any, ...]] | None = None,
) -> Row[*tuple[Any, ...]]:
    """Return the columns of a flow, screen, theme or experiment, or those of a statement (`part_for_caller`).

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

    `if_match` is about the part itself. Raises like get_for_read, and PreconditionFailedError.
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
    if not role.includes(caller.needs):
        raise ForbiddenError
