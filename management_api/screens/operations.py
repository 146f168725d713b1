"""Screens of a flow: list, create, read, update, delete, reorder (contract, section 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from sqlalchemy import Row, Select, bindparam, func, select, update
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import InstrumentedAttribute

from common.errors import Detail, InvalidRequestError
from common.ids import IdPrefix, new_id
from management_api.auth.access import FLOW, SCREEN, Caller, part_to_change, part_to_read
from management_api.db.audited_rows import add_row, add_rows, change_row, remove_row
from management_api.db.models.flows import Screen, ScreenType
from management_api.db.prepared import Prepared
from management_api.flows.queries import WholeFlow, whole_flow
from management_api.http.etags import Precondition
from management_api.http.pagination import Page, PageRequest, equal_to, read_page
from management_api.projects.quotas import Quotas, check_quota

# Keeps the screens of a flow numbered 0..n-1: making room, closing gaps, moving.
# Every function expects the project's lock (see `project_access.py`), so that no other change comes between. An order
# past the end means the end: a client that adds screens need not know how many there are.

_OF_FLOW = Screen.flow_id == bindparam("flow_id")
_NUMBER = Prepared(select(func.count().label("there")).where(_OF_FLOW))
_ORDERS = Prepared(select(Screen.id, Screen.project_id, Screen.order).where(_OF_FLOW))


def make_room(session: Session, flow_id: str, wanted: int | None) -> int:
    """Shift the screens behind a new one, and give the place that is free now; None wants the last one."""
    count = _count(session, flow_id)
    place = count if wanted is None else min(wanted, count)
    _shift(session, flow_id, first=place, last=count, by=1)
    return place


def close_gap(session: Session, flow_id: str, order: int) -> None:
    """Shift the screens behind one that has gone."""
    _shift(session, flow_id, first=order + 1, last=_count(session, flow_id), by=-1)


def place_to_move_to(session: Session, screen: Row[*tuple[Any, ...]], wanted: int) -> int:
    """Give the place of its flow that a screen can be put to, the ones in between having given way."""
    place = min(wanted, _count(session, screen.flow_id) - 1)
    if place < screen.order:
        _shift(session, screen.flow_id, first=place, last=screen.order - 1, by=1)
    else:
        _shift(session, screen.flow_id, first=screen.order + 1, last=place, by=-1)
    return place


def arrange(session: Session, flow_id: str, screen_ids: Sequence[str]) -> None:
    """Put the screens in the order of the ids. Raises InvalidRequestError unless these are just the flow's screens."""
    screens = {screen.id: screen for screen in _ORDERS.rows(session, {"flow_id": flow_id})}
    if len(screen_ids) != len(screens) or set(screen_ids) != screens.keys():
        raise InvalidRequestError([Detail.invalid("screen_ids", "must name every screen of the flow exactly once")])
    for order, screen_id in enumerate(screen_ids):
        change_row(session, Screen, screens[screen_id], {"order": order})


def _count(session: Session, flow_id: str) -> int:
    [(there,)] = _NUMBER.rows(session, {"flow_id": flow_id})
    return there


def _shift(session: Session, flow_id: str, *, first: int, last: int, by: int) -> None:
    if first <= last:
        session.execute(
            update(Screen)
            .where(Screen.flow_id == flow_id, Screen.order.between(first, last))
            .values(order=Screen.order + by)
            .execution_options(synchronize_session=False, follows_from_audited_change=True)
        )


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
) -> Page[*tuple[Any, ...]]:
    """Give a page of the flow's screens, only those of one type if it is given. Raises FlowNotFoundError."""
    part_to_read(session, caller, FLOW, flow_id)
    values, filters = {"flow_id": flow_id}, {_HAS_TYPE: kind and kind.value}
    return read_page(session, _LISTED, page, values, filters=filters, sortable=SORTABLE, tie_breaker=Screen.id)


def create_screen(
    session: Session, caller: Caller, flow_id: str, new: NewScreen, order: int | None, quotas: Quotas
) -> Row[Any]:
    """Add a screen at `order` (None: last), shifting the rest. Raises FlowNotFoundError, ConflictError when full."""
    flow = part_to_change(session, caller, FLOW, flow_id)
    check_quota(session, quotas, Screen, flow_id)
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


def order_screens(
    session: Session, caller: Caller, flow_id: str, screen_ids: Sequence[str], if_match: Precondition
) -> WholeFlow:
    """Put a flow's screens in the order of the ids, and give the flow.

    Raises FlowNotFoundError, ForbiddenError, PreconditionFailedError, InvalidRequestError.
    """
    part_to_change(session, caller, FLOW, flow_id, if_match=if_match)
    arrange(session, flow_id, screen_ids)
    return whole_flow(session, flow_id)
