"""Keeps the screens of a flow numbered 0..n-1: making room, closing gaps, moving.

Every function expects the project's lock (see `project_access.py`), so that no other change comes between. An order
past the end means the end: a client that adds screens need not know how many there are.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, bindparam, func, select, update
from sqlalchemy.orm import Session

from common.errors import Detail, InvalidRequestError
from management_api.database.audited_rows import change_row
from management_api.database.prepared import Prepared
from management_api.database.screens import Screen

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
