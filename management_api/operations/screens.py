"""Screens of a flow: list, create, read, update, delete (contract, section 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from sqlalchemy import Row, Select, bindparam, select
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import InstrumentedAttribute

from common.ids import IdPrefix, new_id
from management_api.database.audited_rows import add_row, add_rows, change_row, remove_row
from management_api.database.screens import Screen, ScreenType
from management_api.operations.callers import Caller
from management_api.operations.limits import Limits, check_room_for_screen
from management_api.operations.paging import PageOf, PageRequest, equal_to, read_page
from management_api.operations.preconditions import Precondition
from management_api.operations.project_parts import FLOW, SCREEN, part_to_change, part_to_read
from management_api.operations.screen_orders import close_gap, make_room, place_to_move_to

SORTABLE: dict[str, InstrumentedAttribute[Any]] = {
    "created_at": Screen.created_at, "updated_at": Screen.updated_at, "name": Screen.name, "order": Screen.order,
}  # fmt: skip
_LISTED: Select[*tuple[Any, ...]] = select(
    Screen.id, Screen.flow_id, Screen.project_id, Screen.type, Screen.name, Screen.order,
    Screen.content, Screen.settings, Screen.created_at, Screen.updated_at,
).where(Screen.flow_id == bindparam("flow_id"))  # fmt: skip
_HAS_TYPE = equal_to(Screen.type, "type")


@dataclass(frozen=True, slots=True)
class NewScreen:
    """What a screen is made of."""

    type: ScreenType
    name: str | None
    content: dict[str, Any]
    settings: dict[str, Any]

    def columns(self, *, flow_id: str, project_id: str, order: int) -> dict[str, object]:
        """Give the row to add."""
        return {
            "id": new_id(IdPrefix.SCREEN),
            "flow_id": flow_id,
            "project_id": project_id,
            "type": self.type.value,
            "name": self.name,
            "order": order,
            "content": self.content,
            "settings": self.settings,
        }


class ScreenChanges(TypedDict, total=False):
    """What a PUT changes; an absent member stays as it is."""

    type: ScreenType
    name: str | None
    content: dict[str, Any]
    settings: dict[str, Any]
    order: int


def list_screens(
    session: Session, caller: Caller, flow_id: str, kind: ScreenType | None, page: PageRequest
) -> PageOf[*tuple[Any, ...]]:
    """Give a page of the flow's screens, only those of one type if it is given. Raises FlowNotFoundError."""
    part_to_read(session, caller, FLOW, flow_id)
    values, filters = {"flow_id": flow_id}, {_HAS_TYPE: kind and kind.value}
    return read_page(session, _LISTED, page, values, filters=filters, sortable=SORTABLE, tie_breaker=Screen.id)


def create_screen(
    session: Session, caller: Caller, flow_id: str, new: NewScreen, order: int | None, limits: Limits
) -> Row[Any]:
    """Add a screen at `order` (None: last), shifting the rest. Raises FlowNotFoundError, ConflictError when full."""
    flow = part_to_change(session, caller, FLOW, flow_id)
    check_room_for_screen(session, limits, flow_id)
    place = make_room(session, flow_id, order)
    return add_row(session, Screen, new.columns(flow_id=flow_id, project_id=flow.project_id, order=place))


def add_screens(session: Session, flow_id: str, project_id: str, screens: Sequence[NewScreen]) -> list[Row[Any]]:
    """Add the screens of a flow that is just being made, numbered as they stand."""
    numbered = enumerate(screens)
    rows = [screen.columns(flow_id=flow_id, project_id=project_id, order=order) for order, screen in numbered]
    return add_rows(session, Screen, rows)


def read_screen(session: Session, caller: Caller, screen_id: str) -> Row[*tuple[Any, ...]]:
    """Give one screen. Raises NotFoundError, ForbiddenError."""
    return part_to_read(session, caller, SCREEN, screen_id)


def update_screen(
    session: Session, caller: Caller, screen_id: str, changes: ScreenChanges, if_match: Precondition
) -> Row[Any]:
    """Change a screen; a new `order` moves it and shifts the others.

    Raises NotFoundError, ForbiddenError, PreconditionFailedError.
    """
    screen = part_to_change(session, caller, SCREEN, screen_id, if_match=if_match)
    columns: dict[str, Any] = dict(changes)
    if "type" in changes:
        columns["type"] = changes["type"].value
    if "order" in changes:
        columns["order"] = place_to_move_to(session, screen, changes["order"])
    return change_row(session, Screen, screen, columns) or screen


def delete_screen(session: Session, caller: Caller, screen_id: str, if_match: Precondition) -> None:
    """Delete a screen; the ones behind it move up. Raises NotFoundError, ForbiddenError, PreconditionFailedError."""
    screen = part_to_change(session, caller, SCREEN, screen_id, if_match=if_match)
    remove_row(session, Screen, screen)
    close_gap(session, screen.flow_id, screen.order)
