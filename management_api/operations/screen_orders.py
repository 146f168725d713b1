"""Keeps the screens of a flow numbered 0..n-1: making room, closing gaps, moving.

Every function expects the project's lock (see `project_access.py`), so that no other change comes between. An order
past the end means the end: a client that adds screens need not know how many there are.
"""

from collections.abc import Sequence

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from common.errors import Detail, InvalidRequestError
from management_api.database.screens import Screen


def make_room(session: Session, flow_id: str, wanted: int | None) -> int:
    """Shift the screens behind a new one, and give the place that is free now; None wants the last one."""
    count = _count(session, flow_id)
    place = count if wanted is None else min(wanted, count)
    _shift(session, flow_id, first=place, last=count, by=1)
    return place


def close_gap(session: Session, flow_id: str, order: int) -> None:
    """Shift the screens behind one that has gone."""
    _shift(session, flow_id, first=order + 1, last=_count(session, flow_id), by=-1)


def move(session: Session, screen: Screen, wanted: int) -> None:
    """Put a screen to another place of its flow, the ones in between giving way."""
    place = min(wanted, _count(session, screen.flow_id) - 1)
    if place < screen.order:
        _shift(session, screen.flow_id, first=place, last=screen.order - 1, by=1)
    else:
        _shift(session, screen.flow_id, first=screen.order + 1, last=place, by=-1)
    screen.order = place


def arrange(session: Session, flow_id: str, screen_ids: Sequence[str]) -> None:
    """Put the screens in the order of the ids. Raises InvalidRequestError unless these are just the flow's screens."""
    screens = {screen.id: screen for screen in session.scalars(select(Screen).where(Screen.flow_id == flow_id))}
    if len(screen_ids) != len(screens) or set(screen_ids) != screens.keys():
        raise InvalidRequestError([Detail.invalid("screen_ids", "must name every screen of the flow exactly once")])
    for order, screen_id in enumerate(screen_ids):
        screens[screen_id].order = order
    session.flush()


def _count(session: Session, flow_id: str) -> int:
    return session.scalar(select(func.count()).where(Screen.flow_id == flow_id)) or 0


def _shift(session: Session, flow_id: str, *, first: int, last: int, by: int) -> None:
    session.execute(
        update(Screen)
        .where(Screen.flow_id == flow_id, Screen.order.between(first, last))
        .values(order=Screen.order + by)
        .execution_options(synchronize_session=False, follows_from_audited_change=True)
    )
