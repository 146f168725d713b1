"""Flows of a project: create, update, delete, and being the default one (contract, section 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from common.conditions import Condition
from common.errors import Detail, InvalidRequestError
from common.identifiers import IdPrefix, is_id, new_id
from management_api.database.flows import Flow, FlowStatus
from management_api.database.projects import Project
from management_api.database.themes import Theme
from management_api.operations.callers import Caller
from management_api.operations.limits import Limits, check_room_for_flow, check_room_for_screens
from management_api.operations.preconditions import Precondition
from management_api.operations.project_access import project_to_change
from management_api.operations.project_parts import FLOW, part_to_change, theme_not_found
from management_api.operations.screens import NewScreen
from management_api.operations.whole_flows import WholeFlow, whole_flow


@dataclass(frozen=True, slots=True)
class NewFlow:
    """What a flow is made of. `rollout_buckets` is the percentage x 100; `screens` are numbered as they stand."""

    name: str
    description: str | None
    status: FlowStatus
    theme_id: str | None
    priority: int
    rollout_buckets: int
    conditions: tuple[Condition, ...]
    is_default: bool
    screens: tuple[NewScreen, ...]


class FlowChanges(TypedDict, total=False):
    """What a PUT changes; an absent member stays as it is."""

    name: str
    description: str | None
    status: FlowStatus
    theme_id: str | None
    priority: int
    rollout_buckets: int
    conditions: tuple[Condition, ...]
    is_default: bool


def create_flow(session: Session, caller: Caller, project_id: str, new: NewFlow, limits: Limits) -> WholeFlow:
    """Make a flow with its screens.

    Raises ProjectNotFoundError, NotFoundError (the theme), InvalidRequestError, ConflictError when there are too many.
    """
    project = project_to_change(session, caller, project_id)
    check_room_for_flow(session, limits, project.id)
    _check_theme(session, project.id, new.theme_id)
    flow = Flow(
        id=new_id(IdPrefix.FLOW),
        project_id=project.id,
        name=new.name,
        description=new.description,
        status=new.status.value,
        theme_id=new.theme_id,
        priority=new.priority,
        rollout_buckets=new.rollout_buckets,
        conditions=_stored_conditions(new.conditions),
    )
    session.add(flow)
    # Screens and the project's default refer to the flow, so it goes first.
    session.flush()
    if new.screens:
        check_room_for_screens(session, limits, flow.id, len(new.screens))
    session.add_all(
        screen.model(flow_id=flow.id, project_id=project.id, order=order) for order, screen in enumerate(new.screens)
    )
    _settle_default(project, flow, wanted=new.is_default)
    return whole_flow(session, flow)


def update_flow(
    session: Session, caller: Caller, flow_id: str, changes: FlowChanges, if_match: Precondition
) -> WholeFlow:
    """Change a flow.

    Raises FlowNotFoundError, NotFoundError (the theme), ForbiddenError, PreconditionFailedError, InvalidRequestError.
    """
    project, flow = part_to_change(session, caller, FLOW, flow_id, if_match=if_match)
    _check_theme(session, project.id, changes.get("theme_id"))
    if "status" in changes:
        flow.status = changes["status"].value
    if "conditions" in changes:
        flow.conditions = _stored_conditions(changes["conditions"])
    for column in ("name", "description", "theme_id", "priority", "rollout_buckets"):
        if column in changes:
            setattr(flow, column, changes[column])
    _settle_default(project, flow, wanted=changes.get("is_default"))
    return whole_flow(session, flow)


def delete_flow(session: Session, caller: Caller, flow_id: str, if_match: Precondition) -> None:
    """Delete a flow and its screens; the project's default is unset with it.

    Raises FlowNotFoundError, ForbiddenError, PreconditionFailedError.
    """
    project, flow = part_to_change(session, caller, FLOW, flow_id, if_match=if_match)
    if project.default_flow_id == flow.id:
        project.default_flow_id = None
        session.flush()
    session.delete(flow)
    session.flush()


def _settle_default(project: Project, flow: Flow, *, wanted: bool | None) -> None:
    """Keep the rule that an archived flow is never the default.

    `is_default: true` on the default flow that is just being archived is an echo of what was read (GET, edit, PUT)
    and gives way; asked for an archived flow that is not the default, it is refused.
    """
    is_default = project.default_flow_id == flow.id
    archived = flow.status == FlowStatus.ARCHIVED
    if is_default and (archived or wanted is False):
        project.default_flow_id = None
    elif wanted and archived:
        raise InvalidRequestError([Detail.invalid("is_default", "must not be true for an archived flow")])
    elif wanted:
        project.default_flow_id = flow.id


def _check_theme(session: Session, project_id: str, theme_id: str | None) -> None:
    if theme_id is None:
        return
    theme = select(Theme.id).where(Theme.id == theme_id, Theme.project_id == project_id)
    if not is_id(IdPrefix.THEME, theme_id) or session.scalar(theme) is None:
        raise theme_not_found()


def _stored_conditions(conditions: Sequence[Condition]) -> list[dict[str, Any]]:
    """Give conditions as the database holds and the interface shows them; `exists` and its like have no value."""
    shown: list[dict[str, Any]] = [msgspec.to_builtins(condition) for condition in conditions]
    return [{name: value for name, value in condition.items() if value is not None} for condition in shown]
