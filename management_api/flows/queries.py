"""Flows as they are read: with their screens, their figures, and whether they are the default one."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ARRAY, Row, Select, Text, any_, bindparam, func, select
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import InstrumentedAttribute

from management_api.auth.access import FLOW, Caller, check_may_read, row_to_read, with_role
from management_api.db.models.analytics import ActivityRollup
from management_api.db.models.flows import Flow, FlowStatus, Screen
from management_api.db.models.projects import Project
from management_api.db.prepared import Prepared
from management_api.http.etags import SCREEN_STATE, flow_tag
from management_api.http.pagination import PageRequest, equal_to, part_of, pattern_of, read_page
from management_api.rollups.reading import union
from management_api.rollups.rollup import COMPLETED, STARTED, Breakdown

SORTABLE: dict[str, InstrumentedAttribute[Any]] = {
    "created_at": Flow.created_at, "updated_at": Flow.updated_at, "name": Flow.name,
}  # fmt: skip

# Every start counts as a view, every device once in the rate. PostgreSQL reads these for the rows of a page only.
_ALL_TIME = select(ActivityRollup.devices).where(
    ActivityRollup.project_id == Flow.project_id,
    ActivityRollup.breakdown == Breakdown.ALL_TIME.value,
    ActivityRollup.day.is_(None),
    ActivityRollup.flow_id == Flow.id,
)
_STARTED = _ALL_TIME.where(ActivityRollup.event_type == STARTED)
_VIEWS = _STARTED.with_only_columns(func.coalesce(func.sum(ActivityRollup.events), 0))
_COMPLETED = _ALL_TIME.where(ActivityRollup.event_type == COMPLETED)
_FLOWS: Select[*tuple[Any, ...]] = select(
    Flow.id, Flow.project_id, Flow.name, Flow.description, Flow.status,
    Flow.id.is_not_distinct_from(Project.default_flow_id).label("is_default"),
    Flow.theme_id, Flow.priority, Flow.rollout_buckets, Flow.conditions, Flow.created_at, Flow.updated_at,
    _VIEWS.scalar_subquery().label("views"),
    func.array(_STARTED.scalar_subquery()).label("started"),
    func.array(_COMPLETED.scalar_subquery()).label("completed"),
).join(Project, Project.id == Flow.project_id)  # fmt: skip
_LISTED = _FLOWS.where(Flow.project_id == bindparam("project_id"))
_HAS_STATUS, _NAME_CONTAINS = equal_to(Flow.status, "status"), part_of(Flow.name, "search")
_CHANGED = Prepared(_FLOWS.where(Flow.id == bindparam("flow_id")))
_TO_READ = Prepared(with_role(_FLOWS, Flow))

_SCREENS_OF_FLOWS: Select[*tuple[Any, ...]] = (
    select(Screen.flow_id, *SCREEN_STATE)
    .where(Screen.flow_id == any_(bindparam("flow_ids", type_=ARRAY(Text))))
    .order_by(Screen.order)
)
_SCREENS = Prepared(_SCREENS_OF_FLOWS)
_SCREENS_WITH_CONTENT = Prepared(_SCREENS_OF_FLOWS.add_columns(Screen.content, Screen.settings))


@dataclass(frozen=True, slots=True)
class FlowStats:
    """How often the flow was started, and the share of those who started it that completed it (0..1)."""

    total_views: int
    completion_rate: float


@dataclass(frozen=True, slots=True)
class WholeFlow:
    """A flow with all of its own.

    The rows of `screens` have SCREEN_STATE, and content and settings where they are asked for.
    """

    id: str
    project_id: str
    name: str
    description: str | None
    status: str
    is_default: bool
    theme_id: str | None
    priority: int
    rollout_buckets: int
    conditions: list[dict[str, Any]]
    created_at: datetime
    updated_at: datetime
    screens: Sequence[Row[Any]]
    stats: FlowStats

    @property
    def tag(self) -> str:
        """Its entity tag."""
        return flow_tag(self, is_default=self.is_default, screens=self.screens)


@dataclass(frozen=True, slots=True)
class WholeFlowPage:
    """The flows of one page, and how many there are on all pages."""

    flows: list[WholeFlow]
    total: int


@dataclass(frozen=True, slots=True)
class FlowFilter:
    """Which flows of a project to list; None leaves a filter out."""

    status: FlowStatus | None = None
    search: str | None = None


def list_flows(
    session: Session, caller: Caller, project_id: str, wanted: FlowFilter, page: PageRequest
) -> WholeFlowPage:
    """Give a page of the project's flows. Raises ProjectNotFoundError, ForbiddenError."""
    check_may_read(session, caller, project_id)
    filters = {_HAS_STATUS: wanted.status and wanted.status.value, _NAME_CONTAINS: pattern_of(wanted.search)}
    found = read_page(
        session, _LISTED, page, {"project_id": project_id}, filters=filters, sortable=SORTABLE, tie_breaker=Flow.id
    )
    screens = _screens_of(session, [flow.id for flow in found.items], _SCREENS)
    return WholeFlowPage([_whole(flow, screens[flow.id]) for flow in found.items], found.total)


def read_flow(session: Session, caller: Caller, flow_id: str) -> WholeFlow:
    """Give one flow, its screens with content and settings. Raises FlowNotFoundError, ForbiddenError."""
    row = row_to_read(session, caller, FLOW, flow_id, _TO_READ)
    return _whole(row, _screens_of(session, [flow_id], _SCREENS_WITH_CONTENT)[flow_id])


def whole_flow(session: Session, flow_id: str) -> WholeFlow:
    """Give a flow that was just changed."""
    [row] = _CHANGED.rows(session, {"flow_id": flow_id})
    return _whole(row, _screens_of(session, [flow_id], _SCREENS)[flow_id])


def new_whole_flow(flow: Row[Any], screens: Sequence[Row[Any]], *, is_default: bool) -> WholeFlow:
    """Give a flow that was just made, from the rows that were stored; no device can have been given it yet."""
    return _shown(flow, screens, is_default=is_default, stats=FlowStats(total_views=0, completion_rate=0.0))


def _whole(row: Row[Any], screens: Sequence[Row[Any]]) -> WholeFlow:
    stats = FlowStats(int(row.views), _completion_rate(row.started, row.completed))
    return _shown(row, screens, is_default=row.is_default, stats=stats)


def _shown(row: Row[Any], screens: Sequence[Row[Any]], *, is_default: bool, stats: FlowStats) -> WholeFlow:
    return WholeFlow(
        id=row.id,
        project_id=row.project_id,
        name=row.name,
        description=row.description,
        status=row.status,
        is_default=is_default,
        theme_id=row.theme_id,
        priority=row.priority,
        rollout_buckets=row.rollout_buckets,
        conditions=row.conditions,
        created_at=row.created_at,
        updated_at=row.updated_at,
        screens=screens,
        stats=stats,
    )


def _completion_rate(started: Sequence[bytes], completed: Sequence[bytes]) -> float:
    """Give the share of those who started that completed, from sets of devices as they are stored."""
    if not started:
        return 0.0
    starters = union(started)
    return starters.intersection_cardinality(union(completed)) / len(starters)


def _screens_of(
    session: Session, flow_ids: Sequence[str], statement: Prepared[*tuple[Any, ...]]
) -> Mapping[str, Sequence[Row[Any]]]:
    screens: defaultdict[str, list[Row[Any]]] = defaultdict(list)
    for row in statement.rows(session, {"flow_ids": flow_ids}):
        screens[row.flow_id].append(row)
    return screens
