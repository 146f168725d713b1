"""The document of a flow: its content without status, default, priority and statistics (lifecycle, Model).

The rows of the flow and its screens have the members that this release knows. The newest version has all members, those
of a newer release too.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import orjson
from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from common.errors import Detail, InvalidRequestError
from common.ids import IdPrefix, is_id, new_id
from common.rules.bucketing import BUCKETS
from management_api.db.models.flow_history import FlowVersion, ScreenId, document_of_rows
from management_api.db.models.flows import Flow, Screen
from management_api.flows.lifecycle.diff import document_changes
from management_api.settings import MAX_DOCUMENT_BYTES

Document = dict[str, Any]

#: The same for an id of another project, which must not be revealed.
_FOREIGN = "must be a new id, or that of a screen of this flow"

_NEWEST_DOCUMENT = (
    select(FlowVersion.document)
    .where(FlowVersion.flow_id == Flow.id)
    .order_by(FlowVersion.number.desc())
    .limit(1)
    .scalar_subquery()
)
_LIVE = select(document_of_rows(), _NEWEST_DOCUMENT)


def read_live_document(session: Session, flow_id: str) -> Document:
    """Return the document that devices get."""
    rows, newest = session.execute(_LIVE.where(Flow.id == flow_id)).one()
    return rows if newest is None else with_rows(newest, rows)


def with_rows(version: Mapping[str, Any], rows: Mapping[str, Any]) -> Document:
    """Return the document of a version with the members that the rows have. It stays as it is if they are equal."""
    former = {screen["id"]: screen for screen in version["screens"]}
    return {
        **version,
        **rows,
        "targeting": {**version["targeting"], **rows["targeting"]},
        "screens": [{**former.get(screen["id"], {}), **screen} for screen in rows["screens"]],
    }


def is_same_document(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Compare documents as JSON: 1 and 1.0 are equal, 1 and true are not."""
    return not document_changes(one, other)


def write_live_document(session: Session, flow: Flow, document: Mapping[str, Any]) -> None:
    """Replace the flow's columns and screens by those of a document; screens keep the ids that the document has."""
    targeting = document["targeting"]
    for name in Flow.document_columns:
        setattr(flow, name, document[name])
    flow.rollout_buckets = round(targeting["percentage"] * (BUCKETS // 100))
    flow.conditions = targeting["conditions"]
    former = {screen.id: screen for screen in session.scalars(select(Screen).where(Screen.flow_id == flow.id))}
    for order, members in enumerate(document["screens"]):
        columns = {name: members[name] for name in Screen.document_columns}
        screen = former.pop(members["id"], None)
        if screen is None:
            session.add(Screen(flow_id=flow.id, project_id=flow.project_id, order=order, **columns))
            continue
        screen.order = order
        for name, value in columns.items():
            setattr(screen, name, value)
    for screen in former.values():
        session.delete(screen)
    session.flush()


def check_size(document: Mapping[str, Any], *, former: Mapping[str, Any] | None = None) -> None:
    """Raise InvalidRequestError for a document above MAX_DOCUMENT_BYTES, unless it is not larger than the former one.

    Flows of 0.2.0 may be larger already.
    """
    size = len(orjson.dumps(document))
    if size > MAX_DOCUMENT_BYTES and (former is None or size > len(orjson.dumps(former))):
        message = f"of the flow must have at most {MAX_DOCUMENT_BYTES} bytes as JSON, and would have {size}"
        raise InvalidRequestError([Detail.invalid("document", message)])


def keep_screen_ids(session: Session, flow: Flow, document: Mapping[str, Any]) -> None:
    """Note that a version has the ids of the screens of a document."""
    rows = [_screen_id(flow, screen["id"], is_versioned=True) for screen in document["screens"]]
    if rows:
        session.execute(
            insert(ScreenId)
            .values(rows)
            .on_conflict_do_update(
                index_elements=[ScreenId.id], set_={"is_versioned": True}, where=~ScreenId.is_versioned
            )
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
        raise InvalidRequestError(details)
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
    # Screens that management of 0.2.0 has created are in their own table only.
    live = select(Screen.id).where(Screen.id.in_(ids), Screen.flow_id != flow.id)
    return set(session.scalars(owned.union(live)))


def _screen_id(flow: Flow, screen_id: str, *, is_versioned: bool) -> dict[str, Any]:
    return {"id": screen_id, "flow_id": flow.id, "project_id": flow.project_id, "is_versioned": is_versioned}
