"""Versions of flows: append, list, read, compare and restore them (lifecycle, Model).

The newest version always equals the live document. The caller holds the lock of the project for all that writes.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Integer, Row, String, bindparam, delete, exists, func, insert, select, update
from sqlalchemy.orm import Session

from common.errors import ConflictError, Detail, InvalidRequestError, NotFoundError
from management_api.db.models.flow_history import (
    FlowDraft,
    FlowSchedule,
    FlowVersion,
    ScheduleState,
    VersionOrigin,
    live_document,
)
from management_api.db.models.flows import Flow
from management_api.flows.lifecycle.diff import EMPTY_DOCUMENT, Change, document_changes
from management_api.flows.lifecycle.document import write_live_document
from management_api.flows.lifecycle.validation import THEME_NOT_FOUND, find_theme

#: Direct writes of one user in this time after a version replace it.
REPLACE_SECONDS = 300
#: The newest versions of a flow are kept, others as long as a draft or a pending schedule needs them.
KEPT_VERSIONS = 200
#: A version that was live in this time may be restored without approvals.
EMERGENCY_HOURS = 24


# Built once, because building such a statement takes longer than executing it.
_LIVE_DOCUMENT = live_document()
_IS_SCHEDULED = exists().where(
    FlowSchedule.flow_id == FlowVersion.flow_id,
    FlowSchedule.state == ScheduleState.PENDING,
    FlowSchedule.version == FlowVersion.number,
)
_IS_BASE = exists().where(FlowDraft.flow_id == FlowVersion.flow_id, FlowDraft.base_version == FlowVersion.number)
_IS_REPLACEABLE = (
    (FlowVersion.origin == VersionOrigin.DIRECT)
    & (FlowVersion.created_by == bindparam("author"))
    & (FlowVersion.created_at > func.clock_timestamp() - timedelta(seconds=REPLACE_SECONDS))
    & ~_IS_BASE
    & ~_IS_SCHEDULED
)
_NEWEST = (
    select(
        FlowVersion.number,
        (FlowVersion.document == _LIVE_DOCUMENT).label("is_live"),
        _IS_REPLACEABLE.label("is_replaceable"),
    )
    .join(Flow, Flow.id == FlowVersion.flow_id)
    .where(FlowVersion.flow_id == bindparam("of_flow"))
    .order_by(FlowVersion.number.desc())
    .limit(1)
)
_REPLACE_DOCUMENT = (
    update(FlowVersion)
    .where(FlowVersion.flow_id == bindparam("of_flow"), FlowVersion.number == bindparam("of_number"))
    .values(document=select(_LIVE_DOCUMENT).where(Flow.id == bindparam("of_flow")).scalar_subquery())
    .execution_options(synchronize_session=False)
)
_COLUMNS: Mapping[str, Any] = {
    "flow_id": Flow.id,
    "number": select(func.coalesce(func.max(FlowVersion.number), 0) + 1)
    .where(FlowVersion.flow_id == bindparam("of_flow"))
    .scalar_subquery(),
    "project_id": Flow.project_id,
    "origin": bindparam("of_origin", type_=String),
    "note": bindparam("with_note", type_=String),
    "restored_from": bindparam("source", type_=Integer),
    "document": _LIVE_DOCUMENT,
    "created_by": bindparam("author", type_=String),
}
_APPEND = (
    insert(FlowVersion)
    .from_select(list(_COLUMNS), select(*_COLUMNS.values()).where(Flow.id == bindparam("of_flow")))
    .returning(FlowVersion.number)
)
_PRUNE = (
    delete(FlowVersion)
    .where(
        FlowVersion.flow_id == bindparam("of_flow"),
        FlowVersion.number <= bindparam("last_number"),
        ~_IS_BASE,
        ~_IS_SCHEDULED,
    )
    .execution_options(synchronize_session=False)
)


def version_not_found() -> NotFoundError:
    """Return the error for a version that does not exist, or exists no more."""
    return NotFoundError("Version not found")


def append_version(
    session: Session,
    flow: Flow,
    origin: VersionOrigin,
    user_id: str | None,
    *,
    note: str | None = None,
    restored_from: int | None = None,
) -> int:
    """Store the live document as the next version, and return its number.

    Old versions that nothing needs are deleted.
    """
    values = {
        "of_flow": flow.id,
        "of_origin": origin.value,
        "with_note": note,
        "source": restored_from,
        "author": user_id,
    }
    session.flush()
    # Not through the ORM, which would take the parameters for columns.
    number: int = session.connection().execute(_APPEND, values).scalar_one()
    if number > KEPT_VERSIONS:
        session.execute(_PRUNE, {"of_flow": flow.id, "last_number": number - KEPT_VERSIONS})
    return number


def append_direct_version(session: Session, flow: Flow, user_id: str) -> None:
    """Store the live document as a version if a direct write has changed it.

    A direct write soon after another one of the same user replaces its version, unless a draft or a pending schedule
    refers to it. Raises ConflictError if the project changes flows through drafts only.
    """
    store_direct_version(session, flow, user_id, is_refused=flow.project.refuses_direct_writes)


def store_direct_version(session: Session, flow: Flow, user_id: str, *, is_refused: bool = False) -> None:
    """Append a version like :func:`append_direct_version`, for a write that the project may not refuse."""
    session.flush()
    newest = _newest_version(session, flow.id, user_id)
    if newest is not None and newest.is_live:
        return
    if is_refused:
        raise ConflictError("This project changes flows through drafts")
    if newest is None:
        # The release before, which has no versions, has created the flow.
        append_version(session, flow, VersionOrigin.CREATED, user_id)
    elif newest.is_replaceable:
        session.execute(_REPLACE_DOCUMENT, {"of_flow": flow.id, "of_number": newest.number})
    else:
        append_version(session, flow, VersionOrigin.DIRECT, user_id)


def store_unrecorded_changes(session: Session, flow: Flow) -> None:
    """Store the live document as a version if the release before, which has no versions, has changed it."""
    newest = _newest_version(session, flow.id, "")
    if newest is None:
        append_version(session, flow, VersionOrigin.CREATED, None)
    elif not newest.is_live:
        append_version(session, flow, VersionOrigin.DIRECT, None)


def live_version(session: Session, flow_id: str) -> int:
    """Return the number of the newest version, 0 for a flow of the release before that has none yet."""
    newest = select(func.coalesce(func.max(FlowVersion.number), 0)).where(FlowVersion.flow_id == flow_id)
    return session.scalars(newest).one()


def get_version(session: Session, flow_id: str, number: int) -> FlowVersion:
    """Return one version of a flow. Raises NotFoundError."""
    version = session.get(FlowVersion, (flow_id, number))
    if version is None:
        raise version_not_found()
    return version


def version_exists(session: Session, flow_id: str, number: int) -> bool:
    """Return whether a flow has the version."""
    return session.scalar(select(FlowVersion.number).where(*_is(flow_id, number))) is not None


def version_changes(session: Session, flow_id: str, number: int, against: int | None) -> tuple[int, Sequence[Change]]:
    """Return the number of the version that one is compared with, by default the one before, and the changes.

    Version 1 is compared with an empty document, 0. Raises NotFoundError, InvalidRequestError for `against`.
    """
    version = get_version(session, flow_id, number)
    other = number - 1 if against is None else against
    if other == 0:
        return 0, document_changes(EMPTY_DOCUMENT, version.document)
    former = session.get(FlowVersion, (flow_id, other))
    if former is None:
        raise InvalidRequestError([Detail.invalid("against", "must be the number of a version that is kept")])
    return other, document_changes(former.document, version.document)


def restore_version(
    session: Session,
    flow: Flow,
    number: int,
    user_id: str,
    *,
    note: str | None,
    origin: VersionOrigin = VersionOrigin.RESTORED,
) -> FlowVersion:
    """Make the document of a version live again, as a new version.

    Raises NotFoundError, InvalidRequestError if its theme is deleted, ConflictError if the version is live, or the
    project requires approvals and the version was not live lately.
    """
    store_unrecorded_changes(session, flow)
    version = get_version(session, flow.id, number)
    if number == live_version(session, flow.id):
        raise ConflictError("This version is live already")
    if flow.project.required_approvals > 0 and not _was_live_lately(session, version):
        raise ConflictError("This project requires approvals: restore the version to the draft")
    theme_id = version.document["theme_id"]
    if theme_id is not None and find_theme(session, flow.project_id, theme_id) is None:
        raise InvalidRequestError([THEME_NOT_FOUND])
    write_live_document(session, flow, version.document)
    restored = append_version(session, flow, origin, user_id, note=note, restored_from=number)
    return get_version(session, flow.id, restored)


def _newest_version(session: Session, flow_id: str, user_id: str) -> Row[int, bool, bool] | None:
    """Return the number of the newest version, whether it is the live document and whether `user_id` may replace it."""
    return session.execute(_NEWEST, {"of_flow": flow_id, "author": user_id}).one_or_none()


def _is(flow_id: str, number: int) -> tuple[ColumnElement[bool], ...]:
    return FlowVersion.flow_id == flow_id, FlowVersion.number == number


def _was_live_lately(session: Session, version: FlowVersion) -> bool:
    """Return whether the version is live, or was replaced by the next one in the last 24 hours."""
    if version.number == live_version(session, version.flow_id):
        return True
    replaced_lately = select(FlowVersion.number).where(
        *_is(version.flow_id, version.number + 1),
        FlowVersion.created_at > func.clock_timestamp() - timedelta(hours=EMERGENCY_HOURS),
    )
    return session.scalar(replaced_lately) is not None
