"""Screens of a flow: list, create, read, update and delete them (contract, section 3).

A screen is a member of the live document of its flow, and its order is its place there. The table of ids has its flow
and its times. Each change makes another document live, under the lock of the project.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from common.ids import IdPrefix, new_id
from management_api.auth.access import (
    FLOW_WITH_DOCUMENT,
    Caller,
    get_for_read,
    get_for_update,
    part_for_caller,
    screen_not_found,
)
from management_api.auth.entity_tags import Precondition, etag
from management_api.auth.lists import PageRequest
from management_api.db.engine import Reader
from management_api.db.models.flow_history import ScreenId, live_document
from management_api.db.models.flows import Flow
from management_api.db.models.history import VersionOrigin
from management_api.flows.lifecycle.document import Document
from management_api.flows.lifecycle.logic_problems import check_written
from management_api.flows.lifecycle.versions import live_version, make_live
from management_api.media.references import check_references
from management_api.projects.quotas import Quotas, check_screen_count, content_limited
from management_api.screens.contents import check_contents
from management_api.screens.localizations import WrittenScreen, check_localizations
from management_api.screens.schemas import ScreenCreateBody, ScreenListQuery, ScreenUpdateBody

#: The members of a screen in its document, its place in the project, its order and its times.
Screen = Mapping[str, Any]

_TIMES = (ScreenId.id, ScreenId.created_at, ScreenId.updated_at)
_SCREEN = part_for_caller(
    ScreenId, *_TIMES, ScreenId.flow_id, ScreenId.project_id, live_document().label("document")
).join(Flow, Flow.id == ScreenId.flow_id)


def list_screens(reader: Reader, caller: Caller, query: ScreenListQuery) -> tuple[Sequence[Screen], int]:
    """Return a page of the flow's screens, and the number of all. Raises FlowNotFoundError, ForbiddenError."""
    flow = get_for_read(reader, caller, Flow, query.flow_id, FLOW_WITH_DOCUMENT)
    times = {row.id: row for row in reader.execute(select(*_TIMES).where(ScreenId.flow_id == flow.id))}
    screens = [
        _screen(flow.id, flow.project_id, order, screen, times[screen["id"]])
        for order, screen in enumerate(flow.document["screens"])
        if query.type is None or screen["type"] == query.type
    ]
    page = query.page_request()
    first = (page.number - 1) * page.limit
    return _in_order(screens, page)[first : first + page.limit], len(screens)


def create_screen(session: Session, caller: Caller, body: ScreenCreateBody, quotas: Quotas) -> Screen:
    """Create a screen at the body's `order`, by default last; the screens from there on move up.

    Raises FlowNotFoundError, ForbiddenError, ConflictError for a full flow, InvalidRequestError for a rule that leads
    nowhere or backward.
    """
    flow = get_for_update(session, caller, Flow, body.flow_id)
    screens = list(live_version(session, flow).document["screens"])
    check_screen_count(quotas, len(screens) + 1)
    screen_id = new_id(IdPrefix.SCREEN)
    screen = {"id": screen_id, **body.new_members()}
    screens.insert(len(screens) if body.order is None else body.order, screen)
    check_written(screens, screen_id, _field)
    check_contents([("content", screen)])
    check_localizations(flow.project.locales, iter([WrittenScreen("localizations", screen)]))
    check_references(session, flow.project_id, _written_parts(body), flow.id)
    _make_live(session, caller, flow, screens, quotas)
    return _live_screen(session, flow, session.get_one(ScreenId, screen_id))


def read_screen(reader: Reader, caller: Caller, screen_id: str) -> Screen:
    """Return one screen. Raises NotFoundError, ForbiddenError."""
    row = get_for_read(reader, caller, ScreenId, screen_id, _SCREEN)
    order = _place(row.document["screens"], screen_id)
    return _screen(row.flow_id, row.project_id, order, row.document["screens"][order], row)


