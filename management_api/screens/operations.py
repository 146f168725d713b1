"""Screens of a flow: list, create, read, update, delete, reorder (contract, section 3).

The screens of a flow are numbered 0..n-1. Each change holds the lock of the project, so that no other one comes between
its statements.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Row, bindparam, func, select, update
from sqlalchemy.orm import Session, load_only

from common.errors import Detail, InvalidRequestError
from common.ids import IdPrefix, new_id
from management_api.auth.access import Caller, get_for_read, get_for_update, part_for_caller
from management_api.auth.entity_tags import Precondition
from management_api.auth.lists import Page, PagedSelect, unless_large
from management_api.db.engine import Reader
from management_api.db.models.base import flush_and_refresh
from management_api.db.models.flows import Flow, Screen
from management_api.flows.lifecycle.versions import append_direct_version
from management_api.projects.quotas import Quotas, check_quota, content_limited
from management_api.screens.schemas import ScreenCreateBody, ScreenListQuery, ScreenUpdateBody

_LIST = PagedSelect(
    select(
        *(column for column in Screen.__table__.columns if column.key not in {"content", "settings"}),
        unless_large(Screen.content),
        unless_large(Screen.settings),
    ).where(Screen.flow_id == bindparam("flow_id")),
    {
        "created_at": Screen.created_at,
        "updated_at": Screen.updated_at,
        "name": Screen.name,
        "order": Screen.order,
    },
    Screen.id,
)

_FLOW = part_for_caller(Flow, Flow.project_id)


def list_screens(reader: Reader, caller: Caller, query: ScreenListQuery) -> Page[*tuple[Any, ...]]:
    """Return a page of the flow's screens. Raises FlowNotFoundError, ForbiddenError."""
    get_for_read(reader, caller, Flow, query.flow_id, _FLOW)
    conditions = [] if query.type is None else [Screen.type == query.type]
    return _LIST.read(reader, query.page_request(), {"flow_id": query.flow_id}, *conditions)


def create_screen(session: Session, caller: Caller, body: ScreenCreateBody, quotas: Quotas) -> Screen:
    """Create a screen at the body's `order`, by default last; the screens from there on move up.

    Raises FlowNotFoundError, ForbiddenError, ConflictError for a full flow.
    """
    flow = get_for_update(session, caller, Flow, body.flow_id)
    check_quota(session, quotas, Screen, flow.id)
    count = _count(session, flow.id)
    order = count if body.order is None else min(body.order, count)
    _shift(session, flow.id, first=order, last=count - 1, by=1)
    screen = Screen(
        id=new_id(IdPrefix.SCREEN), flow_id=flow.id, project_id=flow.project_id, order=order, **body.columns()
    )
    with content_limited(session, flow.project_id, quotas):
        session.add(screen)
        _append_version(session, screen, caller)
    flush_and_refresh(session, screen)
    return screen


def add_screens(session: Session, flow: Flow, screens: Iterable[Mapping[Any, Any]]) -> None:
    """Add the screens of a new flow, each given by its columns, in their order."""
    session.add_all(
        Screen(id=new_id(IdPrefix.SCREEN), flow_id=flow.id, project_id=flow.project_id, order=order, **columns)
        for order, columns in enumerate(screens)
    )
    session.flush()


def read_screen(reader: Reader, caller: Caller, screen_id: str) -> Row[*tuple[Any, ...]]:
    """Return one screen. Raises NotFoundError, ForbiddenError."""
    return get_for_read(reader, caller, Screen, screen_id)


def update_screen(
    session: Session, caller: Caller, screen_id: str, body: ScreenUpdateBody, quotas: Quotas, if_match: Precondition
) -> Screen:
    """Change a screen; a new `order`, at most the last one, moves it and shifts the others.

    Raises NotFoundError, ForbiddenError, PreconditionFailedError, InvalidRequestError and ConflictError for a document
    that is too large.
    """
    screen = get_for_update(session, caller, Screen, screen_id, if_match=if_match)
    columns = body.columns()
    if "order" in body.model_fields_set:
        columns["order"] = _free_place(session, screen, body.order)
    with content_limited(session, screen.project_id, quotas):
        for name, value in columns.items():
            setattr(screen, name, value)
        _append_version(session, screen, caller)
    flush_and_refresh(session, screen)
    return screen


def delete_screen(session: Session, caller: Caller, screen_id: str, if_match: Precondition) -> None:
    """Delete a screen; the screens behind it move up. Raises NotFoundError, ForbiddenError, PreconditionFailedError."""
    screen = get_for_update(session, caller, Screen, screen_id, if_match=if_match)
    session.delete(screen)
    session.flush()
    _shift(session, screen.flow_id, first=screen.order + 1, last=_count(session, screen.flow_id), by=-1)
    _append_version(session, screen, caller)


def reorder_screens(session: Session, flow: Flow, screen_ids: Sequence[str]) -> None:
    """Put the screens of a flow in the order of the ids.

    Raises InvalidRequestError unless the ids are those of the flow's screens, each once.
    """
    columns = load_only(Screen.project_id, Screen.order, raiseload=True)
    found = session.scalars(select(Screen).where(Screen.flow_id == flow.id).options(columns))
    screens = {screen.id: screen for screen in found}
    if len(screen_ids) != len(screens) or set(screen_ids) != screens.keys():
        raise InvalidRequestError([Detail.invalid("screen_ids", "must name every screen of the flow exactly once")])
    for order, screen_id in enumerate(screen_ids):
        screens[screen_id].order = order
    session.flush()


def _append_version(session: Session, screen: Screen, caller: Caller) -> None:
    append_direct_version(session, session.get_one(Flow, screen.flow_id), caller.user_id)


def _free_place(session: Session, screen: Screen, wanted: int) -> int:
    """Shift the screens between a screen and its new place, and return the place."""
    order = min(wanted, _count(session, screen.flow_id) - 1)
    if order < screen.order:
        _shift(session, screen.flow_id, first=order, last=screen.order - 1, by=1)
    else:
        _shift(session, screen.flow_id, first=screen.order + 1, last=order, by=-1)
    return order


def _count(session: Session, flow_id: str) -> int:
    return session.scalars(select(func.count()).where(Screen.flow_id == flow_id)).one()


def _shift(session: Session, flow_id: str, *, first: int, last: int, by: int) -> None:
    """Add to the `order` of some screens of a flow; the audit log has the change that they make room for."""
    if first <= last:
        session.execute(
            update(Screen)
            .where(Screen.flow_id == flow_id, Screen.order.between(first, last))
            .values(order=Screen.order + by)
            .execution_options(synchronize_session=False)
        )
