"""Drafts of flows: save, delete, approve, validate and publish them (contract, section 7).

The caller holds the lock of the project for all that writes.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import delete, exists, select, update
from sqlalchemy.orm import Session

from common.errors import ConflictError, InvalidRequestError
from management_api.db.models.documents import stored_bytes_of, without_empty_members
from management_api.db.models.flow_history import (
    DraftApproval,
    FlowDraft,
    FlowVersion,
    PreviewLink,
)
from management_api.db.models.flows import Flow
from management_api.db.models.history import VersionOrigin
from management_api.db.models.outbox import request_publication
from management_api.db.models.projects import QaDevice
from management_api.flows.lifecycle.document import check_size, with_screen_ids
from management_api.flows.lifecycle.validation import Problems, find_problems
from management_api.flows.lifecycle.versions import FLOWS, live_version, make_live
from management_api.history.diff import is_same_document
from management_api.history.drafts import (
    base_of_draft,
    check_base,
    nothing_to_publish,
    store_draft,
)

#: The document decides the draft's `updated_at`, and so its entity tag.
_SET_SIZE = (
    update(FlowDraft)
    .values(document_bytes=stored_bytes_of(FlowDraft.document), updated_at=FlowDraft.updated_at)
    .execution_options(synchronize_session=False)
)


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
    base = base_of_draft(session, FLOWS, flow, base_version)
    document = without_empty_members({**document, "screens": with_screen_ids(session, flow, document["screens"])})
    check_size(document)
    former = session.get(FlowDraft, flow.id)
    authors = set() if former is None else {*former.authors, former.updated_by}
    draft, is_changed = store_draft(session, FLOWS, flow, document, base, user_id)
    if is_changed:
        draft.authors = sorted({*authors, user_id})
        session.execute(delete(DraftApproval).where(DraftApproval.flow_id == flow.id))
    session.flush()
    session.execute(_SET_SIZE.where(FlowDraft.flow_id == flow.id))
    session.refresh(draft)
    return draft, is_changed


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
        raise nothing_to_publish()
    problems = draft_problems(session, draft)
    if problems.errors:
        raise InvalidRequestError(problems.errors)
    check_base(FLOWS.entity, live.number, draft.base_version)
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
