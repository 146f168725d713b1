"""The figures shown with a project: how many flows and users it has (contract, section 3, Statistics, defined)."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import Label, bindparam, func, select
from sqlalchemy.orm import Session

from common.errors import ProjectNotFoundError
from common.timestamps import utc_now
from management_api.database.flows import Flow, FlowStatus
from management_api.database.prepared import Prepared
from management_api.database.projects import Project
from management_api.database.statistics import DailyActivity, FlowJourney, ProjectTotal


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

_USERS_TODAY = select(func.count(DailyActivity.device_id.distinct())).where(
    DailyActivity.project_id == Project.id, DailyActivity.day == bindparam("today")
)
_JOURNEY = FlowJourney.device_id.distinct()
_STARTED = select(func.count(_JOURNEY)).where(
    FlowJourney.project_id == Project.id, FlowJourney.first_started_at.is_not(None)
)
_COMPLETED = _STARTED.where(FlowJourney.first_completed_at.is_not(None))
#: One statement, so that all figures are of one moment.
_FIGURES: Prepared[*tuple[Any, ...]] = Prepared(
    select(
        *LISTED_FIGURES,
        _USERS_TODAY.scalar_subquery().label("users_today"),
        _STARTED.scalar_subquery().label("started"),
        _COMPLETED.scalar_subquery().label("completed"),
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
        users_today=row.users_today,
        completion_rate=row.completed / row.started if row.started else 0.0,
    )
