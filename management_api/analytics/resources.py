"""Analytics of a project: counts, funnels, events, statistics, the erasure of a device and the export of its data."""

import falcon

from common.errors import ErrorCode, MalformedBodyError
from common.timestamps import utc_now
from management_api.analytics.breakdown import analyse
from management_api.analytics.dates import DateRange
from management_api.analytics.device_export import export_device, record_device_export
from management_api.analytics.erasure import begin_device_erasure
from management_api.analytics.event_table import events_table
from management_api.analytics.events import list_events
from management_api.analytics.funnel import analyse_funnel
from management_api.analytics.named_devices import places_that_name
from management_api.analytics.paths import analyse_paths
from management_api.analytics.project_statistics import project_statistics
from management_api.analytics.responses import CSV_COLUMNS, read_responses, responses_table
from management_api.analytics.schemas import (
    COLUMN_OF_GROUP,
    AnalyticsQuery,
    AnalyticsView,
    DeviceDataView,
    DeviceExportQuery,
    EventListQuery,
    EventView,
    FunnelQuery,
    FunnelView,
    PathsQuery,
    PathsView,
    ResponsesQuery,
    ResponsesView,
)
from management_api.analytics.statistics_schemas import StatisticsQuery, StatisticsView
from management_api.auth.access import check_may_read, get_for_read
from management_api.db.audit import set_audit_actor
from management_api.db.engine import Database
from management_api.db.models.flows import Flow
from management_api.db.replica import ReplicaReader
from management_api.http.requests import caller_of, if_match_of
from management_api.http.responses import MEDIA_CSV, Pagination, csv_table, prefers_csv, respond, respond_with_csv
from management_api.http.routing import endpoint


