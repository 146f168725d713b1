"""The statistics that reads of flows show: views count each start, the completion rate counts each device once."""

from typing import Any

from sqlalchemy import ColumnElement, Row, func, select

from management_api.db.models.analytics import ActivityRollup, FlowTotal
from management_api.db.models.flows import Flow
from management_api.flows.schemas import FlowStatsView
from management_api.rollups.reading import readable_sets, union
from management_api.rollups.rollup import COMPLETED, STARTED, Breakdown
from management_api.rollups.totals import valid_totals

_IS_OF_FLOW = (ActivityRollup.project_id == Flow.project_id, ActivityRollup.flow_id == Flow.id)
_ALL_TIME = select(ActivityRollup.devices).where(
    ActivityRollup.breakdown == Breakdown.ALL_TIME.value, ActivityRollup.day.is_(None), *_IS_OF_FLOW
)
_STARTED = _ALL_TIME.where(ActivityRollup.event_type == STARTED)
_COMPLETED = _ALL_TIME.where(ActivityRollup.event_type == COMPLETED)
_VIEWS = _STARTED.with_only_columns(func.coalesce(func.sum(ActivityRollup.events), 0))
_TOTALS = valid_totals(FlowTotal.project_id == Flow.project_id, FlowTotal.flow_id == Flow.id, rollups=_IS_OF_FLOW)
#: Columns of a statement about flows. PostgreSQL computes them for the rows of a page only, and reads bitmaps only of
#: flows without valid totals.
STATS_COLUMNS: tuple[ColumnElement[Any], ...] = (
    _VIEWS.scalar_subquery().label("views"),
    _TOTALS.scalar_subquery().label("totals"),
    func.array(_STARTED.where(~_TOTALS.exists()).scalar_subquery()).label("started"),
    func.array(_COMPLETED.where(~_TOTALS.exists()).scalar_subquery()).label("completed"),
)


def flow_stats(flow: Row[Any]) -> FlowStatsView:
    """Return the statistics from a row with STATS_COLUMNS and the id of the project."""
    if flow.totals is None:
        started, completed = (union(readable_sets(flow.project_id, sets)) for sets in (flow.started, flow.completed))
        users, completions = len(started), started.intersection_cardinality(completed)
    else:
        users, completions = flow.totals
    return FlowStatsView(total_views=int(flow.views), completion_rate=completions / users if users else 0.0)
