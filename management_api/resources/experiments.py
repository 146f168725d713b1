"""Experiments: those of a project, and one by its id."""

import falcon

from common.errors import ErrorCode
from management_api.database.transactions import Database
from management_api.operations.entity_tags import experiment_tag
from management_api.operations.experiments import (
    create_experiment,
    delete_experiment,
    list_experiments,
    read_experiment,
    update_experiment,
)
from management_api.operations.limits import Limits
from management_api.resources.declaration import answers
from management_api.resources.exchange import caller_of, if_match_of, respond
from management_api.resources.writes import Writes, project_access
from management_api.schemas.envelope import Pagination
from management_api.schemas.experiments import (
    ExperimentCreateBody,
    ExperimentListQuery,
    ExperimentUpdateBody,
    ExperimentView,
)


class ExperimentCollection:
    """GET and POST /experiments."""

    def __init__(self, database: Database, limits: Limits, writes: Writes) -> None:
        self._database = database
        self._limits = limits
        self._writes = writes

    @answers("list_experiments", list[ExperimentView], errors=[ErrorCode.INVALID_PROJECT])
    def on_get(self, request: falcon.Request, response: falcon.Response, query: ExperimentListQuery) -> None:
        """List the experiments of a project."""
        page = query.page_request()
        with self._database.reading() as session:
            listed = list_experiments(session, caller_of(request), query.project_id, query.status, page)
        experiments = [ExperimentView.of(experiment) for experiment in listed.items]
        respond(response, experiments, pagination=Pagination.of(page, listed.total))

    @answers(
        "create_experiment",
        ExperimentView,
        status=201,
        errors=[ErrorCode.INVALID_PROJECT, ErrorCode.INVALID_FLOW, ErrorCode.CONFLICT],
    )
    def on_post(self, request: falcon.Request, response: falcon.Response, body: ExperimentCreateBody) -> None:
        """Draft an experiment.

        The weights of its variants sum to 100, and exactly one of them is the control. A variant's flow must be one of
        the project's and not archived; whatever its status, the experiment gives it to devices.
        """
        with self._writes.begin(request, response, project_access(body.project_id)) as session:
            new = body.new_experiment()
            experiment = create_experiment(session, caller_of(request), body.project_id, new, self._limits)
            respond(response, ExperimentView.of(experiment), tag=experiment_tag(experiment))


class ExperimentItem:
    """GET, PUT and DELETE /experiments/{experiment_id}."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @answers("get_experiment", ExperimentView, errors=[ErrorCode.NOT_FOUND])
    def on_get(self, request: falcon.Request, response: falcon.Response, experiment_id: str) -> None:
        """Read an experiment."""
        with self._database.reading() as session:
            experiment = read_experiment(session, caller_of(request), experiment_id)
            respond(response, ExperimentView.of(experiment), tag=experiment_tag(experiment))

    @answers(
        "update_experiment", ExperimentView, errors=[ErrorCode.NOT_FOUND, ErrorCode.INVALID_FLOW, ErrorCode.CONFLICT]
    )
    def on_put(
        self, request: falcon.Request, response: falcon.Response, experiment_id: str, body: ExperimentUpdateBody
    ) -> None:
        """Change an experiment.

        What is left out stays as it is; `audience` and `variants` are replaced as a whole. Once started, an experiment
        keeps its `primary_event` and, but for names and weights, its variants (409 otherwise); other weights move the
        fewest devices. A completed one can only be renamed and given another hypothesis. `reset_assignments` assigns
        every device anew, once.
        """
        with self._database.transaction() as session:
            experiment = update_experiment(
                session, caller_of(request), experiment_id, body.changes(), if_match_of(request)
            )
            respond(response, ExperimentView.of(experiment), tag=experiment_tag(experiment))

    @answers("delete_experiment", errors=[ErrorCode.NOT_FOUND, ErrorCode.CONFLICT])
    def on_delete(self, request: falcon.Request, response: falcon.Response, experiment_id: str) -> None:
        """Delete an experiment that is a draft or completed; one under way must be completed first: 409."""
        with self._database.transaction() as session:
            delete_experiment(session, caller_of(request), experiment_id, if_match_of(request))
        respond(response, message="Experiment deleted")
