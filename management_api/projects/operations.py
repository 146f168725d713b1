"""Projects: listed, made, read, changed and deleted (contract, section 3)."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any, TypedDict

from pyroaring import BitMap
from sqlalchemy import Label, Row, Select, bindparam, delete, func, insert, or_, select
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import InstrumentedAttribute

from common.credentials import KeyPrefix, generate_key
from common.errors import Detail, FlowNotFoundError, InvalidRequestError, ProjectNotFoundError
from common.ids import IdPrefix, is_id, new_id
from common.timestamps import utc_now
from management_api.auth.access import (
    NOTIFY_PUBLISHER,
    Caller,
    project_to_change,
    project_to_read,
    request_publication,
)
from management_api.db.audit import set_audit_actor
from management_api.db.audited_rows import add_row, change_row
from management_api.db.key_vault import KeyVault
from management_api.db.models.analytics import ActivityRollup, ProjectTotal
from management_api.db.models.flows import Flow, FlowStatus
from management_api.db.models.outbox import Publication
from management_api.db.models.projects import Member, Project, Role
from management_api.db.prepared import Prepared
from management_api.db.watchdog import allow_long_statements
from management_api.http.etags import Precondition
from management_api.http.pagination import Page, PageRequest, part_of, pattern_of, read_page
from management_api.projects.quotas import Quotas, check_project_quota
from management_api.projects.secret_keys import add_secret_key
from management_api.rollups.flow_completion import FlowCompletion, completion_rate
from management_api.rollups.reading import union
from management_api.rollups.rollup import Breakdown


@dataclass(frozen=True, slots=True)
class ProjectFigures:
    """What the project by itself shows; `completion_rate` is a fraction. A list shows the first three."""

    total_flows: int
    active_flows: int
    total_users: int
    users_today: int
    completion_rate: float


_FLOWS = select(func.count()).where(Flow.project_id == Project.id)
_USERS = select(ProjectTotal.devices).where(ProjectTotal.project_id == Project.id)
#: Columns of a statement about projects. PostgreSQL computes them for the rows of a page only.
LISTED_FIGURES: tuple[Label[int], ...] = (
    _FLOWS.scalar_subquery().label("total_flows"),
    _FLOWS.where(Flow.status == FlowStatus.ACTIVE).scalar_subquery().label("active_flows"),
    func.coalesce(_USERS.scalar_subquery(), 0).label("total_users"),
)

_CELLS = select(ActivityRollup.devices).where(ActivityRollup.project_id == Project.id)
_SEEN_TODAY = _CELLS.where(
    or_(ActivityRollup.breakdown == Breakdown.ALL.value, ActivityRollup.breakdown == Breakdown.EXPOSURE.value),
    ActivityRollup.day == bindparam("today"),
)
_ALL_TIME = _CELLS.where(ActivityRollup.breakdown == Breakdown.ALL_TIME.value, ActivityRollup.day.is_(None)).order_by(
    ActivityRollup.id
)
#: One statement, so that all figures are of one moment.
_FIGURES: Prepared[*tuple[Any, ...]] = Prepared(
    select(
        *LISTED_FIGURES,
        func.array(_SEEN_TODAY.scalar_subquery()).label("seen_today"),
        func.array(_ALL_TIME.with_only_columns(ActivityRollup.flow_id).scalar_subquery()).label("flow_ids"),
        func.array(_ALL_TIME.with_only_columns(ActivityRollup.event_type).scalar_subquery()).label("event_types"),
        func.array(_ALL_TIME.scalar_subquery()).label("sets"),
    ).where(Project.id == bindparam("project_id"))
)


def figures_of_project(session: Session, project_id: str, *, today: date | None = None) -> ProjectFigures:
    """Give all figures of one project. `today` is a UTC day. Raises ProjectNotFoundError if it has gone meanwhile."""
    values = {"project_id": project_id, "today": today or utc_now().date()}
    row = _FIGURES.row(session, values)
    if row is None:
        raise ProjectNotFoundError
    return ProjectFigures(
        total_flows=row.total_flows,
        active_flows=row.active_flows,
        total_users=row.total_users,
        users_today=len(union(row.seen_today)),
        completion_rate=_completion_rate(zip(row.flow_ids, row.event_types, row.sets, strict=True)),
    )


def _completion_rate(cells: Iterable[tuple[str, str, bytes]]) -> float:
    """Give the share of those who ever started any flow that completed the same one, from flow, type and devices."""
    journeys: defaultdict[str, FlowCompletion] = defaultdict(FlowCompletion)
    for flow_id, event_type, devices in cells:
        journeys[flow_id].add(event_type, BitMap.deserialize(devices))
    return completion_rate(journeys.values())


SORTABLE: dict[str, InstrumentedAttribute[Any]] = {
    "created_at": Project.created_at, "updated_at": Project.updated_at, "name": Project.name,
}  # fmt: skip
_LISTED: Select[*tuple[Any, ...]] = (
    select(
        Project.id, Project.name, Project.description, Project.platforms, Project.default_flow_id,
        Project.created_at, Project.updated_at, *LISTED_FIGURES,
    )
    .join(Member, Member.project_id == Project.id)
    .where(Member.user_id == bindparam("user_id"))
)  # fmt: skip
_NAME_CONTAINS = part_of(Project.name, "search")

_FIRST_PUBLICATION = Prepared(insert(Publication).values(project_id=bindparam("project")).returning(NOTIFY_PUBLISHER))
_STATUS_OF_FLOW = Prepared(
    select(Flow.status).where(Flow.id == bindparam("flow_id"), Flow.project_id == bindparam("project_id"))
)
#: Deleting takes all events along, which may be many millions; no other request may take this long.
DELETE_MINUTES = 10


@dataclass(frozen=True, slots=True)
class NewProject:
    """What a project is made of; `platforms` stand in the order that is stored."""

    name: str
    description: str | None
    platforms: list[str]


class ProjectChanges(TypedDict, total=False):
    """What a PUT changes; an absent member stays as it is."""

    name: str
    description: str | None
    platforms: list[str]
    default_flow_id: str | None
    analytics_enabled: bool
    custom_domain: str | None


@dataclass(frozen=True, slots=True)
class ProjectWithKey:
    """A project and its public key, opened."""

    project: Row[*tuple[Any, ...]]
    public_key: str


def list_projects(session: Session, caller: Caller, page: PageRequest, search: str | None) -> Page[*tuple[Any, ...]]:
    """Give a page of the projects in which the caller has a role; `search` is a part of the name."""
    values, filters = {"user_id": caller.user_id}, {_NAME_CONTAINS: pattern_of(search)}
    return read_page(session, _LISTED, page, values, filters=filters, sortable=SORTABLE, tie_breaker=Project.id)


def create_project(
    session: Session, vault: KeyVault, caller: Caller, new: NewProject, quotas: Quotas
) -> ProjectWithKey:
    """Make a project: its keys, the caller as its owner, its first publication. Raises ConflictError."""
    set_audit_actor(session, caller.user_id)
    project_id, public_key = new_id(IdPrefix.PROJECT), generate_key(KeyPrefix.PUBLIC)
    project = add_row(
        session,
        Project,
        {
            "id": project_id,
            "name": new.name,
            "description": new.description,
            "platforms": new.platforms,
            "default_flow_id": None,
            "analytics_enabled": True,
            "custom_domain": None,
            "public_key_sealed": vault.encrypt(public_key, owner_id=project_id),
        },
    )
    add_row(session, Member, {"project_id": project_id, "user_id": caller.user_id, "role": Role.OWNER.value})
    add_secret_key(session, vault, project_id)
    _FIRST_PUBLICATION.rows(session, {"project": project_id})
    check_project_quota(session, quotas, caller.user_id)
    return ProjectWithKey(project, public_key)


def read_project(session: Session, vault: KeyVault, caller: Caller, project_id: str) -> ProjectWithKey:
    """Give one project. Raises ProjectNotFoundError, ForbiddenError."""
    project = project_to_read(session, caller, project_id)
    return ProjectWithKey(project, vault.decrypt(project.public_key_sealed, owner_id=project.id))


def update_project(
    session: Session, caller: Caller, project_id: str, changes: ProjectChanges, if_match: Precondition
) -> Row[*tuple[Any, ...]]:
    """Change a project.

    Raises ProjectNotFoundError, FlowNotFoundError, ForbiddenError, PreconditionFailedError, InvalidRequestError.
    """
    project = project_to_change(session, caller, project_id, if_match=if_match)
    flow_id = changes.get("default_flow_id")
    if flow_id is not None:
        _check_default_flow(session, project_id, flow_id)
    return change_row(session, Project, project, changes) or project


def delete_project(session: Session, caller: Caller, project_id: str, if_match: Precondition) -> None:
    """Delete a project with all that belongs to it.

    Raises ProjectNotFoundError, ForbiddenError, PreconditionFailedError.
    """
    project_to_change(session, caller, project_id, if_match=if_match)
    request_publication(session, project_id, deleted=True)
    allow_long_statements(session, minutes=DELETE_MINUTES)
    # Its audit log goes with it, so there is nothing to write there.
    deletion = delete(Project).where(Project.id == project_id)
    session.execute(deletion.execution_options(synchronize_session=False, follows_from_audited_change=True))


def _check_default_flow(session: Session, project_id: str, flow_id: str) -> None:
    if not is_id(IdPrefix.FLOW, flow_id):
        raise FlowNotFoundError
    flow = _STATUS_OF_FLOW.row(session, {"flow_id": flow_id, "project_id": project_id})
    if flow is None:
        raise FlowNotFoundError
    # Archiving the default flow unsets it (contract, section 3), so an archived one cannot become it either.
    if flow.status == FlowStatus.ARCHIVED:
        raise InvalidRequestError([Detail.invalid("settings.default_flow_id", "must not name an archived flow")])
