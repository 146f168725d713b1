"""The document of a flow: its content without status, default, priority and statistics (contract, section 7, Model).

A project changes documents as a whole: a writer takes the live document, replaces members, and makes the result live
(`versions.py`). This module has what documents have in common: equality, the limit of bytes, the ids of screens, and
the entries of the audit log.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import orjson
from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from common.errors import MAX_DETAILS, Detail, InvalidRequestError
from common.ids import IdPrefix, is_id, new_id
from common.rules.bucketing import BUCKETS
from management_api.db.audit import ChangedMember, note_members, record_members
from management_api.db.models.flow_history import ScreenId
from management_api.db.models.flows import Flow
from management_api.history.diff import is_same_json, moved_screens
from management_api.settings import MAX_DOCUMENT_BYTES

Document = dict[str, Any]

#: The same for an id of another project, which must not be revealed.
_FOREIGN = "must be a new id, or that of a screen of this flow"
#: The members of a document whose changes the audit log has with the columns of the flow, or under other names.
_LOGGED_OTHERWISE = frozenset({*Flow.document_columns, "schema", "targeting", "screens"})


def check_size(document: Mapping[str, Any], *, former: Mapping[str, Any] | None = None) -> None:
    """Raise InvalidRequestError for a document above MAX_DOCUMENT_BYTES, unless it is not larger than the former one.

    Flows of 0.2.0 may be larger already.
    """
    size = len(orjson.dumps(document))
    if size > MAX_DOCUMENT_BYTES and (former is None or size > len(orjson.dumps(former))):
        message = f"of the flow must have at most {MAX_DOCUMENT_BYTES} bytes as JSON, and would have {size}"
        raise InvalidRequestError([Detail.invalid("document", message)])


# --- changes of the live document ---


def set_content(session: Session, flow: Flow, former: Mapping[str, Any], document: Mapping[str, Any]) -> None:
    """Change a stored flow with its live document, screens aside. The next flush writes it with its audit entry."""
    for name in Flow.document_columns:
        setattr(flow, name, document[name])
    if note_content(session, flow, former, document):
        flow.updated_at = func.clock_timestamp()


def record_screens(session: Session, flow: Flow, former: Mapping[str, Any], document: Mapping[str, Any]) -> None:
    """Write the changes of the screens of a live document to the audit log and to the table of ids."""
    screens = list(_changed_screens(flow, former["screens"], document["screens"]))
    record_members(session, flow.project_id, screens)
    places = {screen["id"]: place for place, screen in enumerate(former["screens"])}
    present = [(place, screen["id"]) for place, screen in enumerate(document["screens"])]
    new = [screen_id for _, screen_id in present if screen_id not in places]
    moved = [screen_id for place, screen_id in present if places.get(screen_id, place) != place]
    _touch_screen_ids(session, flow, new, {*moved, *(screen.entity_id for screen in screens if screen.after)} - {*new})


def note_content(session: Session, flow: Flow, former: Mapping[str, Any], document: Mapping[str, Any]) -> bool:
    """Add what differs between two documents, without their screens, to the audit entry of the next flush of the flow.

    Return whether something differs. The columns of the flow are in the entry already.
    """
    before, after = _content_columns(former), _content_columns(document)
    changed = [name for name in before | after if not is_same_json(before.get(name), after.get(name))]
    if changed:
        note_members(
            session,
            flow,
            {name: before[name] for name in changed if name in before},
            {name: after[name] for name in changed if name in after},
        )
    return bool(changed)


def _content_columns(document: Mapping[str, Any]) -> Document:
    """Return the members of a document that are no columns, under the names that the audit log has for them."""
    members = {name: value for name, value in document.items() if name not in _LOGGED_OTHERWISE}
    targeting = document.get("targeting")
    if targeting is not None:
        members["rollout_buckets"] = round(targeting["percentage"] * (BUCKETS // 100))
        members["conditions"] = targeting["conditions"]
    return members


def _changed_screens(
    flow: Flow, before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]
) -> Iterator[ChangedMember]:
    """Yield the screens that were added, changed, moved or removed, without those that only make room for others."""
    former, present = (
        {
            screen["id"]: {"flow_id": flow.id, "order": order, **{n: v for n, v in screen.items() if n != "id"}}
            for order, screen in enumerate(screens)
        }
        for screens in (before, after)
    )
    for screen_id, columns in former.items():
        if screen_id not in present:
            yield ChangedMember("screen", screen_id, columns, None)
    moved = moved_screens(before, after)
    for screen_id, columns in present.items():
        if screen_id not in former:
            yield ChangedMember("screen", screen_id, None, columns)
            continue
        old = former[screen_id]
        changed = [
            name
            for name in old | columns
            if (screen_id in moved if name == "order" else not is_same_json(old.get(name), columns.get(name)))
        ]
        if changed:
            yield ChangedMember(
                "screen",
                screen_id,
                {name: old.get(name) for name in changed},
                {name: columns.get(name) for name in changed},
            )


# --- ids of screens ---


def _touch_screen_ids(session: Session, flow: Flow, new: Sequence[str], changed: AbstractSet[str]) -> None:
    """Note that screens have become live, and when others have changed."""
    now = func.clock_timestamp()
    if new:
        rows = [_screen_id(flow, screen_id, is_versioned=True) for screen_id in new]
        session.execute(
            insert(ScreenId)
            .values(rows)
            .on_conflict_do_update(
                index_elements=[ScreenId.id], set_={"is_versioned": True, "created_at": now, "updated_at": now}
            )
        )
    if changed:
        session.execute(
            update(ScreenId)
            .where(ScreenId.id.in_(changed))
            .values(updated_at=now)
            .execution_options(synchronize_session=False)
        )


def with_screen_ids(session: Session, flow: Flow, screens: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the screens of a draft, each with an id. The ids belong to the flow from now on.

    Raises InvalidRequestError for an id that stands twice, is malformed or belongs to another flow of any project.
    """
    given = [screen["id"] for screen in screens if screen["id"] is not None]
    malformed = {screen_id for screen_id in given if not is_id(IdPrefix.SCREEN, screen_id)}
    with_ids = [{**screen, "id": screen["id"] or new_id(IdPrefix.SCREEN)} for screen in screens]
    foreign = malformed | _claim(session, flow, {screen["id"] for screen in with_ids} - malformed)
    details = []
    seen: set[str] = set()
    for index, screen_id in enumerate(screen["id"] for screen in screens):
        if screen_id in foreign:
            details.append(Detail.invalid(f"document.screens.{index}.id", _FOREIGN))
        elif screen_id in seen:
            details.append(Detail.invalid(f"document.screens.{index}.id", "must not be used twice"))
        if screen_id is not None:
            seen.add(screen_id)
    if details:
        raise InvalidRequestError(details[:MAX_DETAILS])
    return with_ids


def _claim(session: Session, flow: Flow, ids: AbstractSet[str]) -> set[str]:
    """Store new ids as those of the flow, delete those that only its former draft had; return ids of other flows."""
    # Sorted, so that two drafts with the same new ids wait for each other in one order.
    rows = [_screen_id(flow, screen_id, is_versioned=False) for screen_id in sorted(ids)]
    if rows:
        session.execute(insert(ScreenId).values(rows).on_conflict_do_nothing())
    former = (ScreenId.flow_id == flow.id, ~ScreenId.is_versioned, ScreenId.id.not_in(ids))
    session.execute(delete(ScreenId).where(*former).execution_options(synchronize_session=False))
    owned = select(ScreenId.id).where(ScreenId.id.in_(ids), ScreenId.flow_id != flow.id)
    return set(session.scalars(owned))


def _screen_id(flow: Flow, screen_id: str, *, is_versioned: bool) -> dict[str, Any]:
    return {"id": screen_id, "flow_id": flow.id, "project_id": flow.project_id, "is_versioned": is_versioned}
