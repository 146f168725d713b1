"""The latency of each query that reads rollups."""

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import partial

from sqlalchemy.orm import Session

from loadtests.benchmarks.storage.synthetic_events import SyntheticFlow
from management_api.analytics.breakdown import analyse
from management_api.analytics.dates import DateRange, Period
from management_api.analytics.events import list_events
from management_api.analytics.funnel import analyse_funnel
from management_api.analytics.paths import analyse_paths
from management_api.analytics.project_statistics import project_statistics
from management_api.analytics.schemas import AnalyticsQuery, EventListQuery, FunnelQuery, GroupBy, PathsQuery
from management_api.auth.access import Caller
from management_api.db.engine import Database
from management_api.projects.operations import read_project_with_stats
from management_api.rollups.usage import Usage

Query = Callable[[Session], object]


@dataclass(frozen=True, slots=True)
class Measured:
    """The times of a query in milliseconds; `processor` is the processor time of this process, without PostgreSQL."""

    name: str
    median: float
    p99: float
    processor: float


def measure(database: Database, name: str, query: Query, times: int) -> Measured:
    """Execute a query repeatedly, as a request does: at REPEATABLE READ, on a pooled connection."""
    # Statements are prepared and pages are cached when a service has run for a while.
    with database.repeatable_read() as session:
        query(session)
    times_ms: list[float] = []
    processor_start = time.process_time()
    for _ in range(times):
        start = time.perf_counter()
        with database.repeatable_read() as session:
            query(session)
        times_ms.append((time.perf_counter() - start) * 1000)
    processor = (time.process_time() - processor_start) * 1000 / times
    return Measured(
        name, statistics.median(times_ms), statistics.quantiles(times_ms, n=100, method="inclusive")[98], processor
    )


def queries(project_id: str, caller: Caller, flows: list[SyntheticFlow], today: date) -> Iterator[tuple[str, Query]]:
    """Yield each query with its name, with and without filters, over the longest period."""
    for period in (Period.WEEK, Period.QUARTER):
        dates = DateRange.from_period(period, today)
        yield f"stats {period}", partial(project_statistics, caller=caller, project_id=project_id, dates=dates)
    dates = DateRange.from_period(Period.QUARTER, today)
    experiment_id = next(flow.experiment_id for flow in flows if flow.experiment_id is not None)
    filters: dict[str, dict[str, str]] = {
        "": {},
        " eventType": {"event_type": "screen_viewed"},
        " flowId": {"flow_id": flows[0].flow_id},
        " platform": {"platform": "ios"},
        " experimentId": {"experiment_id": experiment_id},
        " flowId, eventType, platform": {
            "flow_id": flows[0].flow_id, "event_type": "screen_viewed", "platform": "ios",
        },
    }  # fmt: skip
    for group_by in GroupBy:
        for name, values in filters.items():
            parameters = AnalyticsQuery.model_validate({"project_id": project_id, "group_by": group_by, **values})
            yield f"analytics {group_by}{name}", partial(analyse, caller=caller, query=parameters, dates=dates)
    for name, experiment in (("", None), (" experimentId", experiment_id)):
        funnel = FunnelQuery(flow_id=flows[0].flow_id, experiment_id=experiment)
        yield f"funnel{name}", partial(analyse_funnel, caller=caller, query=funnel, dates=dates)
        paths = PathsQuery(flow_id=flows[0].flow_id, experiment_id=experiment)
        yield f"paths{name}", partial(analyse_paths, caller=caller, query=paths, dates=dates)
    for number in (1, 1000, 100_000):
        for name, values in list(filters.items())[:4]:
            page = {"project_id": project_id, "page": str(number), "limit": "100", **values}
            events = EventListQuery.model_validate(page)
            yield f"events page {number}{name}", partial(list_events, caller=caller, query=events, dates=None)
    project = partial(read_project_with_stats, caller=caller, project_id=project_id, quotas=Usage(1, 1, 1))
    yield "project counts", partial(project, today=today)
