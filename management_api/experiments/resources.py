"""Endpoints of experiments: list, item, start, pause, complete, results, and the explanation of a resolution."""

import falcon

from common.errors import ErrorCode
from common.wire.assignment_tokens import AssignmentTokens
from common.wire.public_bodies import ResolveBody
from management_api.auth.access import check_may_read, get_for_read
from management_api.auth.entity_tags import tag_of
from management_api.db.engine import ColumnReader, Database
from management_api.db.models.experiments import Experiment
from management_api.db.replica import ReplicaReader
from management_api.experiments.estimate import estimate_experiment
from management_api.experiments.explain import explain_resolution
from management_api.experiments.operations import (
    complete_experiment,
    create_experiment,
    delete_experiment,
    list_experiments,
    pause_experiment,
    read_experiment,
    start_experiment,
    update_experiment,
    users_by_experiment,
)
from management_api.experiments.results import experiment_results
from management_api.experiments.schemas import (
    EstimateQuery,
    EstimateView,
    ExperimentCompleteBody,
    ExperimentCreateBody,
    ExperimentListQuery,
    ExperimentPart,
    ExperimentResultsView,
    ExperimentUpdateBody,
    ExperimentView,
    ExplanationView,
    ListedExperimentView,
    ResultsQuery,
)
from management_api.http.idempotency import IdempotentWrites, part_access, project_access
from management_api.http.requests import EmptyBody, caller_of, if_match_of
from management_api.http.responses import Pagination, respond
from management_api.http.routing import endpoint
from management_api.projects.quotas import Quotas


class ExperimentCollection:
    """GET and POST /experiments."""

    def __init__(self, replica: ReplicaReader, quotas: Quotas, writes: IdempotentWrites) -> None:
        self._replica = replica
        self._quotas = quotas
        self._writes = writes

    @endpoint("list_experiments", list[ListedExperimentView], errors=[ErrorCode.INVALID_PROJECT])
    def on_get(
        self, request: falcon.Request, response: falcon.Response, reader: ColumnReader, query: ExperimentListQuery
    ) -> None:
        """List the experiments of a project."""
        listed = list_experiments(reader, caller_of(request), query)
        experiments = [ListedExperimentView.model_validate(experiment) for experiment in listed.items]
        if query.include is ExperimentPart.USERS:
            # The count of a large experiment takes seconds. The request must not hold two connections meanwhile.
            reader.close()
            users = self._replica.read(
                lambda session: check_may_read(session, caller_of(request), query.project_id),
                lambda session: users_by_experiment(session, query.project_id, listed.items),
            )
            experiments = [
                experiment.model_copy(update={"users": users.get(experiment.id, 0)}) for experiment in experiments
            ]
        respond(response, experiments, pagination=Pagination.for_page(listed.request, listed.total))

    @endpoint(
        "create_experiment",
        ExperimentView,
        status=201,
        errors=[ErrorCode.INVALID_PROJECT, ErrorCode.INVALID_FLOW, ErrorCode.CONFLICT],
    )
    def on_post(self, request: falcon.Request, response: falcon.Response, body: ExperimentCreateBody) -> None:
        """Create an experiment as a draft.

        The weights of its variants sum to 100, and exactly one of them is the control. The flow of a variant must be
        one of the project and not archived; the experiment serves it in every status.
        """
        with self._writes.idempotent_transaction(request, response, project_access(body.project_id)) as session:
            experiment = create_experiment(session, caller_of(request), body, self._quotas)
            respond(response, ExperimentView.model_validate(experiment), tag=tag_of(Experiment, experiment))


