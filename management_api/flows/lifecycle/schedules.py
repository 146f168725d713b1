"""Schedules of flows: make, cancel and run them (lifecycle, Schedules).

The publisher process runs them. The effect and the new state of a schedule are one transaction, so a process that dies
leaves the schedule pending, and two processes never run one twice.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

import structlog
from sqlalchemy import func, literal_column, select
from sqlalchemy.orm import Session

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
from management_api.auth.access import Caller, get_for_update, tag_of
from management_api.db.audit import record_change, set_audit_actor
from management_api.db.engine import Database
from management_api.db.models.flow_history import (
    FlowDraft,
    FlowSchedule,
    ScheduleAction,
    ScheduleState,
    VersionOrigin,
)
from management_api.db.models.flows import Flow, FlowStatus
from management_api.db.models.projects import Project, Role
from management_api.flows.lifecycle.drafts import check_approvals, check_publishable, check_warnings, publish_draft
from management_api.flows.lifecycle.versions import restore_version, version_exists, version_not_found
from management_api.flows.status import change_status
from management_api.projects.quotas import content_limited

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
    #: The state of the flow or the project forbids it, such as missing approvals or an active experiment.
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
    if action is ScheduleAction.RESTORE and not (version and version_exists(session, flow.id, version)):
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


def due_schedules(session: Session, *, excluded: Collection[str], limit: int) -> Sequence[str]:
    """Return the ids of pending schedules whose time has come, the earliest first."""
    due = (
        select(FlowSchedule.id)
        .where(_IS_PENDING, FlowSchedule.run_at <= func.clock_timestamp(), FlowSchedule.id.not_in(excluded))
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
}


def _run_action(session: Session, schedule: FlowSchedule) -> None:
    user_id = schedule.created_by
    flow = get_for_update(session, Caller(user_id, Role.EDITOR), Flow, schedule.flow_id)
    with content_limited(session, flow.project_id):
        _run_on_flow(session, schedule, flow, user_id)


def _run_on_flow(session: Session, schedule: FlowSchedule, flow: Flow, user_id: str) -> None:
    project = flow.project
    action = ScheduleAction(schedule.action)
    if action is ScheduleAction.PUBLISH:
        draft = session.get(FlowDraft, flow.id)
        if draft is None or tag_of(FlowDraft, draft) != schedule.draft_tag:
            raise _DraftChangedError
        # Warnings were judged when the schedule was made.
        check_publishable(session, flow, draft)
        check_approvals(session, project, draft)
        version = publish_draft(session, flow, draft, user_id, note=schedule.note, origin=VersionOrigin.SCHEDULED)
        _record(session, flow, "published", {"version": version.number})
    elif action is ScheduleAction.RESTORE:
        number = schedule.version or 0
        version = restore_version(session, flow, number, user_id, note=schedule.note, origin=VersionOrigin.SCHEDULED)
        _record(session, flow, "restored", {"version": version.number, "restored_from": number})
    else:
        status = FlowStatus.ACTIVE if action is ScheduleAction.ACTIVATE else FlowStatus.ARCHIVED
        change_status(session, project, flow, status)


def _record(session: Session, flow: Flow, verb: str, after: dict[str, Any]) -> None:
    record_change(session, flow.project_id, entity="flow", verb=verb, entity_id=flow.id, after=after)


def _end(schedule: FlowSchedule, state: ScheduleState) -> None:
    schedule.state = state.value
    schedule.ended_at = utc_now()
