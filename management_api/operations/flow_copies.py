"""Copies of flows: a draft that starts where another flow stands (contract, section 3)."""

from typing import Any

from sqlalchemy import Row, bindparam, select
from sqlalchemy.orm import Session

from common.ids import IdPrefix, new_id
from management_api.database.audited_rows import add_row
from management_api.database.flows import Flow, FlowStatus
from management_api.database.prepared import Prepared
from management_api.database.screens import Screen, ScreenType
from management_api.operations.callers import Caller
from management_api.operations.limits import Limits, check_room_for_flow
from management_api.operations.project_parts import FLOW, part_to_change
from management_api.operations.screens import NewScreen, add_screens
from management_api.operations.whole_flows import WholeFlow, new_whole_flow

NAME_LENGTH = 100
NAME_ENDING = " (copy)"
#: What a copy has of its original as it is.
_COPIED = ("project_id", "description", "theme_id", "priority", "rollout_buckets", "conditions")
_SCREENS = Prepared(
    select(Screen.type, Screen.name, Screen.content, Screen.settings)
    .where(Screen.flow_id == bindparam("flow_id"))
    .order_by(Screen.order)
)


def duplicate_flow(session: Session, caller: Caller, flow_id: str, limits: Limits) -> WholeFlow:
    """Make a copy with all that the flow has, but a draft and never the default.

    Raises FlowNotFoundError, ForbiddenError, ConflictError when the project is full.
    """
    original = part_to_change(session, caller, FLOW, flow_id)
    check_room_for_flow(session, limits, original.project_id)
    copied = {name: getattr(original, name) for name in _COPIED}
    named = {"id": new_id(IdPrefix.FLOW), "name": name_of_copy(original.name), "status": FlowStatus.DRAFT.value}
    copy = add_row(session, Flow, {**copied, **named})
    screens = [_new_screen(screen) for screen in _SCREENS.rows(session, {"flow_id": flow_id})]
    return new_whole_flow(copy, add_screens(session, copy.id, copy.project_id, screens), is_default=False)


def name_of_copy(name: str) -> str:
    """Give the name of a copy; a name that would become too long loses its end."""
    return name[: NAME_LENGTH - len(NAME_ENDING)].rstrip() + NAME_ENDING


def _new_screen(screen: Row[*tuple[Any, ...]]) -> NewScreen:
    return NewScreen(type=ScreenType(screen.type), name=screen.name, content=screen.content, settings=screen.settings)