def update_screen(
    session: Session, caller: Caller, screen_id: str, body: ScreenUpdateBody, quotas: Quotas, if_match: Precondition
) -> Screen:
    """Change a screen; a new `order`, at most the last one, moves it and shifts the others.

    Raises NotFoundError, ForbiddenError, PreconditionFailedError, InvalidRequestError and ConflictError for a document
    that is too large, or for a rule that leads nowhere or backward: the screen's own, or that of another screen.
    """
    flow, place = _get_for_update(session, caller, screen_id, if_match)
    screens = list(live_version(session, flow).document["screens"])
    order = _place(screens, screen_id)
    former = screens.pop(order)
    changed = {**former, **body.members()}
    screens.insert(body.order if "order" in body.model_fields_set else order, changed)
    check_written(screens, screen_id if "next" in body.model_fields_set else None, _field)
    if body.model_fields_set & {"type", "content"}:
        check_contents([("content", changed)])
    if "localizations" in body.model_fields_set:
        written = WrittenScreen("localizations", changed, [former.get("localizations", {})])
        check_localizations(flow.project.locales, iter([written]))
    check_references(session, flow.project_id, _written_parts(body), flow.id)
    _make_live(session, caller, flow, screens, quotas)
    session.refresh(place)
    return _live_screen(session, flow, place)


def delete_screen(session: Session, caller: Caller, screen_id: str, if_match: Precondition) -> None:
    """Delete a screen; the screens behind it move up.

    Raises NotFoundError, ForbiddenError, PreconditionFailedError, ConflictError while a rule leads to it.
    """
    flow, _ = _get_for_update(session, caller, screen_id, if_match)
    screens = [screen for screen in live_version(session, flow).document["screens"] if screen["id"] != screen_id]
    check_written(screens, None, _field)
    _make_live(session, caller, flow, screens)


def _field(_place: int, index: int) -> str:
    """Return the name of the target of a rule in the body of a screen."""
    return f"next.{index}.go_to"


def _written_parts(body: ScreenCreateBody | ScreenUpdateBody) -> Iterator[tuple[str, object]]:
    for name in ("content", "settings"):
        if name in body.model_fields_set:
            yield name, getattr(body, name)


def _get_for_update(session: Session, caller: Caller, screen_id: str, if_match: Precondition) -> tuple[Flow, ScreenId]:
    """Return the flow of a live screen, locked with its project, and the id. Raises like get_for_update."""
    place = get_for_update(session, caller, ScreenId, screen_id)
    flow = session.get_one(Flow, place.flow_id)
    screen = _live_screen(session, flow, place)
    if_match.check(lambda: etag(screen))
    return flow, place


def _make_live(
    session: Session, caller: Caller, flow: Flow, screens: Sequence[Mapping[str, Any]], quotas: Quotas | None = None
) -> None:
    document = {**live_version(session, flow).document, "screens": screens}
    with content_limited(session, flow.project_id, quotas):
        make_live(session, flow, document, VersionOrigin.DIRECT, caller.user_id)


def _live_screen(session: Session, flow: Flow, place: ScreenId) -> Screen:
    screens = live_version(session, flow).document["screens"]
    order = _place(screens, place.id)
    return _screen(flow.id, flow.project_id, order, screens[order], place)


def _place(screens: Sequence[Mapping[str, Any]], screen_id: str) -> int:
    """Return the place of a screen. Raises NotFoundError for an id that only a draft or a former version has."""
    for place, screen in enumerate(screens):
        if screen["id"] == screen_id:
            return place
    raise screen_not_found()


def _screen(
    flow_id: str, project_id: str, order: int, screen: Mapping[str, Any], times: Row[*tuple[Any, ...]] | ScreenId
) -> Document:
    return {
        **screen,
        "flow_id": flow_id,
        "project_id": project_id,
        "order": order,
        "created_at": times.created_at,
        "updated_at": times.updated_at,
    }


def _in_order(screens: Sequence[Screen], page: PageRequest) -> Sequence[Screen]:
    """Return screens as a list sorts them: ties by the id, a name without regard to case, no name last."""

    def key(screen: Screen) -> tuple[bool, str | int | datetime, str]:
        value = screen[page.sort]
        text = value.lower() if isinstance(value, str) else value
        return value is None, "" if text is None else text, screen["id"]

    return sorted(screens, key=key, reverse=page.descending)
