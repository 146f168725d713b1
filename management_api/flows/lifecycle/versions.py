"""Versions of flows: make live and restore them (contract, section 7, Model).

The document of the newest version is live. The caller holds the lock of the project for all that writes.
"""

from collections.abc import Collection
from typing import Any

from sqlalchemy import (
    Row,
    Text,
    bindparam,
    column,
    exists,
    func,
    insert,
    literal,
    literal_column,
    select,
    text,
    update,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import set_committed_value

from common.errors import ConflictError, InvalidRequestError
from management_api.db.audit import record_updates
from management_api.db.models.documents import FlowDocument, stored_bytes_of, without_empty_members
from management_api.db.models.flow_history import FlowDraft, FlowSchedule, FlowVersion, ScheduleState
from management_api.db.models.flows import Flow
from management_api.db.models.history import VersionOrigin
from management_api.db.models.projects import Project
from management_api.flows.lifecycle.document import Document, check_size, record_screens, set_content
from management_api.flows.lifecycle.validation import THEME_NOT_FOUND, find_theme
from management_api.history.diff import EMPTY_DOCUMENT, is_same_document
from management_api.history.versions import (
    KEPT_VERSIONS,
    Noun,
    append_version,
    get_version,
    is_replaceable,
    is_version,
    prune,
)
from management_api.projects.review import EMERGENCY, ApprovalsMissingError

#: The origins of versions that were checked by the rule of a project that requires approvals.
_REVIEWED = frozenset({VersionOrigin.PUBLISHED, VersionOrigin.RESTORED, VersionOrigin.SCHEDULED})
_THROUGH_DRAFTS = "This project changes flows through drafts"


_IS_SCHEDULED = exists().where(
    FlowSchedule.flow_id == FlowVersion.flow_id,
    FlowSchedule.state == ScheduleState.PENDING,
    FlowSchedule.version == FlowVersion.number,
)
#: Flows and their histories.
FLOWS = Noun(Flow, FlowVersion, FlowDraft, is_named=_IS_SCHEDULED)
#: Not through the ORM: it is no change of the flow that the audit log or `updated_at` has to show. A trigger of this
#: statement writes the rows that release 0.2.0 reads (migration 0052).
_NAME_LIVE = (
    update(Flow)
    .where(Flow.id == bindparam("of_flow"))
    .values(
        live_version=bindparam("of_number"),
        document_bytes=select(stored_bytes_of(FlowVersion.document))
        .where(FlowVersion.flow_id == bindparam("of_flow"), FlowVersion.number == bindparam("of_number"))
        .scalar_subquery(),
        updated_at=Flow.updated_at,
    )
    .returning(Flow.document_bytes)
    .execution_options(synchronize_session=False)
)


_TRANSLATIONS = text("""
    SELECT DISTINCT ON (screen->>'id') screen->>'id' AS id, screen->'localizations' AS localizations
    FROM flow_versions, jsonb_array_elements(document->'screens') AS screen
    WHERE flow_id = :flow_id AND screen->>'id' = ANY(:ids) AND screen ? 'localizations'
    ORDER BY screen->>'id', number DESC
""").columns(column("id", Text), column("localizations", JSONB))


def live_version(session: Session, flow: Flow | Row[Any]) -> FlowVersion:
    """Return the version of a flow that is live. A second call in a transaction executes no statement."""
    return session.get_one(FlowVersion, (flow.id, flow.live_version))


def translations_in_versions(session: Session, flow: Flow, screen_ids: Collection[str]) -> dict[str, Any]:
    """Return the translations of screens by their ids, from the newest version of the flow that has them."""
    if not screen_ids:
        return {}
    found = session.execute(_TRANSLATIONS, {"flow_id": flow.id, "ids": list(screen_ids)})
    return {row.id: row.localizations for row in found}


def make_live(
    session: Session,
    flow: Flow,
    document: Document,
    origin: VersionOrigin,
    user_id: str | None,
    *,
    note: str | None = None,
    restored_from: int | None = None,
) -> FlowVersion:
    """Make a document live as the next version of a locked flow, and return the version. Old versions are deleted.

    A direct write that changes nothing makes no version. Raises InvalidRequestError if the document
    is too large, and ConflictError for a direct write where the project changes flows through drafts.
    """
    document = without_empty_members(document)
    live = live_version(session, flow) if flow.live_version else None
    former = EMPTY_DOCUMENT if live is None else live.document
    is_direct = origin is VersionOrigin.DIRECT
    if is_direct and live is not None:
        if is_same_document(former, document):
            return live
        if flow.project.refuses_direct_writes:
            raise ConflictError(_THROUGH_DRAFTS)
    check_size(document, former=former if is_direct else None)
    if live is not None:
        set_content(session, flow, former, document)
    version = append_version(
        session,
        FLOWS,
        flow,
        document,
        origin,
        user_id,
        note=note,
        restored_from=restored_from,
        # A direct write is not reviewed.
        is_reviewed=origin in _REVIEWED and flow.project.required_approvals > 0,
    )
    record_screens(session, flow, former, document)
    name_live(session, flow, version)
    return version


def name_live(session: Session, flow: Flow, version: FlowVersion) -> None:
    """Make a version the live one of its flow."""
    values = {"of_flow": flow.id, "of_number": version.number}
    size = session.connection().execute(_NAME_LIVE, values).scalar_one()
    set_committed_value(flow, "live_version", version.number)
    set_committed_value(flow, "document_bytes", size)
    if version.number > KEPT_VERSIONS:
        prune(session, FLOWS, [flow.id])


# --- the theme of many flows ---

_WITHOUT_THEME = FlowVersion.document.op("||", return_type=FlowDocument())(literal_column("""'{"theme_id": null}'"""))
_HAS_THEME = (Flow.project_id == bindparam("of_project")) & (Flow.theme_id == bindparam("of_theme"))
_REPLACE_WITHOUT_THEME = (
    update(FlowVersion)
    .where(
        FlowVersion.flow_id == Flow.id,
        FlowVersion.number == Flow.live_version,
        _HAS_THEME,
        FlowVersion.origin == VersionOrigin.DIRECT,
        FlowVersion.created_by == bindparam("of_user"),
        is_replaceable(FLOWS),
    )
    .values(document=_WITHOUT_THEME, is_reviewed=False)
)
_APPEND_WITHOUT_THEME = insert(FlowVersion).from_select(
    ["flow_id", "number", "project_id", "origin", "document", "created_by"],
    select(
        Flow.id,
        Flow.live_version + 1,
        Flow.project_id,
        literal(VersionOrigin.DIRECT.value),
        _WITHOUT_THEME,
        bindparam("of_user"),
    )
    .join(FlowVersion, (FlowVersion.flow_id == Flow.id) & (FlowVersion.number == Flow.live_version))
    # A version that was replaced just now has no theme.
    .where(_HAS_THEME, FlowVersion.document["theme_id"].astext == bindparam("of_theme")),
)
_newest = select(func.max(FlowVersion.number)).where(FlowVersion.flow_id == Flow.id).correlate(Flow).scalar_subquery()
_NAME_LIVE_WITHOUT_THEME = (
    update(Flow)
    .where(_HAS_THEME, FlowVersion.flow_id == Flow.id, FlowVersion.number == _newest)
    .values(theme_id=None, live_version=FlowVersion.number, document_bytes=stored_bytes_of(FlowVersion.document))
    .returning(Flow.id)
)


def unset_theme(session: Session, project: Project, theme_id: str, user_id: str) -> None:
    """Take a theme out of the live documents of all flows of a locked project, as a direct write to each flow.

    The number of statements does not depend on the number of flows, and no document is read. Raises ConflictError for
    a theme of a flow where the project changes flows through drafts.
    """
    values = {"of_project": project.id, "of_theme": theme_id}
    if project.refuses_direct_writes:
        if session.scalar(select(Flow.id).where(_HAS_THEME).limit(1), values) is not None:
            raise ConflictError(_THROUGH_DRAFTS)
        return
    for write in (_REPLACE_WITHOUT_THEME, _APPEND_WITHOUT_THEME):
        session.connection().execute(write, values | {"of_user": user_id})
    flow_ids = session.connection().scalars(_NAME_LIVE_WITHOUT_THEME, values).all()
    if flow_ids:
        prune(session, FLOWS, flow_ids)
        changes = ((flow_id, {"theme_id": theme_id}, {"theme_id": None}) for flow_id in flow_ids)
        record_updates(session, project.id, Flow, changes)


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
    document = check_restorable(session, flow, number).document
    return make_live(session, flow, document, origin, user_id, note=note, restored_from=number)


def check_restorable(session: Session, flow: Flow, number: int) -> FlowVersion:
    """Return a version that may become live again.

    Raises NotFoundError, InvalidRequestError if its theme is deleted or it is too large, ConflictError if it is live,
    ApprovalsMissingError if the project requires approvals and the version is not reviewed or was not live in the last
    24 hours.
    """
    version = get_version(session, FLOWS, flow.id, number)
    if number == flow.live_version:
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


def _was_live_lately(session: Session, version: FlowVersion) -> bool:
    """Return whether the version was replaced by the next one in the last 24 hours."""
    replaced_lately = select(FlowVersion.number).where(
        *is_version(FLOWS, version.flow_id, version.number + 1),
        FlowVersion.created_at > func.clock_timestamp() - EMERGENCY,
    )
    return session.scalar(replaced_lately) is not None
