"""Schedules of flows: make, cancel and run them (contract, section 7, Schedules).

The publisher process runs them. The effect and the new state of a schedule are one transaction, so a process that dies
leaves the schedule pending, and two processes never run one twice.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

import structlog
from sqlalchemy import Row, exists, func, literal_column, select, tuple_
from sqlalchemy.orm import Session, aliased

from common.errors import (
    ConflictError,
    FlowNotFoundError,
    ForbiddenError,
    InvalidRequestError,
    NotFoundError,
    RequestError,
    UnavailableError,
)
from common.ids import IdPrefix, is_id, new_id
from common.timestamps import utc_now
from management_api.auth.access import Caller, check_may_read, get_for_update
from management_api.auth.entity_tags import tag_of
from management_api.db.audit import record_change, set_audit_actor
from management_api.db.engine import Database
from management_api.db.models.flow_history import (
    FlowDraft,
    FlowSchedule,
    ScheduleAction,
    ScheduleState,
    VoidReason,
)
from management_api.db.models.flows import Flow, FlowStatus
from management_api.db.models.history import VersionOrigin
from management_api.db.models.projects import Project, Role
from management_api.flows.lifecycle.drafts import check_publishable, check_warnings, publish_draft
from management_api.flows.lifecycle.versions import FLOWS, check_restorable, restore_version
from management_api.flows.status import change_status, check_status
from management_api.history.versions import version_exists, version_not_found
from management_api.projects.quotas import content_limited
from management_api.projects.review import ApprovalsMissingError, check_approvals, get_approvals

log = structlog.stdlib.get_logger(__name__)

MAX_PENDING = 20
_IS_PENDING = FlowSchedule.state == literal_column(f"'{ScheduleState.PENDING.value}'")
#: A schedule that could not run for this time fails.
MISSED_AFTER = timedelta(hours=24)


class FailureReason(StrEnum):
    """The `error` of a failed schedule."""

    MISSED = "missed"
    DRAFT_CHANGED = "draft_changed"
    #: The creator has lost the role of an editor.
    FORBIDDEN = "forbidden"
    INVALID_DRAFT = "invalid_draft"
    VERSION_NOT_FOUND = "version_not_found"
    APPROVALS_MISSING = "approvals_missing"
    #: The state of the flow or the project forbids it, such as an active experiment.
    CONFLICT = "conflict"


def schedule_not_found() -> NotFoundError:
    """Return the error for an unknown schedule of a flow."""
    return NotFoundError("Schedule not found")


def create_schedule(  # noqa: PLR0913 - the members of a schedule
    session: Session,
    flow: Flow,
    user_id: str,
    *,
    action: ScheduleAction,
    version: int | None,
    activate: bool,
    run_at: datetime,
    note: str | None,
    ignore_warnings: bool,
) -> FlowSchedule:
    """Add a pending schedule of a locked flow.

    Raises NotFoundError (the version), InvalidRequestError for a draft with errors, ConflictError for a draft that is
    missing, stale, live already or has warnings, and for too many pending schedules.
    """
    pending = select(func.count()).where(FlowSchedule.flow_id == flow.id, _IS_PENDING)
    if session.scalars(pending).one() >= MAX_PENDING:
        raise ConflictError(f"A flow may have at most {MAX_PENDING} pending schedules")
    draft_tag = None
    if action is ScheduleAction.RESTORE and not (version and version_exists(session, FLOWS, flow.id, version)):
        raise version_not_found()
    if action is ScheduleAction.PUBLISH:
        draft = session.get(FlowDraft, flow.id)
        if draft is None:
            raise ConflictError("There is no draft to publish")
        problems = check_publishable(session, flow, draft)
        if not ignore_warnings:
            check_warnings(problems)
        draft_tag = tag_of(FlowDraft, draft)
    schedule = FlowSchedule(
        id=new_id(IdPrefix.SCHEDULE),
        flow_id=flow.id,
        project_id=flow.project_id,
        action=action.value,
        version=version,
        draft_tag=draft_tag,
        activate=activate,
        run_at=run_at,
        note=note,
        created_by=user_id,
    )
    session.add(schedule)
    session.flush()
    return schedule


def get_schedule(session: Session, flow: Flow, schedule_id: str) -> FlowSchedule:
    """Return a schedule of a flow. Raises NotFoundError."""
    schedule = session.get(FlowSchedule, schedule_id) if is_id(IdPrefix.SCHEDULE, schedule_id) else None
    if schedule is None or schedule.flow_id != flow.id:
        raise schedule_not_found()
    return schedule


def cancel_schedule(session: Session, schedule: FlowSchedule) -> None:
    """Cancel a schedule of a locked flow. Raises ConflictError unless it is pending."""
    if schedule.state != ScheduleState.PENDING:
        raise ConflictError(f"The schedule is {schedule.state}")
    _end(schedule, ScheduleState.CANCELLED)
    session.flush()


def cancel_schedules(session: Session, flow: Flow) -> None:
    """Cancel all pending schedules of a locked flow that will be deleted, each with an audit entry."""
    pending = select(FlowSchedule).where(FlowSchedule.flow_id == flow.id, _IS_PENDING).order_by(FlowSchedule.id)
    for schedule in session.scalars(pending).all():
        cancel_schedule(session, schedule)
        _record(session, flow, "schedule_cancelled", {"schedule": schedule.id, "action": schedule.action})


def void_reasons(session: Session, flow: Flow, schedules: Iterable[FlowSchedule | Row[Any]]) -> dict[str, VoidReason]:
    """Return what would fail pending schedules of a flow if they ran now, by their ids; nothing is changed.

    Schedules of one kind share their reason, so the number of queries does not grow with the number of schedules.
    """
    found: dict[tuple[object, ...], VoidReason | None] = {}
    reasons: dict[str, VoidReason] = {}
    for schedule in schedules:
        if schedule.state != ScheduleState.PENDING:
            continue
        kind = (schedule.action, schedule.version, schedule.draft_tag, schedule.created_by)
        if kind not in found:
            found[kind] = _void_reason(session, flow, schedule)
        reason = found[kind]
        if reason is not None:
            reasons[schedule.id] = reason
    return reasons


def due_schedules(session: Session, *, excluded: Collection[str], limit: int) -> Sequence[str]:
    """Return the ids of the first pending schedule of each flow whose time has come, the earliest first.

    Later schedules of a flow wait until the first one has ended, so that they never run in another order.
    """
    earlier = aliased(FlowSchedule)
    has_earlier = exists().where(
        earlier.flow_id == FlowSchedule.flow_id,
        earlier.state == literal_column(f"'{ScheduleState.PENDING.value}'"),
        tuple_(earlier.run_at, earlier.id) < tuple_(FlowSchedule.run_at, FlowSchedule.id),
    )
    due = (
        select(FlowSchedule.id)
        .where(_IS_PENDING, FlowSchedule.run_at <= func.clock_timestamp(), FlowSchedule.id.not_in(excluded))
        .where(~has_earlier)
        .order_by(FlowSchedule.run_at, FlowSchedule.id)
        .limit(limit)
    )
    return session.scalars(due).all()


def read_schedule_backlog(database: Database) -> tuple[int, float]:
    """Return the number of pending schedules, and by how many seconds the earliest one is overdue."""
    overdue = func.greatest(0, func.extract("epoch", func.clock_timestamp() - func.min(FlowSchedule.run_at)))
    with database.reading() as session:
        row = session.execute(select(func.count(), overdue).where(_IS_PENDING)).one()
    return row[0], float(row[1] or 0)


def run_schedule(session: Session, schedule_id: str) -> FlowSchedule | None:
    """Run a schedule in the transaction of the session, and return it ended; None if another process has taken it.

    A change that is forbidden now ends it as failed. Raises UnavailableError and defects: it stays pending.
    """
    schedule = session.scalars(
        select(FlowSchedule)
        .join(Project, Project.id == FlowSchedule.project_id)
        .where(FlowSchedule.id == schedule_id, _IS_PENDING)
        # The lock of the project, as for every change. Where another change holds it, the next poll tries again.
        .with_for_update(key_share=True, skip_locked=True, of=(Project, FlowSchedule))
        .execution_options(populate_existing=True)
    ).one_or_none()
    if schedule is None:
        return None
    set_audit_actor(session, schedule.created_by)
    is_missed = schedule.run_at < utc_now() - MISSED_AFTER
    reason = FailureReason.MISSED if is_missed else _try_action(session, schedule)
    if reason is None:
        _end(schedule, ScheduleState.DONE)
    else:
        schedule.error = reason.value
        _end(schedule, ScheduleState.FAILED)
        record_change(
            session,
            schedule.project_id,
            entity="flow",
            verb="schedule_failed",
            entity_id=schedule.flow_id,
            after={"schedule": schedule.id, "action": schedule.action, "error": schedule.error},
        )
    session.flush()
    return schedule


def _try_action(session: Session, schedule: FlowSchedule) -> FailureReason | None:
    """Execute the change of a schedule; return why it is forbidden, with nothing changed."""
    try:
        with session.begin_nested():
            _run_action(session, schedule)
    except UnavailableError:
        raise
    except RequestError as error:
        log.info("schedule_failed", schedule=schedule.id, action=schedule.action, reason=error.message)
        return _REASONS.get(type(error), FailureReason.CONFLICT)
    return None


class _DraftChangedError(ConflictError):
    """The draft that was to be published has changed, or was published or deleted."""

    def __init__(self) -> None:
        super().__init__("The draft has changed")


_REASONS: dict[type[RequestError], FailureReason] = {
    ForbiddenError: FailureReason.FORBIDDEN,
    FlowNotFoundError: FailureReason.FORBIDDEN,
    InvalidRequestError: FailureReason.INVALID_DRAFT,
    NotFoundError: FailureReason.VERSION_NOT_FOUND,
    _DraftChangedError: FailureReason.DRAFT_CHANGED,
    ApprovalsMissingError: FailureReason.APPROVALS_MISSING,
}


def _void_reason(session: Session, flow: Flow, schedule: FlowSchedule | Row[Any]) -> VoidReason | None:
    try:
        check_may_read(session, Caller(schedule.created_by, Role.EDITOR), flow.project_id)
        _check_action(session, flow, schedule)
    except _DraftChangedError:
        return VoidReason.DRAFT_CHANGED
    except ApprovalsMissingError:
        return VoidReason.APPROVALS_MISSING
    except UnavailableError:
        raise
    except RequestError:
        return VoidReason.CONFLICT
    return None


def _check_action(session: Session, flow: Flow, schedule: FlowSchedule | Row[Any]) -> None:
    """Raise the error that forbids the change of a schedule now. Warnings were judged when it was made."""
    action = ScheduleAction(schedule.action)
    if action is ScheduleAction.PUBLISH:
        draft = session.get(FlowDraft, flow.id)
        if draft is None or tag_of(FlowDraft, draft) != schedule.draft_tag:
            raise _DraftChangedError
        check_publishable(session, flow, draft)
        check_approvals(session, flow.project, draft)
    elif action is ScheduleAction.RESTORE:
        check_restorable(session, flow, schedule.version or 0)
    else:
        check_status(session, flow.project, flow, _STATUSES[action])


_STATUSES = {ScheduleAction.ACTIVATE: FlowStatus.ACTIVE, ScheduleAction.ARCHIVE: FlowStatus.ARCHIVED}


def _run_action(session: Session, schedule: FlowSchedule) -> None:
    user_id = schedule.created_by
    flow = get_for_update(session, Caller(user_id, Role.EDITOR), Flow, schedule.flow_id)
    with content_limited(session, flow.project_id):
        _run_on_flow(session, schedule, flow, user_id)


def _run_on_flow(session: Session, schedule: FlowSchedule, flow: Flow, user_id: str) -> None:
    _check_action(session, flow, schedule)
    action = ScheduleAction(schedule.action)
    note, origin = schedule.note, VersionOrigin.SCHEDULED
    if action is ScheduleAction.PUBLISH:
        draft = session.get_one(FlowDraft, flow.id)
        approvers = [approval.user_id for approval in get_approvals(session, draft)]
        version = publish_draft(session, flow, draft, user_id, note=note, origin=origin)
        after = {"version": version.number, "draft": schedule.draft_tag, "approvers": approvers}
        _record(session, flow, "published", after)
    elif action is ScheduleAction.RESTORE:
        number = schedule.version or 0
        version = restore_version(session, flow, number, user_id, note=note, origin=origin)
        _record(session, flow, "restored", {"version": version.number, "restored_from": number})
    if schedule.activate or action in _STATUSES:
        change_status(session, flow.project, flow, _STATUSES.get(action, FlowStatus.ACTIVE))


def _record(session: Session, flow: Flow, verb: str, after: dict[str, Any]) -> None:
    record_change(session, flow.project_id, entity="flow", verb=verb, entity_id=flow.id, after=after)


def _end(schedule: FlowSchedule, state: ScheduleState) -> None:
    schedule.state = state.value
    schedule.ended_at = utc_now()
