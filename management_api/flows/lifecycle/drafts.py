"""Drafts of flows: save, delete, approve, validate and publish them (contract, section 7).

The caller holds the lock of the project for all that writes.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row, delete, exists, select, update
from sqlalchemy.orm import Session

from common.errors import ConflictError, Detail, InvalidRequestError, NotFoundError
from management_api.db.models.documents import stored_bytes_of, without_empty_logic
from management_api.db.models.flow_history import (
    DraftApproval,
    FlowDraft,
    FlowVersion,
    PreviewLink,
    VersionOrigin,
)
from management_api.db.models.flows import Flow
from management_api.db.models.outbox import request_publication
from management_api.db.models.projects import QaDevice
from management_api.flows.lifecycle.diff import Change, document_changes
from management_api.flows.lifecycle.document import (
    check_size,
    is_same_document,
    with_screen_ids,
)
from management_api.flows.lifecycle.validation import ProblemCode, Problems, find_problems
from management_api.flows.lifecycle.versions import live_version, make_live, version_exists

#: The document decides the draft's `updated_at`, and so its entity tag.
_SET_SIZE = (
    update(FlowDraft)
    .values(document_bytes=stored_bytes_of(FlowDraft.document), updated_at=FlowDraft.updated_at)
    .execution_options(synchronize_session=False)
)


def draft_not_found() -> NotFoundError:
    """Return the error for a flow without a draft."""
    return NotFoundError("Draft not found")


def get_draft(session: Session, flow_id: str) -> FlowDraft:
    """Return the draft of a flow. Raises NotFoundError."""
    draft = session.get(FlowDraft, flow_id)
    if draft is None:
        raise draft_not_found()
    return draft


def save_draft(
    session: Session,
    flow: Flow,
    document: Mapping[str, Any],
    base_version: int | None,
    user_id: str,
) -> tuple[FlowDraft, bool]:
    """Store a document as the draft of a flow; return the draft and whether it has changed.

    Screens without an id get one. A draft that does not change keeps its approvals, and the user who changes it becomes
    one of its authors. Raises InvalidRequestError for ids of other screens and for a base version that does not exist.
    """
    base = flow.live_version if base_version is None else base_version
    if not version_exists(session, flow.id, base):
        raise InvalidRequestError([Detail.invalid("base_version", "must be the number of a version that is kept")])
    document = without_empty_logic({**document, "screens": with_screen_ids(session, flow, document["screens"])})
    check_size(document)
    draft = session.get(FlowDraft, flow.id)
    is_changed = True
    if draft is None:
        draft = FlowDraft(
            flow_id=flow.id,
            project_id=flow.project_id,
            document=document,
            base_version=base,
            updated_by=user_id,
        )
        draft.authors = [user_id]
        session.add(draft)
    else:
        draft.document, draft.base_version = document, base
        is_changed = session.is_modified(draft)
        if is_changed:
            draft.authors = sorted({*draft.authors, draft.updated_by, user_id})
            draft.updated_by = user_id
            session.execute(delete(DraftApproval).where(DraftApproval.flow_id == flow.id))
    session.flush()
    session.execute(_SET_SIZE.where(FlowDraft.flow_id == flow.id))
    session.refresh(draft)
    return draft, is_changed


def draft_changes(session: Session, flow: Flow | Row[Any], draft: FlowDraft) -> Sequence[Change]:
    """Return the changes from the live version of the flow to its draft."""
    return document_changes(live_version(session, flow).document, draft.document)


def draft_problems(session: Session, draft: FlowDraft) -> Problems:
    """Return what validation finds in a draft."""
    return find_problems(session, draft.project_id, draft.flow_id, draft.document)


def check_publishable(session: Session, flow: Flow, draft: FlowDraft) -> Problems:
    """Raise InvalidRequestError for errors, ConflictError if the draft is live already or its base is not.

    Return the problems, whose warnings the caller judges. Live content that needs a review may be published again.
    """
    live = live_version(session, flow)
    is_settled = live.is_reviewed or flow.project.required_approvals == 0
    if is_settled and is_same_document(live.document, draft.document):
        raise ConflictError(
            "Nothing to publish", [Detail("", ProblemCode.NOTHING_TO_PUBLISH, "is equal to the live version")]
        )
    problems = draft_problems(session, draft)
    if problems.errors:
        raise InvalidRequestError(problems.errors)
    if live.number > draft.base_version:
        message = (
            f"is {draft.base_version}, but version {live.number} is live: save the draft with the new base_version"
        )
        raise ConflictError(
            "The flow has changed since the draft was begun", [Detail("/base_version", ProblemCode.STALE_BASE, message)]
        )
    return problems


def check_warnings(problems: Problems) -> None:
    """Raise ConflictError for warnings."""
    if problems.warnings:
        raise ConflictError("The draft has warnings", problems.warnings)


def publish_draft(
    session: Session,
    flow: Flow,
    draft: FlowDraft,
    user_id: str,
    *,
    note: str | None,
    origin: VersionOrigin = VersionOrigin.PUBLISHED,
) -> FlowVersion:
    """Make a draft, which was checked, the live document and the next version; the draft is deleted."""
    version = make_live(session, flow, draft.document, origin, user_id, note=note)
    session.delete(draft)
    session.flush()
    # The page of a flow is published with its review, also if its content stays.
    request_publication(session, flow.project_id)
    return version


def is_draft_published(session: Session, flow_id: str) -> bool:
    """Return whether a QA device or a preview link shows the draft of the flow, so that its changes are published."""
    devices = exists().where(QaDevice.flow_id == flow_id, QaDevice.draft.is_(True))
    links = exists().where(PreviewLink.flow_id == flow_id, PreviewLink.draft.is_(True), PreviewLink.is_valid())
    return session.scalars(select(devices | links)).one()
