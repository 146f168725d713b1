"""The only two ways to a flow, a screen, a theme or an experiment: through its project, to read it or to change it.

An id that is malformed, unknown or of a project without the caller gives one and the same error.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar, TypeVarTuple

from sqlalchemy import Row, Select, bindparam, select
from sqlalchemy.orm import Session
from structlog.contextvars import bind_contextvars

from common.errors import FlowNotFoundError, NotFoundError
from common.ids import IdPrefix, is_id
from management_api.database.audit_trail import name_who_changes
from management_api.database.experiments import Experiment
from management_api.database.flows import Flow
from management_api.database.prepared import Prepared
from management_api.database.projects import Member, Project
from management_api.database.screens import Screen
from management_api.database.themes import Theme
from management_api.operations.callers import Caller
from management_api.operations.entity_tags import present_tag
from management_api.operations.preconditions import ANY_STATE, Precondition
from management_api.operations.project_access import Absent, locking, permitted, request_publication

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
    session: Session, caller: Caller, kind: PartKind[PartT], part_id: str, *, if_match: Precondition = ANY_STATE
) -> Row[*tuple[Any, ...]]:
    """Give the part and its project's `default_flow_id`, both locked, the project's publication requested.

    `if_match` is what the client demands of the part itself. Raises like part_to_read, and PreconditionFailedError.
    """
    part = row_to_read(session, caller, kind, part_id, kind.to_change)
    name_who_changes(session, caller.user_id)
    if_match.check(lambda: present_tag(session, kind.model, part))
    request_publication(session, part.project_id)
    return part
