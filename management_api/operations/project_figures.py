"""The figures shown with a project: how many flows and users it has (contract, section 3, Statistics, defined)."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from pyroaring import BitMap
from sqlalchemy import Label, bindparam, func, or_, select
from sqlalchemy.orm import Session

from common.errors import ProjectNotFoundError
from common.timestamps import utc_now
from management_api.activity.breakdowns import Breakdown
from management_api.activity.journeys import JourneySets, rate_of
from management_api.activity.reading import united
from management_api.database.flows import Flow, FlowStatus
from management_api.database.prepared import Prepared
from management_api.database.projects import Project
from management_api.database.statistics import ActivityCell, ProjectTotal


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

_CELLS = select(ActivityCell.devices).where(ActivityCell.project_id == Project.id)
_SEEN_TODAY = _CELLS.where(
    or_(ActivityCell.breakdown == Breakdown.ALL.value, ActivityCell.breakdown == Breakdown.EXPOSURE.value),
    ActivityCell.day == bindparam("today"),
)
_EVER = _CELLS.where(ActivityCell.breakdown == Breakdown.EVER.value, ActivityCell.day.is_(None)).order_by(
    ActivityCell.id
)
#: One statement, so that all figures are of one moment.
_FIGURES: Prepared[*tuple[Any, ...]] = Prepared(
    select(
        *LISTED_FIGURES,
        func.array(_SEEN_TODAY.scalar_subquery()).label("seen_today"),
        func.array(_EVER.with_only_columns(ActivityCell.flow_id).scalar_subquery()).label("flow_ids"),
        func.array(_EVER.with_only_columns(ActivityCell.event_type).scalar_subquery()).label("event_types"),
        func.array(_EVER.scalar_subquery()).label("sets"),
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
        users_today=len(united(row.seen_today)),
        completion_rate=_completion_rate(zip(row.flow_ids, row.event_types, row.sets, strict=True)),
    )


def _completion_rate(cells: Iterable[tuple[str, str, bytes]]) -> float:
    """Give the share of those who ever started any flow that completed the same one, from flow, type and devices."""
    journeys: defaultdict[str, JourneySets] = defaultdict(JourneySets)
    for flow_id, event_type, devices in cells:
        journeys[flow_id].add(event_type, BitMap.deserialize(devices))
    return rate_of(journeys.values())
