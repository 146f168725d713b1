"""Projects: list, create, read, update, delete (contract, section 3)."""

from collections import defaultdict
from datetime import date
from typing import Any

from sqlalchemy import Label, Row, bindparam, delete, func, or_, select, update
from sqlalchemy.orm import Session

from common.credentials import KeyPrefix, generate_key
from common.errors import Detail, FlowNotFoundError, InvalidRequestError
from common.ids import IdPrefix, is_id, new_id
from common.timestamps import utc_now
from management_api.auth.access import Caller, project_for_caller, project_for_update, read_project
from management_api.auth.entity_tags import Precondition
from management_api.auth.lists import Page, PagedSelect, PageRequest, contains
from management_api.db.audit import record_change, set_audit_actor
from management_api.db.engine import Reader
from management_api.db.key_vault import KeyVault
from management_api.db.models.analytics import ActivityRollup, FlowTotal, ProjectTotal, ProjectUsage
from management_api.db.models.deleted_projects import DeletedProject
from management_api.db.models.flow_history import FlowSchedule, PreviewLink
from management_api.db.models.flows import Flow, FlowStatus
from management_api.db.models.outbox import NOTIFY_PUBLISHER, Publication, request_publication
from management_api.db.models.projects import Member, Project, Role, SecretKey
from management_api.projects.quotas import Quotas, check_project_quota
from management_api.projects.review import check_may_serve, mark_live_as_reviewed
from management_api.projects.schemas import (
    ProjectCreateBody,
    ProjectSettingsBody,
    ProjectStats,
    ProjectUpdateBody,
    UsedQuotasView,
)
from management_api.projects.secret_keys import add_secret_key
from management_api.rollups.flow_completion import CompletionRate, FlowCompletion
from management_api.rollups.reading import readable_sets, union
from management_api.rollups.rollup import Breakdown
from management_api.rollups.totals import ALL_FLOWS, valid_totals
from management_api.rollups.usage import Usage

_FLOWS = select(func.count()).where(Flow.project_id == Project.id)
_USERS = select(ProjectTotal.devices).where(ProjectTotal.project_id == Project.id)
#: Columns of a statement about projects. PostgreSQL computes them for the rows of a page only.
LISTED_STATS: tuple[Label[int], ...] = (
    _FLOWS.scalar_subquery().label("total_flows"),
    _FLOWS.where(Flow.status == FlowStatus.ACTIVE).scalar_subquery().label("active_flows"),
    func.coalesce(_USERS.scalar_subquery(), 0).label("total_users"),
)
_PROJECTS = PagedSelect(
    select(
        Project.id, Project.name, Project.description, Project.platforms, Project.default_flow_id,
        Project.created_at, Project.updated_at, *LISTED_STATS,
    )
    .join(Member, Member.project_id == Project.id)
    .where(Member.user_id == bindparam("user_id")),
    {"created_at": Project.created_at, "updated_at": Project.updated_at, "name": Project.name},
    Project.id,
)  # fmt: skip

_ROLLUPS = select(ActivityRollup.devices).where(ActivityRollup.project_id == Project.id)
_SEEN_TODAY = _ROLLUPS.where(
    or_(ActivityRollup.breakdown == Breakdown.ALL.value, ActivityRollup.breakdown == Breakdown.EXPOSURE.value),
    ActivityRollup.day == bindparam("today"),
)
_TOTALS = valid_totals(
    FlowTotal.project_id == Project.id,
    FlowTotal.flow_id == ALL_FLOWS,
    rollups=[ActivityRollup.project_id == Project.id],
)
#: The bitmaps of all flows, unless the totals of the project are valid.
_ALL_TIME = _ROLLUPS.where(
    ActivityRollup.breakdown == Breakdown.ALL_TIME.value, ActivityRollup.day.is_(None), ~_TOTALS.exists()
).order_by(ActivityRollup.id)
_USED_TODAY = select().where(ProjectUsage.project_id == Project.id, ProjectUsage.day == bindparam("today"))
#: No row: nothing is used.
_USAGE: tuple[Label[int], ...] = tuple(
    func.coalesce(_USED_TODAY.add_columns(column).scalar_subquery(), 0).label(f"used_{column.key}")
    for column in (ProjectUsage.events, ProjectUsage.property_bytes, ProjectUsage.new_devices)
)
_PROJECT = project_for_caller(
    *Project.__table__.columns,
    *LISTED_STATS,
    *_USAGE,
    func.array(_SEEN_TODAY.scalar_subquery()).label("seen_today"),
    _TOTALS.scalar_subquery().label("totals"),
    func.array(_ALL_TIME.with_only_columns(ActivityRollup.flow_id).scalar_subquery()).label("flow_ids"),
    func.array(_ALL_TIME.with_only_columns(ActivityRollup.event_type).scalar_subquery()).label("event_types"),
    func.array(_ALL_TIME.scalar_subquery()).label("sets"),
)
_NOTIFY_PUBLISHER = select(NOTIFY_PUBLISHER)


def list_projects(reader: Reader, caller: Caller, page: PageRequest, search: str) -> Page[*tuple[Any, ...]]:
    """Return a page of the projects in which the caller has a role; `search` is a part of the name."""
    conditions = [contains(Project.name, search)] if search else []
    return _PROJECTS.read(reader, page, {"user_id": caller.user_id}, *conditions)


