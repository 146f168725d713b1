"""What an experiment has shown so far."""

import falcon

from common.errors import ErrorCode
from management_api.database.analytics_reads import AnalyticsReads
from management_api.operations.experiment_results import experiment_results
from management_api.operations.project_parts import EXPERIMENT, part_to_read
from management_api.resources.declaration import answers
from management_api.resources.exchange import caller_of, respond
from management_api.schemas.experiment_results import ExperimentResultsView


class ExperimentResultsItem:
    """GET /experiments/{experiment_id}/results."""

    def __init__(self, reads: AnalyticsReads) -> None:
        self._reads = reads

    @answers("get_experiment_results", ExperimentResultsView, errors=[ErrorCode.NOT_FOUND])
    def on_get(self, request: falcon.Request, response: falcon.Response, experiment_id: str) -> None:
        """Read what an experiment has shown so far.

        Users are counted from their exposure, conversions after it. It may be looked at as often as anybody likes, and
        the experiment ended as soon as a `sequential_p_value` is below 0.05; `p_value` is right only for a single look
        at a moment that was chosen beforehand. With `srm.mismatch` no figure here can be trusted.
        """
        caller = caller_of(request)
        results = self._reads.read(
            lambda reading: part_to_read(reading, caller, EXPERIMENT, experiment_id),
            lambda session: experiment_results(session, caller, experiment_id),
        )
        respond(response, ExperimentResultsView.of(results))
