"""The analytics of a project: counts, the funnel of a flow, and the events themselves."""

import falcon

from common.errors import ErrorCode
from common.timestamps import utc_now
from management_api.database.analytics_reads import AnalyticsReads
from management_api.operations.analytics import analyse
from management_api.operations.funnels import analyse_funnel
from management_api.operations.project_access import check_may_read
from management_api.operations.project_parts import FLOW, part_to_read
from management_api.operations.raw_events import list_events
from management_api.resources.declaration import answers
from management_api.resources.exchange import MEDIA_CSV, caller_of, prefers_csv, respond, respond_with_csv
from management_api.schemas.analytics import KEY_OF, AnalyticsView, EventView, FunnelView
from management_api.schemas.csv_tables import csv_table
from management_api.schemas.envelope import Pagination
from management_api.schemas.event_queries import AnalyticsQuery, EventListQuery, FunnelQuery


class AnalyticsBreakdown:
    """GET /analytics."""

    def __init__(self, reads: AnalyticsReads) -> None:
        self._reads = reads

    @answers(
        "get_analytics",
        AnalyticsView,
        errors=[ErrorCode.INVALID_PROJECT, ErrorCode.INVALID_FLOW, ErrorCode.NOT_FOUND],
        other_media_types=[MEDIA_CSV],
    )
    def on_get(self, request: falcon.Request, response: falcon.Response, query: AnalyticsQuery) -> None:
        """Count events and users.

        Over a `period` that ends today (default `7d`) or from the day `from` to the day `to`, both included, in UTC
        and by the events' own time. Rows are broken down by `group_by`: days ascending with zeros, anything else by
        events descending, at most 1000 rows. A user is a distinct device; null stands for events that do not say.

        With `Accept: text/csv` the response has the rows alone, as CSV with a header, and `Content-Disposition` names a
        file. A text that a spreadsheet would compute has a quote before it.
        """
        window = query.window(utc_now().date())
        caller = caller_of(request)
        analytics = self._reads.read(
            lambda reading: check_may_read(reading, caller, query.project_id),
            lambda session: analyse(session, caller, query.filter(window), window, query.group_by),
        )
        view = AnalyticsView.of(query.project_id, window, query.group_by, analytics)
        response.append_header("Vary", "Accept")
        if prefers_csv(request):
            table = csv_table((KEY_OF[query.group_by], "events", "users"), view.rows)
            respond_with_csv(
                response, table, f"analytics_{query.project_id}_{query.group_by}_{view.first}_{view.to}.csv"
            )
        else:
            respond(response, view)


class AnalyticsFunnel:
    """GET /analytics/funnel."""

    def __init__(self, reads: AnalyticsReads) -> None:
        self._reads = reads

    @answers("get_funnel", FunnelView, errors=[ErrorCode.INVALID_FLOW, ErrorCode.NOT_FOUND])
    def on_get(self, request: falcon.Request, response: falcon.Response, query: FunnelQuery) -> None:
        """Read the funnel of a flow.

        How many users started and completed the flow and each of its screens in the period, which is given as for
        GET /analytics. With `experimentId` only events of that experiment count, and `variants` has a funnel for each.
        """
        window = query.window(utc_now().date())
        caller = caller_of(request)
        analysis = self._reads.read(
            lambda reading: part_to_read(reading, caller, FLOW, query.flow_id),
            lambda session: analyse_funnel(session, caller, query.request(window)),
        )
        respond(response, FunnelView.of(query.flow_id, window, analysis))


class AnalyticsEvents:
    """GET /analytics/events."""

    def __init__(self, reads: AnalyticsReads) -> None:
        self._reads = reads

    @answers(
        "list_events",
        list[EventView],
        errors=[ErrorCode.INVALID_PROJECT, ErrorCode.INVALID_FLOW, ErrorCode.NOT_FOUND],
    )
    def on_get(self, request: falcon.Request, response: falcon.Response, query: EventListQuery) -> None:
        """List events, the newest first by their own time.

        Of all times, unless a `period` or `from` and `to` are given.
        """
        page, wanted = query.page_request(), query.filter(query.given_window(utc_now().date()))
        caller = caller_of(request)
        listed = self._reads.read(
            lambda reading: check_may_read(reading, caller, wanted.project_id),
            lambda session: list_events(session, caller, wanted, page),
        )
        events = [EventView.model_validate(event) for event in listed.items]
        respond(response, events, pagination=Pagination.of(page, listed.total))
