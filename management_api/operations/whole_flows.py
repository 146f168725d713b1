"""Flows as they are read: with their screens, their figures, and whether they are the default one."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, func, select
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import InstrumentedAttribute

from management_api.database.flows import Flow, FlowStatus
from management_api.database.projects import Project
from management_api.database.screens import Screen
from management_api.database.statistics import DailyActivity, FlowJourney
from management_api.operations.callers import Caller
from management_api.operations.entity_tags import SCREEN_STATE, flow_tag
from management_api.operations.paging import PageRequest, contains_text, read_page
from management_api.operations.project_access import project_to_read
from management_api.operations.project_parts import FLOW, part_to_read

SORTABLE: dict[str, InstrumentedAttribute[Any]] = {
    "created_at": Flow.created_at, "updated_at": Flow.updated_at, "name": Flow.name,
}  # fmt: skip


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
    project_to_read(session, caller, project_id)
    statement = _flows().where(Flow.project_id == project_id)
    if wanted.status is not None:
        statement = statement.where(Flow.status == wanted.status.value)
    if wanted.search:
        statement = statement.where(contains_text(Flow.name, wanted.search))
    found = read_page(session, statement, page, sortable=SORTABLE, tie_breaker=Flow.id)
    return WholeFlowPage(_whole(session, project_id, found.items, with_content=False), found.total)


def read_flow(session: Session, caller: Caller, flow_id: str) -> WholeFlow:
    """Give one flow, its screens with content and settings. Raises FlowNotFoundError, ForbiddenError."""
    flow = part_to_read(session, caller, FLOW, flow_id)
    return whole_flow(session, flow, with_content=True)


def whole_flow(session: Session, flow: Flow, *, with_content: bool = False) -> WholeFlow:
    """Give a flow that was just read or changed."""
    session.flush()
    row = session.execute(_flows().where(Flow.id == flow.id)).one()
    return _whole(session, flow.project_id, [row], with_content=with_content)[0]


def _flows() -> Select[*tuple[Any, ...]]:
    return select(
        Flow.id, Flow.project_id, Flow.name, Flow.description, Flow.status,
        Flow.id.is_not_distinct_from(Project.default_flow_id).label("is_default"),
        Flow.theme_id, Flow.priority, Flow.rollout_buckets, Flow.conditions, Flow.created_at, Flow.updated_at,
    ).join(Project, Project.id == Flow.project_id)  # fmt: skip


def _whole(session: Session, project_id: str, flows: Sequence[Row[Any]], *, with_content: bool) -> list[WholeFlow]:
    flow_ids = [flow.id for flow in flows]
    screens = _screens_of(session, flow_ids, with_content=with_content)
    stats = _stats_of(session, project_id, flow_ids)
    return [WholeFlow(**flow._asdict(), screens=screens[flow.id], stats=stats[flow.id]) for flow in flows]


def _screens_of(session: Session, flow_ids: Iterable[str], *, with_content: bool) -> Mapping[str, Sequence[Row[Any]]]:
    columns = [Screen.flow_id, *SCREEN_STATE]
    if with_content:
        columns += [Screen.content, Screen.settings]
    rows = session.execute(select(*columns).where(Screen.flow_id.in_(flow_ids)).order_by(Screen.order))
    screens: defaultdict[str, list[Row[Any]]] = defaultdict(list)
    for row in rows:
        screens[row.flow_id].append(row)
    return screens


def _stats_of(session: Session, project_id: str, flow_ids: Sequence[str]) -> Mapping[str, FlowStats]:
    """Read the figures of some flows: every start counts as a view, every device once in the rate."""
    views = session.execute(
        select(DailyActivity.flow_id, func.sum(DailyActivity.starts))
        .where(DailyActivity.project_id == project_id, DailyActivity.flow_id.in_(flow_ids))
        .group_by(DailyActivity.flow_id)
    )
    started = FlowJourney.first_started_at.is_not(None)
    journeys = session.execute(
        select(FlowJourney.flow_id, func.count(), func.count().filter(FlowJourney.first_completed_at.is_not(None)))
        .where(FlowJourney.project_id == project_id, FlowJourney.flow_id.in_(flow_ids), started)
        .group_by(FlowJourney.flow_id)
    )
    total_views: dict[str, int] = {flow_id: int(starts) for flow_id, starts in views}
    rates: dict[str, float] = {flow_id: completed / begun for flow_id, begun, completed in journeys}
    return {flow_id: FlowStats(total_views.get(flow_id, 0), rates.get(flow_id, 0.0)) for flow_id in flow_ids}