class AnalyticsBreakdown:
    """GET /analytics."""

    def __init__(self, reader: ReplicaReader) -> None:
        self._reader = reader

    @endpoint(
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
        dates = query.dates(utc_now().date())
        caller = caller_of(request)
        view = self._reader.read(
            lambda session: check_may_read(session, caller, query.project_id),
            lambda session: analyse(session, caller, query, dates),
        )
        response.append_header("Vary", "Accept")
        if prefers_csv(request):
            table = csv_table((COLUMN_OF_GROUP[query.group_by], "events", "users"), view.rows)
            respond_with_csv(
                response, table, f"analytics_{query.project_id}_{query.group_by}_{view.first}_{view.to}.csv"
            )
        else:
            respond(response, view)


class AnalyticsFunnel:
    """GET /analytics/funnel."""

    def __init__(self, reader: ReplicaReader) -> None:
        self._reader = reader

    @endpoint("get_funnel", FunnelView, errors=[ErrorCode.INVALID_FLOW, ErrorCode.NOT_FOUND])
    def on_get(self, request: falcon.Request, response: falcon.Response, query: FunnelQuery) -> None:
        """Read the funnel of a flow.

        How many users started and completed the flow and each of its screens in the period, which is given as for
        GET /analytics. With `experimentId` only events of that experiment count, and `variants` has a funnel for each.
        """
        dates = query.dates(utc_now().date())
        caller = caller_of(request)
        funnel = self._reader.read(
            lambda session: get_for_read(session, caller, Flow, query.flow_id),
            lambda session: analyse_funnel(session, caller, query, dates),
        )
        respond(response, funnel)


class AnalyticsPaths:
    """GET /analytics/paths."""

    def __init__(self, reader: ReplicaReader) -> None:
        self._reader = reader

    @endpoint("get_paths", PathsView, errors=[ErrorCode.INVALID_FLOW, ErrorCode.NOT_FOUND])
    def on_get(self, request: falcon.Request, response: falcon.Response, query: PathsQuery) -> None:
        """Read the paths of users through a flow.

        How many users went from which screen to which other one, by which rule, and where they completed the flow or
        left it. The period is given as for GET /analytics. With `experimentId` only events of that experiment count,
        with `variant` those of one of its variants. Views of older SDKs, which name no screen before, add no link.
        """
        dates = query.dates(utc_now().date())
        caller = caller_of(request)
        paths = self._reader.read(
            lambda session: get_for_read(session, caller, Flow, query.flow_id),
            lambda session: analyse_paths(session, caller, query, dates),
        )
        respond(response, paths)


class AnalyticsResponses:
    """GET /analytics/responses."""

    def __init__(self, reader: ReplicaReader) -> None:
        self._reader = reader

    @endpoint(
        "get_responses",
        ResponsesView,
        errors=[ErrorCode.INVALID_FLOW, ErrorCode.NOT_FOUND],
        other_media_types=[MEDIA_CSV],
    )
    def on_get(self, request: falcon.Request, response: falcon.Response, query: ResponsesQuery) -> None:
        """Read the answers to the questions of a flow.

        Hosted pages report them where the project's setting `record_answers` is on. The period is given as for
        GET /analytics. If a device answers a question twice in one session, the newest answer counts.

        With `Accept: text/csv` the response has a row for each value, text or set of numbers.
        """
        dates = query.dates(utc_now().date())
        caller = caller_of(request)
        view = self._reader.read(
            lambda session: get_for_read(session, caller, Flow, query.flow_id),
            lambda session: read_responses(session, caller, query, dates),
        )
        response.append_header("Vary", "Accept")
        if prefers_csv(request):
            table = csv_table(CSV_COLUMNS, responses_table(view))
            respond_with_csv(response, table, f"responses_{view.flow_id}_{view.first}_{view.to}.csv")
        else:
            respond(response, view)


class AnalyticsEvents:
    """GET /analytics/events."""

    def __init__(self, reader: ReplicaReader) -> None:
        self._reader = reader

    @endpoint(
        "list_events",
        list[EventView],
        errors=[ErrorCode.INVALID_PROJECT, ErrorCode.INVALID_FLOW, ErrorCode.NOT_FOUND],
        other_media_types=[MEDIA_CSV],
    )
    def on_get(self, request: falcon.Request, response: falcon.Response, query: EventListQuery) -> None:
        """List events, the newest first by their own time.

        Of all times, unless a `period` or `from` and `to` are given. One request reads at most 500,000 events. If a
        page of a busy day ends early for that, `next` in `pagination` is the `cursor` of the rest; a page that lies
        behind more events is a 400. With `Accept: text/csv` the response has the first 10,000 events, or the first
        16 MiB of them, regardless of `page` and `limit`; `properties` are JSON.
        """
        dates = query.requested_dates(utc_now().date())
        caller = caller_of(request)
        response.append_header("Vary", "Accept")
        read = events_table if prefers_csv(request) else list_events
        listed = self._reader.read(
            lambda session: check_may_read(session, caller, query.project_id),
            lambda session: read(session, caller, query, dates),
        )
        if isinstance(listed, bytes):
            respond_with_csv(response, listed, f"events_{query.project_id}.csv")
        else:
            events = [EventView.model_validate(event) for event in listed.page.items]
            pagination = Pagination.for_page(listed.page.request, listed.page.total, listed.next)
            respond(response, events, pagination=pagination)


class ProjectStatistics:
    """GET /projects/{project_id}/stats."""

    def __init__(self, reader: ReplicaReader) -> None:
        self._reader = reader

    @endpoint("get_project_statistics", StatisticsView, errors=[ErrorCode.INVALID_PROJECT])
    def on_get(
        self, request: falcon.Request, response: falcon.Response, project_id: str, query: StatisticsQuery
    ) -> None:
        """Read the statistics of a project over a period that ends today, in UTC days."""
        dates = DateRange.from_period(query.period, utc_now().date())
        caller = caller_of(request)
        statistics = self._reader.read(
            lambda session: check_may_read(session, caller, project_id),
            lambda session: project_statistics(session, caller, project_id, dates, query.include),
        )
        respond(response, statistics)


class ProjectDevice:
    """DELETE /projects/{project_id}/devices/{device_id}."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @endpoint("erase_device", errors=[ErrorCode.INVALID_PROJECT, ErrorCode.INVALID_PARAMETER])
    def on_delete(self, request: falcon.Request, response: falcon.Response, project_id: str, device_id: str) -> None:
        """Erase a device.

        Its events, exposures, statistics and QA override go, for good: assignments at once, events and statistics in
        the background, within minutes in a large project. The id stands percent-encoded in the path, a slash in it as
        `%2F`. A device that nothing is known of counts as erased, so this may be repeated. What the device sends
        afterwards is new. Conditions that name the device stay, and so do former versions and audit entries with them;
        the message lists flows and experiments with such a condition.
        """
        _check_encoding(request)
        device = device_id.strip()
        with self._database.transaction() as session:
            begin_device_erasure(session, caller_of(request), project_id, device, if_match_of(request))
        with self._database.reading() as session:
            places = ", ".join(places_that_name(session, project_id, device))
        respond(response, message="Device erased" + (f"; conditions still name it: {places}" if places else ""))


class DeviceExport:
    """GET /projects/{project_id}/devices/{device_id}/export."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @endpoint("export_device", DeviceDataView, errors=[ErrorCode.INVALID_PROJECT, ErrorCode.INVALID_PARAMETER])
    def on_get(
        self,
        request: falcon.Request,
        response: falcon.Response,
        project_id: str,
        device_id: str,
        query: DeviceExportQuery,
    ) -> None:
        """Read all data of a device, page by page.

        Its events in the order of their own time, then its dead letters; on the first page also its exposures, its QA
        override, and the flows and experiments with a condition that names it. Ask with `next` as `cursor` until `next`
        is null. A page has at most 10,000 events and dead letters, and one request reads at most 500,000 events of the
        project, so a page may be empty and have a `next`. Data that waits for its erasure is left out. The id stands in
        the path as for the erasure. The audit log has `device.export` with a digest of the id, at most once in an hour
        for each user and device.
        """
        _check_encoding(request)
        device, caller = device_id.strip(), caller_of(request)
        with self._database.transaction() as session:
            check_may_read(session, caller, project_id)
            set_audit_actor(session, caller.user_id)
            record_device_export(session, project_id, device, caller.user_id)
        # The primary is read, because a replica may still have a device that was erased a moment ago.
        with self._database.repeatable_read() as session:
            respond(response, export_device(session, project_id, device, query.cursor))


def _check_encoding(request: falcon.Request) -> None:
    """Raise MalformedBodyError for a path that is not UTF-8.

    Falcon puts a replacement character there, which could be the id of another device.
    """
    raw: str = request.env["PATH_INFO"]
    try:
        raw.encode("latin-1").decode()
    except UnicodeDecodeError:
        raise MalformedBodyError("The path must be percent-encoded UTF-8") from None
