"""Copies of flows: a draft that starts where another flow stands (contract, section 3)."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from common.identifiers import IdPrefix, new_id
from management_api.database.flows import Flow, FlowStatus
from management_api.database.screens import Screen, ScreenType
from management_api.operations.callers import Caller
from management_api.operations.limits import Limits, check_room_for_flow
from management_api.operations.project_parts import FLOW, part_to_change
from management_api.operations.screens import NewScreen
from management_api.operations.whole_flows import WholeFlow, whole_flow

NAME_LENGTH = 100
NAME_ENDING = " (copy)"


def duplicate_flow(session: Session, caller: Caller, flow_id: str, limits: Limits) -> WholeFlow:
    """Make a copy with all that the flow has, but a draft and never the default.

    Raises FlowNotFoundError, ForbiddenError, ConflictError when the project is full.
    """
    _, original = part_to_change(session, caller, FLOW, flow_id)
    check_room_for_flow(session, limits, original.project_id)
    copy = Flow(
        id=new_id(IdPrefix.FLOW),
        project_id=original.project_id,
        name=name_of_copy(original.name),
        description=original.description,
        status=FlowStatus.DRAFT.value,
        theme_id=original.theme_id,
        priority=original.priority,
        rollout_buckets=original.rollout_buckets,
        conditions=original.conditions,
    )
    session.add(copy)
    # Screens refer to the flow, so it goes first.
    session.flush()
    screens = session.scalars(select(Screen).where(Screen.flow_id == original.id).order_by(Screen.order))
    session.add_all(
        _new_screen(screen).model(flow_id=copy.id, project_id=copy.project_id, order=order)
        for order, screen in enumerate(screens.all())
    )
    return whole_flow(session, copy)


def name_of_copy(name: str) -> str:
    """Give the name of a copy; a name that would become too long loses its end."""
    return name[: NAME_LENGTH - len(NAME_ENDING)].rstrip() + NAME_ENDING


def _new_screen(screen: Screen) -> NewScreen:
    return NewScreen(type=ScreenType(screen.type), name=screen.name, content=screen.content, settings=screen.settings)