def create_project(
    session: Session, vault: KeyVault, caller: Caller, body: ProjectCreateBody, quotas: Quotas
) -> Project:
    """Create a project, its keys, the caller as its owner, its first publication. Raises ConflictError."""
    set_audit_actor(session, caller.user_id)
    project_id = new_id(IdPrefix.PROJECT)
    project = Project(
        id=project_id,
        name=body.name,
        description=body.description,
        platforms=body.platforms,
        default_flow_id=None,
        analytics_enabled=True,
        custom_domain=None,
        public_key_sealed=vault.encrypt(generate_key(KeyPrefix.PUBLIC), owner_id=project_id),
        created_by=caller.user_id,
    )
    session.add(project)
    session.flush()
    session.add(Member(project_id=project_id, user_id=caller.user_id, role=Role.OWNER.value))
    session.add(Publication(project_id=project_id))
    add_secret_key(session, vault, project_id)
    session.execute(_NOTIFY_PUBLISHER)
    check_project_quota(session, quotas, caller.user_id)
    return project


def read_project_with_stats(
    reader: Reader, caller: Caller, project_id: str, quotas: Usage, *, today: date | None = None
) -> tuple[Row[*tuple[Any, ...]], ProjectStats, UsedQuotasView]:
    """Return the columns, the statistics and the used quotas of one project at one moment.

    `quotas` is the maximum of each quota, `today` a UTC day. Raises ProjectNotFoundError, ForbiddenError.
    """
    today = today or utc_now().date()
    row = read_project(reader, caller, project_id, _PROJECT, today=today)
    stats = ProjectStats(
        total_flows=row.total_flows,
        active_flows=row.active_flows,
        total_users=row.total_users,
        users_today=len(union(readable_sets(project_id, row.seen_today))),
        completion_rate=_completion_rate(row),
    )
    used = Usage(row.used_events, row.used_property_bytes, row.used_new_devices)
    return row, stats, UsedQuotasView.of_day(today, used, quotas)


def update_project(
    session: Session, caller: Caller, project_id: str, body: ProjectUpdateBody, if_match: Precondition
) -> Project:
    """Change a project.

    Raises ProjectNotFoundError, FlowNotFoundError, ForbiddenError, PreconditionFailedError, InvalidRequestError,
    ConflictError for a default flow whose content is not reviewed.
    """
    project = project_for_update(session, caller, project_id, if_match=if_match)
    columns = body.columns() | {"locales": _locales(project, body.settings)}
    if columns.get("default_flow_id") is not None:
        _check_default_flow(session, project, columns["default_flow_id"])
    former_approvals = project.required_approvals
    for name, value in columns.items():
        setattr(project, name, value)
    session.flush()
    _follow_review(session, project, former_approvals)
    return project


def delete_project(session: Session, caller: Caller, project_id: str, if_match: Precondition) -> None:
    """Delete a project for its members and devices at once; the background purges its rows.

    Without members and keys no request reaches the project, and the log of the installation keeps the deletion.
    Raises ProjectNotFoundError, ForbiddenError, PreconditionFailedError.
    """
    project = project_for_update(session, caller, project_id, if_match=if_match)
    request_publication(session, project_id, deleted=True)
    session.add(DeletedProject(project_id=project_id, name=project.name, deleted_by=caller.user_id))
    for of_project in (
        # The project counts no more among the projects of its creator. The log of the installation has the deletion.
        update(Project).where(Project.id == project_id).values(created_by=None),
        delete(Member).where(Member.project_id == project_id),
        delete(SecretKey).where(SecretKey.project_id == project_id),
        delete(FlowSchedule).where(FlowSchedule.project_id == project_id),
        delete(PreviewLink).where(PreviewLink.project_id == project_id),
    ):
        session.execute(of_project, execution_options={"synchronize_session": False})
    session.flush()


def _follow_review(session: Session, project: Project, former: int) -> None:
    """Let the rule begin with what is live, or write to the audit log that fewer approvals are required."""
    if former == 0 < project.required_approvals:
        mark_live_as_reviewed(session, project.id)
    elif project.required_approvals < former:
        record_change(
            session,
            project.id,
            entity="project",
            verb="required_approvals_lowered",
            entity_id=project.id,
            before={"required_approvals": former},
            after={"required_approvals": project.required_approvals},
        )


def _locales(project: Project, settings: ProjectSettingsBody) -> list[str]:
    """Return the locales of a project after a change, the default first. Raises InvalidRequestError."""
    locales = settings.locales or project.locales
    default = settings.default_locale or project.locales[0]
    if default not in locales:
        field = "default_locale" if settings.default_locale else "locales"
        raise InvalidRequestError(
            [Detail.invalid(f"settings.{field}", "must have the default locale among the locales")]
        )
    return [default, *(locale for locale in locales if locale != default)]


def _check_default_flow(session: Session, project: Project, flow_id: str) -> None:
    if not is_id(IdPrefix.FLOW, flow_id):
        raise FlowNotFoundError
    status = session.scalar(select(Flow.status).where(Flow.id == flow_id, Flow.project_id == project.id))
    if status is None:
        raise FlowNotFoundError
    # Archiving the default flow unsets it (contract, section 3), so an archived one cannot become it either.
    if status == FlowStatus.ARCHIVED:
        raise InvalidRequestError([Detail.invalid("settings.default_flow_id", "must not name an archived flow")])
    if flow_id != project.default_flow_id:
        check_may_serve(session, project, [flow_id])


def _completion_rate(project: Row[Any]) -> float:
    """Return the share of the users who started a flow that completed it."""
    if project.totals is not None:
        started, completed = project.totals
        return completed / started if started else 0.0
    flows: defaultdict[str, FlowCompletion] = defaultdict(FlowCompletion)
    for flow_id, event_type, stored in zip(project.flow_ids, project.event_types, project.sets, strict=True):
        for devices in readable_sets(project.id, [stored]):
            flows[flow_id].add(event_type, devices)
    rate = CompletionRate()
    for flow in flows.values():
        rate.add(flow)
    return rate.value()
