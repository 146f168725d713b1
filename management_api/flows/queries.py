"""Reads of flows with their screens, their statistics and `is_default`."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Row, Select, bindparam, func, select
from sqlalchemy.orm import Session

from management_api.auth.access import Caller, check_may_read, part_for_caller, read_part
from management_api.db.etags import SCREEN_STATE, flow_tag
from management_api.db.models.analytics import ActivityRollup
from management_api.db.models.flows import Flow, Screen
from management_api.db.models.projects import Project
from management_api.flows.schemas import FlowListQuery, FlowStatsView, FlowView
from management_api.http.pagination import PagedSelect, contains
from management_api.rollups.reading import union
from management_api.rollups.rollup import COMPLETED, STARTED, Breakdown

# Views count each start, the completion rate each device once. PostgreSQL reads them for the rows of a page only.
_ALL_TIME = select(ActivityRollup.devices).where(
    ActivityRollup.project_id == Flow.project_id,
    ActivityRollup.breakdown == Breakdown.ALL_TIME.value,
    ActivityRollup.day.is_(None),
    ActivityRollup.flow_id == Flow.id,
)
_STARTED = _ALL_TIME.where(ActivityRollup.event_type == STARTED)
_COMPLETED = _ALL_TIME.where(ActivityRollup.event_type == COMPLETED)
_VIEWS = _STARTED.with_only_columns(func.coalesce(func.sum(ActivityRollup.events), 0))
_FLOW_COLUMNS: tuple[ColumnElement[Any], ...] = (
    *Flow.__table__.columns,
    Flow.id.is_not_distinct_from(Project.default_flow_id).label("is_default"),
    _VIEWS.scalar_subquery().label("views"),
    func.array(_STARTED.scalar_subquery()).label("started"),
    func.array(_COMPLETED.scalar_subquery()).label("completed"),
)
_FLOWS: Select[*tuple[Any, ...]] = select(*_FLOW_COLUMNS).join(Project, Project.id == Flow.project_id)
_LIST = PagedSelect(
    _FLOWS.where(Flow.project_id == bindparam("project_id")),
    {"created_at": Flow.created_at, "updated_at": Flow.updated_at, "name": Flow.name},
    Flow.id,
)
_FLOW = _FLOWS.where(Flow.id == bindparam("flow_id"))
_FLOW_FOR_CALLER = part_for_caller(Flow, *_FLOW_COLUMNS).join(Project, Project.id == Flow.project_id)
_SCREENS: Select[*tuple[Any, ...]] = (
    select(Screen.flow_id, *SCREEN_STATE)
    .where(Screen.flow_id.in_(bindparam("flow_ids", expanding=True)))
    .order_by(Screen.order)
)
_SCREENS_WITH_CONTENT = _SCREENS.add_columns(Screen.content, Screen.settings)

ViewT = TypeVar("ViewT", bound=FlowView)


@dataclass(frozen=True, slots=True)
class FlowDetail:
    """The columns of a flow with `is_default`, its screens in their order, and its statistics."""

    flow: Row[Any]
    screens: Sequence[Row[Any]]
    stats: FlowStatsView

    @property
    def tag(self) -> str:
        """The flow's entity tag."""
        return flow_tag(self.flow, is_default=self.flow.is_default, screens=self.screens)

    def view(self, model: type[ViewT]) -> ViewT:
        """Return the response."""
        return model.from_row(self.flow, self.screens, self.stats)


@dataclass(frozen=True, slots=True)
class FlowPage:
    """The flows of one page, and the number of flows on all pages."""

    flows: list[FlowDetail]
    total: int


def list_flows(session: Session, caller: Caller, query: FlowListQuery) -> FlowPage:
    """Return a page of the project's flows. Raises ProjectNotFoundError, ForbiddenError."""
    check_may_read(session, caller, query.project_id)
    conditions: list[ColumnElement[bool]] = []
    if query.status is not None:
        conditions.append(Flow.status == query.status)
    if query.search:
        conditions.append(contains(Flow.name, query.search))
    page = _LIST.read(session, query.page_request(), {"project_id": query.project_id}, *conditions)
    screens = _screens_by_flow(session, _SCREENS, [flow.id for flow in page.items])
    return FlowPage([FlowDetail(flow, screens[flow.id], _stats(flow)) for flow in page.items], page.total)


def read_flow(session: Session, caller: Caller, flow_id: str) -> FlowDetail:
    """Return one flow, its screens with content and settings. Raises FlowNotFoundError, ForbiddenError."""
    flow = read_part(session, caller, Flow, flow_id, _FLOW_FOR_CALLER)
    return _detail(session, flow, _SCREENS_WITH_CONTENT)


def get_flow_detail(session: Session, flow_id: str) -> FlowDetail:
    """Return a flow that this transaction has changed, its screens without content and settings."""
    flow = session.execute(_FLOW, {"flow_id": flow_id}).one()
    return _detail(session, flow, _SCREENS)


def _detail(session: Session, flow: Row[Any], screens: Select[*tuple[Any, ...]]) -> FlowDetail:
    return FlowDetail(flow, _screens_by_flow(session, screens, [flow.id])[flow.id], _stats(flow))


def _screens_by_flow(
    session: Session, screens: Select[*tuple[Any, ...]], flow_ids: Sequence[str]
) -> Mapping[str, Sequence[Row[Any]]]:
    by_flow: defaultdict[str, list[Row[Any]]] = defaultdict(list)
    for screen in session.execute(screens, {"flow_ids": flow_ids}):
        by_flow[screen.flow_id].append(screen)
    return by_flow


def _stats(flow: Row[Any]) -> FlowStatsView:
    rate = 0.0
    if flow.started:
        starters = union(flow.started)
        rate = starters.intersection_cardinality(union(flow.completed)) / len(starters)
    return FlowStatsView(total_views=int(flow.views), completion_rate=rate)
