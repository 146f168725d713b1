"""The only two ways to a flow, a screen or a theme: through its project, to read it or to change it.

An id that is malformed, unknown or of a project without the caller gives one and the same error.
"""

from dataclasses import dataclass
from typing import Generic, TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from common.errors import FlowNotFoundError, NotFoundError
from common.identifiers import IdPrefix, is_id
from management_api.database.flows import Flow
from management_api.database.projects import Project
from management_api.database.screens import Screen
from management_api.database.themes import Theme
from management_api.operations.callers import Caller
from management_api.operations.entity_tags import present_tag
from management_api.operations.preconditions import ANY_STATE, Precondition
from management_api.operations.project_access import Absent, project_to_change, project_to_read

PartT = TypeVar("PartT", Flow, Screen, Theme)


def screen_not_found() -> NotFoundError:
    """Make the error for no such screen, or not visible to this caller."""
    return NotFoundError("Screen not found")


def theme_not_found() -> NotFoundError:
    """Make the error for no such theme, or not visible to this caller."""
    return NotFoundError("Theme not found")


@dataclass(frozen=True, slots=True)
class PartKind(Generic[PartT]):
    """A kind of thing that belongs to one project."""

    model: type[PartT]
    prefix: IdPrefix
    absent: Absent


FLOW = PartKind(Flow, IdPrefix.FLOW, FlowNotFoundError)
SCREEN = PartKind(Screen, IdPrefix.SCREEN, screen_not_found)
THEME = PartKind(Theme, IdPrefix.THEME, theme_not_found)


def part_to_read(session: Session, caller: Caller, kind: PartKind[PartT], part_id: str) -> PartT:
    """Give the part. Raises the kind's `absent` without a role in its project, ForbiddenError with too small a role."""
    project_to_read(session, caller, _project_id_of(session, kind, part_id), absent=kind.absent)
    return _present(session, kind, part_id)


def part_to_change(
    session: Session, caller: Caller, kind: PartKind[PartT], part_id: str, *, if_match: Precondition = ANY_STATE
) -> tuple[Project, PartT]:
    """Give the part and its project, which stays locked until the transaction ends.

    `if_match` is what the client demands of the part itself. Raises like part_to_read, and PreconditionFailedError.
    """
    project = project_to_change(session, caller, _project_id_of(session, kind, part_id), absent=kind.absent)
    # Read only now, under the lock: the part may have changed or gone while we waited for it.
    part = _present(session, kind, part_id)
    if_match.check(lambda: present_tag(session, project, part))
    return project, part


def _project_id_of(session: Session, kind: PartKind[PartT], part_id: str) -> str:
    if not is_id(kind.prefix, part_id):
        raise kind.absent()
    project_id = session.scalar(select(kind.model.project_id).where(kind.model.id == part_id))
    if project_id is None:
        raise kind.absent()
    return project_id


def _present(session: Session, kind: PartKind[PartT], part_id: str) -> PartT:
    part = session.get(kind.model, part_id, populate_existing=True)
    if part is None:
        raise kind.absent()
    return part
