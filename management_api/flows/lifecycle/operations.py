"""Operations on drafts, versions and schedules: access, lock of the project, audit log (contract, section 7)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Row, bindparam, select
from sqlalchemy.orm import Session

from common.errors import Detail, InvalidRequestError
from management_api.auth.access import Caller, get_for_read, get_for_update
from management_api.auth.entity_tags import Precondition, tag_of
from management_api.auth.lists import PagedSelect
from management_api.db.models.flow_history import (
    FlowDraft,
    FlowSchedule,
    FlowVersion,
    ScheduleAction,
    VoidReason,
)
from management_api.db.models.flows import Flow, FlowStatus
from management_api.db.models.outbox import request_publication
from management_api.db.models.projects import Project
from management_api.flows.lifecycle.drafts import (
    check_publishable,
    check_warnings,
    draft_problems,
    is_draft_published,
    publish_draft,
    save_draft,
)
from management_api.flows.lifecycle.schedules import cancel_schedule, create_schedule, get_schedule, void_reasons
from management_api.flows.lifecycle.schemas import (
    DraftBody,
    DraftView,
    PublishBody,
    ScheduleBody,
    ScheduleListQuery,
    ScheduleView,
    ValidationView,
)
from management_api.flows.lifecycle.versions import FLOWS, live_version, restore_version, translations_in_versions
from management_api.flows.status import change_status
from management_api.history.drafts import get_draft
from management_api.history.operations import VersionLists, record, remove_draft
from management_api.history.versions import get_version
from management_api.media.references import check_references, screen_parts
from management_api.projects.quotas import Quotas, check_screen_count, content_limited
from management_api.projects.review import approve_draft, check_approvals, get_approvals
from management_api.screens.contents import check_contents
from management_api.screens.localizations import Stored, check_localizations, written_screens

#: The lists of the versions of flows.
VERSIONS = VersionLists(FLOWS)
_SCHEDULES: PagedSelect[*tuple[Any, ...]] = PagedSelect(
    select(*FlowSchedule.__table__.columns).where(FlowSchedule.flow_id == bindparam("flow_id")),
    {"created_at": FlowSchedule.created_at, "run_at": FlowSchedule.run_at},
    FlowSchedule.id,
)


# --- drafts ---


def read_draft(session: Session, caller: Caller, flow_id: str) -> tuple[DraftView, str]:
    """Return the draft of a flow and its entity tag. Raises FlowNotFoundError, ForbiddenError, NotFoundError."""
    flow = get_for_read(session, caller, Flow, flow_id)
    return _draft_view(session, flow, get_draft(session, FLOWS, flow.id))


def put_draft(
    session: Session, caller: Caller, flow_id: str, body: DraftBody, quotas: Quotas, precondition: Precondition
) -> tuple[DraftView, str, bool]:
    """Store the draft of a flow; return it, its entity tag, and whether it is new.

    Raises FlowNotFoundError, ForbiddenError, PreconditionFailedError, InvalidRequestError, ConflictError for too many
    screens.
    """
    flow = get_for_update(session, caller, Flow, flow_id)
    check_screen_count(quotas, len(body.document.screens))
    document = body.document.document()
    check_contents((f"document.screens.{place}.content", screen) for place, screen in enumerate(document["screens"]))
    former = _former_translations(session, flow, document["screens"])
    check_localizations(flow.project.locales, written_screens(document["screens"], "document.screens", former))
    check_references(session, flow.project_id, screen_parts(document["screens"], "document.screens"), flow.id)
    draft, is_new = change_draft(session, flow, document, body.base_version, caller, quotas, precondition)
    return *_draft_view(session, flow, draft), is_new


def _former_translations(
    session: Session, flow: Flow, screens: Sequence[Mapping[str, Any]]
) -> Callable[[str], Sequence[Stored]]:
    """Return the function that gives the stored translations of a screen: in the live document, then in the draft.

    A screen that comes back has those of the newest version with it.
    """
    draft = session.get(FlowDraft, flow.id)
    documents = [live_version(session, flow).document, *([] if draft is None else [draft.document])]
    stored = [{screen["id"]: screen.get("localizations", {}) for screen in found["screens"]} for found in documents]
    translated = {screen["id"] for screen in screens if screen.get("localizations")}
    stored.append(translations_in_versions(session, flow, translated.difference(*stored, [None])))
    return lambda screen_id: [found[screen_id] for found in stored if screen_id in found]


def delete_draft(session: Session, caller: Caller, flow_id: str, if_match: Precondition) -> None:
    """Delete the draft of a flow. Raises FlowNotFoundError, ForbiddenError, NotFoundError, PreconditionFailedError."""
    flow = get_for_update(session, caller, Flow, flow_id)
    remove_draft(session, FLOWS, flow, if_match)
    _publish_shown_draft(session, flow)


def validate_draft(session: Session, caller: Caller, flow_id: str) -> ValidationView:
    """Return the errors and warnings of the draft. Raises FlowNotFoundError, ForbiddenError, NotFoundError."""
    flow = get_for_read(session, caller, Flow, flow_id)
    return ValidationView.model_validate(draft_problems(session, get_draft(session, FLOWS, flow.id)))


def approve(session: Session, caller: Caller, flow_id: str) -> tuple[DraftView, str]:
    """Approve the draft as it is; return it and its entity tag.

    Raises FlowNotFoundError, NotFoundError, ForbiddenError also for an author of the draft.
    """
    flow = get_for_update(session, caller, Flow, flow_id)
    draft = get_draft(session, FLOWS, flow.id)
    if approve_draft(session, draft, caller.user_id):
        record(session, FLOWS, flow, "draft_approved", draft=tag_of(FlowDraft, draft))
    return _draft_view(session, flow, draft)


def publish(session: Session, caller: Caller, flow_id: str, body: PublishBody, if_match: Precondition) -> FlowVersion:
    """Make the draft live, and return its version. `if_match` is about the draft.

    Raises FlowNotFoundError, ForbiddenError, NotFoundError, PreconditionFailedError, InvalidRequestError for a draft
    with errors, ConflictError for one that is stale, live already, not approved or has warnings.
    """
    flow = get_for_update(session, caller, Flow, flow_id)
    draft = get_draft(session, FLOWS, flow.id)
    if_match.check(lambda: tag_of(FlowDraft, draft))
    problems = check_publishable(session, flow, draft)
    approvers = check_approvals(session, flow.project, draft)
    tag = tag_of(FlowDraft, draft)
    if not body.ignore_warnings:
        check_warnings(problems)
    version = publish_draft(session, flow, draft, caller.user_id, note=body.note)
    if body.activate:
        change_status(session, flow.project, flow, FlowStatus.ACTIVE)
    record(session, FLOWS, flow, "published", version=version.number, draft=tag, approvers=approvers)
    return version


# --- versions ---


def restore_live(
    session: Session,
    caller: Caller,
    flow_id: str,
    number: int,
    note: str | None,
    quotas: Quotas,
    precondition: Precondition,
) -> FlowVersion:
    """Make a version live again, and return the new version. `precondition` is about the version that is live.

    Raises FlowNotFoundError, ForbiddenError, NotFoundError, PreconditionFailedError, InvalidRequestError,
    ConflictError without approvals.
    """
    flow = get_for_update(session, caller, Flow, flow_id)
    precondition.check(lambda: tag_of(FlowVersion, live_version(session, flow)))
    with content_limited(session, flow.project_id, quotas):
        version = restore_version(session, flow, number, caller.user_id, note=note)
    record(session, FLOWS, flow, "restored", version=version.number, restored_from=number)
    return version


def restore_to_draft(
    session: Session, caller: Caller, flow_id: str, number: int, quotas: Quotas, precondition: Precondition
) -> tuple[DraftView, str]:
    """Make the document of a version the draft; return it and its entity tag. `precondition` is about the draft.

    Raises FlowNotFoundError, ForbiddenError, NotFoundError, PreconditionFailedError.
    """
    flow = get_for_update(session, caller, Flow, flow_id)
    document = get_version(session, FLOWS, flow.id, number).document
    draft, _ = change_draft(session, flow, document, None, caller, quotas, precondition)
    return _draft_view(session, flow, draft)


def change_draft(
    session: Session,
    flow: Flow,
    document: Mapping[str, Any],
    base_version: int | None,
    caller: Caller,
    quotas: Quotas,
    precondition: Precondition,
) -> tuple[FlowDraft, bool]:
    """Store the draft, and return it and whether it is new. A draft that stays as it is leaves no trace."""
    former = session.get(FlowDraft, flow.id)
    precondition.check(lambda: None if former is None else tag_of(FlowDraft, former))
    with content_limited(session, flow.project_id, quotas):
        draft, is_changed = save_draft(session, flow, document, base_version, caller.user_id)
    if is_changed:
        record(session, FLOWS, flow, "draft_saved")
        _publish_shown_draft(session, flow)
    return draft, former is None


# --- schedules ---


def list_schedules(
    session: Session, caller: Caller, flow_id: str, query: ScheduleListQuery
) -> tuple[list[ScheduleView], int]:
    """Return a page of the schedules of a flow, and the number of all. Raises FlowNotFoundError, ForbiddenError."""
    flow_id = get_for_read(session, caller, Flow, flow_id).id
    page = _SCHEDULES.read(session, query.page_request(), {"flow_id": flow_id})
    reasons = void_reasons(session, session.get_one(Flow, flow_id), page.items)
    return [schedule_view(schedule, reasons) for schedule in page.items], page.total


def add_schedule(
    session: Session, caller: Caller, flow_id: str, body: ScheduleBody, if_match: Precondition
) -> ScheduleView:
    """Schedule a change of a flow. `if_match` is about the draft that a publication would publish.

    Raises FlowNotFoundError, ForbiddenError, NotFoundError (the version), PreconditionFailedError, InvalidRequestError,
    ConflictError.
    """
    flow = get_for_update(session, caller, Flow, flow_id)
    if body.action is ScheduleAction.PUBLISH:
        draft = session.get(FlowDraft, flow.id)
        if_match.check(lambda: None if draft is None else tag_of(FlowDraft, draft))
    if (body.action is ScheduleAction.RESTORE) != (body.version is not None):
        missing = body.version is None
        detail = Detail.missing("version") if missing else Detail.invalid("version", "belongs to a restore only")
        raise InvalidRequestError([detail])
    if body.activate and body.action not in {ScheduleAction.PUBLISH, ScheduleAction.RESTORE}:
        raise InvalidRequestError([Detail.invalid("activate", "belongs to a publication or a restore only")])
    schedule = create_schedule(
        session,
        flow,
        caller.user_id,
        action=body.action,
        version=body.version,
        activate=body.activate,
        run_at=body.run_at,
        note=body.note,
        ignore_warnings=body.ignore_warnings,
    )
    record(session, FLOWS, flow, "scheduled", schedule=schedule.id, action=schedule.action, run_at=schedule.run_at)
    return schedule_view(schedule, void_reasons(session, flow, [schedule]))


def schedule_view(schedule: FlowSchedule | Row[Any], reasons: Mapping[str, VoidReason]) -> ScheduleView:
    """Return the response of a schedule; `reasons` are those of void ones, by their ids."""
    columns = {name: getattr(schedule, name) for name in ScheduleView.model_fields if name != "void_reason"}
    return ScheduleView.model_validate({**columns, "void_reason": reasons.get(schedule.id)})


def remove_schedule(session: Session, caller: Caller, flow_id: str, schedule_id: str, if_match: Precondition) -> None:
    """Cancel a pending schedule.

    Raises FlowNotFoundError, ForbiddenError, NotFoundError, PreconditionFailedError, ConflictError.
    """
    flow = get_for_update(session, caller, Flow, flow_id)
    schedule = get_schedule(session, flow, schedule_id)
    if_match.check(lambda: tag_of(FlowSchedule, schedule))
    cancel_schedule(session, schedule)
    record(session, FLOWS, flow, "schedule_cancelled", schedule=schedule.id, action=schedule.action)


def _draft_view(session: Session, flow: Flow | Row[Any], draft: FlowDraft) -> tuple[DraftView, str]:
    project = session.get_one(Project, draft.project_id)
    approvals: Sequence[dict[str, Any]] = [
        {"user_id": approval.user_id, "at": approval.created_at} for approval in get_approvals(session, draft)
    ]
    view = DraftView.model_validate(
        {
            **{
                name: getattr(draft, name)
                for name in ("flow_id", "document", "base_version", "updated_at", "updated_by")
            },
            "live_version": flow.live_version,
            "approvals": approvals,
            "required_approvals": project.required_approvals,
        }
    )
    return view, tag_of(FlowDraft, draft)


def _publish_shown_draft(session: Session, flow: Flow) -> None:
    """Request a publication if a QA device or a preview link shows the draft; no other snapshot contains it."""
    if is_draft_published(session, flow.id):
        request_publication(session, flow.project_id)
