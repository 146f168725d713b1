"""The statistics of a project."""

import falcon

from common.errors import ErrorCode
from common.timestamps import utc_now
from management_api.database.analytics_reads import AnalyticsReads
from management_api.operations.periods import Window
from management_api.operations.project_access import check_may_read
from management_api.operations.statistics import project_statistics
from management_api.resources.declaration import answers
from management_api.resources.exchange import caller_of, respond
from management_api.schemas.statistics import StatisticsQuery, StatisticsView


class ProjectStatistics:
    """GET /projects/{project_id}/stats."""

    def __init__(self, reads: AnalyticsReads) -> None:
        self._reads = reads

    @answers("get_project_statistics", StatisticsView, errors=[ErrorCode.INVALID_PROJECT])
    def on_get(
        self, request: falcon.Request, response: falcon.Response, project_id: str, query: StatisticsQuery
    ) -> None:
        """Read the statistics of a project over a period that ends today, in UTC days."""
        window = Window.of(query.period, utc_now().date())
        caller = caller_of(request)
        statistics = self._reads.read(
            lambda reading: check_may_read(reading, caller, project_id),
            lambda session: project_statistics(session, caller, project_id, window),
        )
        respond(response, StatisticsView.model_validate(statistics))