class ExperimentItem:
    """GET, PUT and DELETE /experiments/{experiment_id}."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @endpoint("get_experiment", ExperimentView, errors=[ErrorCode.NOT_FOUND])
    def on_get(
        self, request: falcon.Request, response: falcon.Response, reader: ColumnReader, experiment_id: str
    ) -> None:
        """Read an experiment."""
        experiment = read_experiment(reader, caller_of(request), experiment_id)
        respond(response, ExperimentView.model_validate(experiment), tag=tag_of(Experiment, experiment))

    @endpoint(
        "update_experiment", ExperimentView, errors=[ErrorCode.NOT_FOUND, ErrorCode.INVALID_FLOW, ErrorCode.CONFLICT]
    )
    def on_put(
        self, request: falcon.Request, response: falcon.Response, experiment_id: str, body: ExperimentUpdateBody
    ) -> None:
        """Update an experiment.

        Absent members stay as they are; `audience` and `variants` are replaced completely. Once started, an experiment
        keeps its `primary_event` and, but for names and weights, its variants (409 otherwise); other weights move the
        fewest devices. A completed one can only have another name and hypothesis. `reset_assignments` assigns
        every device again, once.
        """
        with self._database.transaction() as session:
            experiment = update_experiment(session, caller_of(request), experiment_id, body, if_match_of(request))
            respond(response, ExperimentView.model_validate(experiment), tag=tag_of(Experiment, experiment))

    @endpoint("delete_experiment", errors=[ErrorCode.NOT_FOUND, ErrorCode.CONFLICT])
    def on_delete(self, request: falcon.Request, response: falcon.Response, experiment_id: str) -> None:
        """Delete an experiment that is a draft or completed.

        A running or paused one must be completed first: 409.
        """
        with self._database.transaction() as session:
            delete_experiment(session, caller_of(request), experiment_id, if_match_of(request))
        respond(response, message="Experiment deleted")


_ERRORS = (ErrorCode.NOT_FOUND, ErrorCode.CONFLICT, ErrorCode.PRECONDITION_FAILED)


class ExperimentStart:
    """POST /experiments/{experiment_id}/start."""

    def __init__(self, quotas: Quotas, writes: IdempotentWrites) -> None:
        self._quotas = quotas
        self._writes = writes

    @endpoint("start_experiment", ExperimentView, errors=_ERRORS, body_is_optional=True)
    def on_post(self, request: falcon.Request, response: falcon.Response, experiment_id: str, body: EmptyBody) -> None:
        """Start an experiment that is a draft or paused.

        From now on devices of its audience and inside its traffic get the flows of its variants. The body may be left
        out.
        """
        del body  # It has no members.
        with self._writes.idempotent_transaction(request, response, part_access(Experiment, experiment_id)) as session:
            experiment = start_experiment(
                session, caller_of(request), experiment_id, self._quotas, if_match_of(request)
            )
            respond(response, ExperimentView.model_validate(experiment), tag=tag_of(Experiment, experiment))


class ExperimentPause:
    """POST /experiments/{experiment_id}/pause."""

    def __init__(self, writes: IdempotentWrites) -> None:
        self._writes = writes

    @endpoint("pause_experiment", ExperimentView, errors=_ERRORS, body_is_optional=True)
    def on_post(self, request: falcon.Request, response: falcon.Response, experiment_id: str, body: EmptyBody) -> None:
        """Pause a running experiment.

        No other device enters; a device that sends its assignment token keeps its variant. The body may be left out.
        """
        del body  # It has no members.
        with self._writes.idempotent_transaction(request, response, part_access(Experiment, experiment_id)) as session:
            experiment = pause_experiment(session, caller_of(request), experiment_id, if_match_of(request))
            respond(response, ExperimentView.model_validate(experiment), tag=tag_of(Experiment, experiment))


class ExperimentCompletion:
    """POST /experiments/{experiment_id}/complete."""

    def __init__(self, writes: IdempotentWrites) -> None:
        self._writes = writes

    @endpoint("complete_experiment", ExperimentView, errors=_ERRORS, body_is_optional=True)
    def on_post(
        self, request: falcon.Request, response: falcon.Response, experiment_id: str, body: ExperimentCompleteBody
    ) -> None:
        """Complete an experiment that is running or paused.

        With `winner`, the key of a variant, that variant's flow becomes the project's default flow, and active if it
        was a draft; an archived one is a 409. The body may be left out.
        """
        with self._writes.idempotent_transaction(request, response, part_access(Experiment, experiment_id)) as session:
            experiment = complete_experiment(
                session, caller_of(request), experiment_id, body.winner, if_match_of(request)
            )
            respond(response, ExperimentView.model_validate(experiment), tag=tag_of(Experiment, experiment))


class ExperimentResultsItem:
    """GET /experiments/{experiment_id}/results."""

    def __init__(self, reader: ReplicaReader) -> None:
        self._reader = reader

    @endpoint("get_experiment_results", ExperimentResultsView, errors=[ErrorCode.NOT_FOUND])
    def on_get(
        self, request: falcon.Request, response: falcon.Response, experiment_id: str, query: ResultsQuery
    ) -> None:
        """Read the results of an experiment so far.

        Users are counted from their exposure, conversions after it. `sequential_p_value` is valid at every look: the
        experiment may end as soon as it is below 0.05. `p_value` is valid for a single look at a time that was chosen
        beforehand. With `srm.mismatch` the results cannot be trusted.
        """
        caller = caller_of(request)
        results = self._reader.read(
            lambda session: get_for_read(session, caller, Experiment, experiment_id),
            lambda session: experiment_results(session, caller, experiment_id, query.include),
        )
        respond(response, results)


class ExperimentEstimate:
    """GET /experiments/estimate."""

    def __init__(self, reader: ReplicaReader) -> None:
        self._reader = reader

    @endpoint("estimate_experiment", EstimateView, errors=[ErrorCode.INVALID_PROJECT])
    def on_get(self, request: falcon.Request, response: falcon.Response, query: EstimateQuery) -> None:
        """Estimate how many users and days an experiment needs.

        By the users and the conversions of the project in the last 28 days, today included, and by the smallest lift
        that it should find. An audience with conditions has fewer users.
        """
        caller = caller_of(request)
        estimate = self._reader.read(
            lambda session: check_may_read(session, caller, query.project_id),
            lambda session: estimate_experiment(session, caller, query),
        )
        respond(response, estimate)


class ResolutionExplanation:
    """POST /projects/{project_id}/explain."""

    def __init__(self, writes: IdempotentWrites, tokens: AssignmentTokens) -> None:
        self._writes = writes
        self._tokens = tokens

    @endpoint("explain_resolution", ExplanationView, errors=[ErrorCode.INVALID_PROJECT])
    def on_post(self, request: falcon.Request, response: falcon.Response, project_id: str, body: ResolveBody) -> None:
        """Explain which flow a device gets.

        The body is that of a resolve. `steps` are the rules in the order of their evaluation, up to the one that
        matched, each with its reason; `flow_id` is null when no rule matched. The explanation is of the project's
        present state, which reaches the edges a moment later. Nothing is recorded.
        """
        # All rules must be of the same snapshot of the database.
        with self._writes.idempotent_read(request, response, project_access(project_id)) as session:
            respond(response, explain_resolution(session, caller_of(request), project_id, body, self._tokens))
