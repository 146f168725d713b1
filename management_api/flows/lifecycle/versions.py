"""Versions of flows: append, list, read, compare and restore them (lifecycle, Model).

The newest version always equals the live document. The caller holds the lock of the project for all that writes.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from sqlalchemy import Boolean, ColumnElement, Integer, String, bindparam, delete, exists, func, insert, select, update
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import set_committed_value

from common.errors import ConflictError, Detail, InvalidRequestError, NotFoundError
from management_api.db.models.documents import FlowDocument, stored_bytes_of
from management_api.db.models.flow_history import (
    FlowDraft,
    FlowSchedule,
    FlowVersion,
    ScheduleState,
    VersionOrigin,
    document_of_rows,
)
from management_api.db.models.flows import Flow
from management_api.flows.lifecycle.diff import EMPTY_DOCUMENT, Change, document_changes
from management_api.flows.lifecycle.document import (
    Document,
    check_size,
    is_same_document,
    keep_screen_ids,
    read_live_document,
    with_rows,
    write_live_document,
)
from management_api.flows.lifecycle.validation import THEME_NOT_FOUND, find_theme
from management_api.projects.review import EMERGENCY, ApprovalsMissingError

#: Direct writes of one user in this time after a version replace it.
REPLACE_SECONDS = 300
#: The newest versions of a flow are kept, others as long as a draft or a pending schedule needs them.
KEPT_VERSIONS = 200
#: The origins of versions that were checked by the rule of a project that requires approvals.
_REVIEWED = frozenset({VersionOrigin.PUBLISHED, VersionOrigin.RESTORED, VersionOrigin.SCHEDULED})


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
        FlowVersion.document,
        document_of_rows().label("rows"),
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
    # A direct write is not reviewed.
    .values(document=bindparam("new_document", type_=FlowDocument), is_reviewed=False)
    .execution_options(synchronize_session=False)
)
_SET_SIZE = (
    update(Flow)
    .where(Flow.id == bindparam("of_flow"))
    .values(
        document_bytes=select(stored_bytes_of(FlowVersion.document))
        .where(FlowVersion.flow_id == bindparam("of_flow"), FlowVersion.number == bindparam("of_number"))
        .scalar_subquery(),
        updated_at=Flow.updated_at,
    )
    .returning(Flow.document_bytes)
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
    "document": bindparam("new_document", type_=FlowDocument),
    "created_by": bindparam("author", type_=String),
    "is_reviewed": bindparam("reviewed", type_=Boolean),
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
    document: Mapping[str, Any] | None = None,
    note: str | None = None,
    restored_from: int | None = None,
) -> int:
    """Store a document, by default the live one, as the next version, and return its number.

    Old versions that nothing needs are deleted. Raises InvalidRequestError if the live document is too large.
    """
    session.flush()
    if document is None:
        document = read_live_document(session, flow.id)
        check_size(document)
    values = {
        "of_flow": flow.id,
        "of_origin": origin.value,
        "with_note": note,
        "source": restored_from,
        "author": user_id,
        "new_document": document,
        "reviewed": origin in _REVIEWED and flow.project.required_approvals > 0,
    }
    # Not through the ORM, which would take the parameters for columns.
    number: int = session.connection().execute(_APPEND, values).scalar_one()
    _keep_size_and_ids(session, flow, number, document)
    if number > KEPT_VERSIONS:
        session.execute(_PRUNE, {"of_flow": flow.id, "last_number": number - KEPT_VERSIONS})
    return number


def _keep_size_and_ids(session: Session, flow: Flow, number: int, document: Mapping[str, Any]) -> None:
    """Store the bytes of the new live document and the ids of its screens."""
    # Not through the ORM: it is no change of the flow that the audit log or `updated_at` has to show.
    size = session.execute(_SET_SIZE, {"of_flow": flow.id, "of_number": number}).scalar_one()
    set_committed_value(flow, "document_bytes", size)
    keep_screen_ids(session, flow, document)


def append_direct_version(session: Session, flow: Flow, user_id: str) -> None:
    """Store the live document as a version if a direct write has changed it.

    A direct write soon after another one of the same user replaces its version, unless a draft or a pending schedule
    refers to it. Raises ConflictError if the project changes flows through drafts only, and InvalidRequestError if the
    document has become too large.
    """
    session.flush()
    newest = _newest_version(session, flow.id, user_id)
    if newest is not None and newest.is_live:
        return
    if flow.project.refuses_direct_writes:
        raise ConflictError("This project changes flows through drafts")
    if newest is None:
        # The release before, which has no versions, has created the flow.
        append_version(session, flow, VersionOrigin.CREATED, user_id)
        return
    check_size(newest.live_document, former=newest.document)
    if newest.is_replaceable:
        values = {"of_flow": flow.id, "of_number": newest.number, "new_document": newest.live_document}
        session.execute(_REPLACE_DOCUMENT, values)
        _keep_size_and_ids(session, flow, newest.number, newest.live_document)
    else:
        append_version(session, flow, VersionOrigin.DIRECT, user_id, document=newest.live_document)


def store_unrecorded_changes(session: Session, flow: Flow) -> None:
    """Store the live document as a version if the release before, which has no versions, has changed it."""
    newest = _newest_version(session, flow.id, "")
    if newest is None:
        append_version(session, flow, VersionOrigin.CREATED, None)
    elif not newest.is_live:
        append_version(session, flow, VersionOrigin.DIRECT, None, document=newest.live_document)


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

    Raises like check_restorable.
    """
    store_unrecorded_changes(session, flow)
    version = check_restorable(session, flow, number)
    write_live_document(session, flow, version.document)
    restored = append_version(
        session,
        flow,
        origin,
        user_id,
        document=version.document,
        note=note,
        restored_from=number,
    )
    return get_version(session, flow.id, restored)


