"""The analytics of a project: counts, the funnel of a flow, and the events themselves."""

import falcon

from common.errors import ErrorCode
from common.timestamps import utc_now
from management_api.database.transactions import Database
from management_api.operations.analytics import analyse
from management_api.operations.funnels import analyse_funnel
from management_api.operations.raw_events import list_events
from management_api.resources.declaration import answers
from management_api.resources.exchange import MEDIA_CSV, caller_of, prefers_csv, respond, respond_with_csv
from management_api.schemas.analytics import KEY_OF, AnalyticsView, EventView, FunnelView
from management_api.schemas.csv_tables import csv_table
from management_api.schemas.envelope import Pagination
from management_api.schemas.event_queries import AnalyticsQuery, EventListQuery, FunnelQuery


class AnalyticsBreakdown:
    """GET /analytics."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @answers(
        "get_analytics",
        AnalyticsView,
        errors=[ErrorCode.INVALID_PROJECT, ErrorCode.INVALID_FLOW],
        other_media_types=[MEDIA_CSV],
    )
    def on_get(self, request: falcon.Request, response: falcon.Response, query: AnalyticsQuery) -> None:
        """Count events and users.

        Over a `period` that ends today (default `7d`) or from the day `from` to the day `to`, at most 400 days, in UTC
        and by the events' own time. Rows are broken down by `group_by`: days ascending with zeros, anything else by
        events descending, at most 1000 rows. A user is a distinct device; null stands for events that do not say.

        With `Accept: text/csv` the answer is the rows alone, as CSV with a header; what a spreadsheet would take for a
        formula has a quote before it.
        """
        window = query.window(utc_now().date())
        # All figures are of one moment, so that they agree with each other.
        with self._database.consistent_read() as session:
            analytics = analyse(session, caller_of(request), query.filter(window), window, query.group_by)
        view = AnalyticsView.of(query.project_id, window, query.group_by, analytics)
        response.append_header("Vary", "Accept")
        if prefers_csv(request):
            respond_with_csv(response, csv_table((KEY_OF[query.group_by], "events", "users"), view.rows))
        else:
            respond(response, view)


class AnalyticsFunnel:
    """GET /analytics/funnel."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @answers("get_funnel", FunnelView, errors=[ErrorCode.INVALID_FLOW])
    def on_get(self, request: falcon.Request, response: falcon.Response, query: FunnelQuery) -> None:
        """Read the funnel of a flow.

        How many users started and completed the flow and each of its screens in the period, which is given as for
        GET /analytics. With `experimentId` only events of that experiment count, and `variants` has a funnel for each.
        """
        window = query.window(utc_now().date())
        with self._database.consistent_read() as session:
            analysis = analyse_funnel(session, caller_of(request), query.request(window))
        respond(response, FunnelView.of(query.flow_id, window, analysis))


class AnalyticsEvents:
    """GET /analytics/events."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @answers("list_events", list[EventView], errors=[ErrorCode.INVALID_PROJECT, ErrorCode.INVALID_FLOW])
    def on_get(self, request: falcon.Request, response: falcon.Response, query: EventListQuery) -> None:
        """List events, the newest first by their own time.

        Of all times, unless a `period` or `from` and `to` are given.
        """
        page, wanted = query.page_request(), query.filter(query.given_window(utc_now().date()))
        with self._database.consistent_read() as session:
            listed = list_events(session, caller_of(request), wanted, page)
        events = [EventView.model_validate(event) for event in listed.items]
        respond(response, events, pagination=Pagination.of(page, listed.total))
