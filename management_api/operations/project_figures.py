"""The figures shown with a project: how many flows and users it has (contract, section 3, Statistics, defined)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session

from common.timestamps import utc_now
from management_api.database.flows import Flow, FlowStatus
from management_api.database.statistics import DailyActivity, Device, FlowJourney


@dataclass(frozen=True, slots=True)
class ListedFigures:
    """What a list shows of a project."""

    total_flows: int = 0
    active_flows: int = 0
    total_users: int = 0


@dataclass(frozen=True, slots=True)
class ProjectFigures:
    """What the project by itself shows; `completion_rate` is a fraction."""

    total_flows: int
    active_flows: int
    total_users: int
    users_today: int
    completion_rate: float


def figures_of_projects(session: Session, project_ids: Sequence[str]) -> dict[str, ListedFigures]:
    """Give the figures of many projects, in two queries however many they are."""
    active = func.count().filter(Flow.status == FlowStatus.ACTIVE)
    flows = {
        project_id: (total, active)
        for project_id, total, active in session.execute(
            select(Flow.project_id, func.count(), active)
            .where(Flow.project_id.in_(project_ids))
            .group_by(Flow.project_id)
        )
    }
    users = dict(
        session.execute(
            select(Device.project_id, func.count())
            .where(Device.project_id.in_(project_ids))
            .group_by(Device.project_id)
        ).all()
    )
    return {
        project_id: ListedFigures(*flows.get(project_id, (0, 0)), users.get(project_id, 0))
        for project_id in project_ids
    }


def figures_of_project(session: Session, project_id: str, *, today: date | None = None) -> ProjectFigures:
    """Give all figures of one project. `today` is a UTC day."""
    listed = figures_of_projects(session, [project_id])[project_id]
    users_today = session.scalar(
        select(func.count(DailyActivity.device_id.distinct())).where(
            DailyActivity.project_id == project_id, DailyActivity.day == (today or utc_now().date())
        )
    )
    return ProjectFigures(
        total_flows=listed.total_flows,
        active_flows=listed.active_flows,
        total_users=listed.total_users,
        users_today=users_today or 0,
        completion_rate=_completion_rate(session, project_id),
    )


def _completion_rate(session: Session, project_id: str) -> float:
    device = FlowJourney.device_id.distinct()
    both = and_(FlowJourney.first_started_at.is_not(None), FlowJourney.first_completed_at.is_not(None))
    started, completed = session.execute(
        select(
            func.count(device).filter(FlowJourney.first_started_at.is_not(None)), func.count(device).filter(both)
        ).where(FlowJourney.project_id == project_id)
    ).one()
    return completed / started if started else 0.0