def check_restorable(session: Session, flow: Flow, number: int) -> FlowVersion:
    """Return a version that may become live again.

    Raises NotFoundError, InvalidRequestError if its theme is deleted or it is too large, ConflictError if it is live,
    ApprovalsMissingError if the project requires approvals and the version is not reviewed or was not live in the last
    24 hours.
    """
    version = get_version(session, flow.id, number)
    if number == live_version(session, flow.id):
        raise ConflictError("This version is live already")
    is_emergency = version.is_reviewed and _was_live_lately(session, version)
    if flow.project.required_approvals > 0 and not is_emergency:
        message = "must be reviewed, and live within the last 24 hours"
        raise ApprovalsMissingError("This project requires approvals: restore the version to the draft", message)
    theme_id = version.document["theme_id"]
    if theme_id is not None and find_theme(session, flow.project_id, theme_id) is None:
        raise InvalidRequestError([THEME_NOT_FOUND])
    check_size(version.document)
    return version


class _Newest(NamedTuple):
    """The newest version, compared with what is live; `is_replaceable` by the user in question."""

    number: int
    document: Document
    live_document: Document
    is_live: bool
    is_replaceable: bool


def _newest_version(session: Session, flow_id: str, user_id: str) -> _Newest | None:
    """Return the newest version; None for a flow of the release before that has none yet."""
    row = session.execute(_NEWEST, {"of_flow": flow_id, "author": user_id}).one_or_none()
    if row is None:
        return None
    live = with_rows(row.document, row.rows)
    return _Newest(row.number, row.document, live, is_same_document(live, row.document), row.is_replaceable)


def _is(flow_id: str, number: int) -> tuple[ColumnElement[bool], ...]:
    return FlowVersion.flow_id == flow_id, FlowVersion.number == number


def _was_live_lately(session: Session, version: FlowVersion) -> bool:
    """Return whether the version was replaced by the next one in the last 24 hours."""
    replaced_lately = select(FlowVersion.number).where(
        *_is(version.flow_id, version.number + 1),
        FlowVersion.created_at > func.clock_timestamp() - EMERGENCY,
    )
    return session.scalar(replaced_lately) is not None
