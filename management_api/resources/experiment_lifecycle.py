"""What is done with an experiment: it is started, paused, completed."""

import falcon

from common.errors import ErrorCode
from management_api.operations.entity_tags import experiment_tag
from management_api.operations.experiment_lifecycle import complete_experiment, pause_experiment, start_experiment
from management_api.operations.limits import Limits
from management_api.operations.project_parts import EXPERIMENT
from management_api.resources.declaration import answers
from management_api.resources.exchange import caller_of, respond
from management_api.resources.writes import Writes, part_access
from management_api.schemas.experiments import ExperimentActionBody, ExperimentCompleteBody, ExperimentView

_ERRORS = (ErrorCode.NOT_FOUND, ErrorCode.CONFLICT)


class ExperimentStart:
    """POST /experiments/{experiment_id}/start."""

    def __init__(self, limits: Limits, writes: Writes) -> None:
        self._limits = limits
        self._writes = writes

    @answers("start_experiment", ExperimentView, errors=_ERRORS, body_is_optional=True)
    def on_post(
        self, request: falcon.Request, response: falcon.Response, experiment_id: str, body: ExperimentActionBody
    ) -> None:
        """Start an experiment that is a draft or paused.

        From now on devices of its audience and inside its traffic are given the flows of its variants. The body may be
        left out.
        """
        del body  # It has no members; that it has none has been checked.
        with self._writes.begin(request, response, part_access(EXPERIMENT, experiment_id)) as session:
            experiment = start_experiment(session, caller_of(request), experiment_id, self._limits)
            respond(response, ExperimentView.of(experiment), tag=experiment_tag(experiment))


class ExperimentPause:
    """POST /experiments/{experiment_id}/pause."""

    def __init__(self, writes: Writes) -> None:
        self._writes = writes

    @answers("pause_experiment", ExperimentView, errors=_ERRORS, body_is_optional=True)
    def on_post(
        self, request: falcon.Request, response: falcon.Response, experiment_id: str, body: ExperimentActionBody
    ) -> None:
        """Pause a running experiment.

        Nobody new enters; a device that sends its assignment token keeps its variant. The body may be left out.
        """
        del body  # As above.
        with self._writes.begin(request, response, part_access(EXPERIMENT, experiment_id)) as session:
            experiment = pause_experiment(session, caller_of(request), experiment_id)
            respond(response, ExperimentView.of(experiment), tag=experiment_tag(experiment))


class ExperimentCompletion:
    """POST /experiments/{experiment_id}/complete."""

    def __init__(self, writes: Writes) -> None:
        self._writes = writes

    @answers("complete_experiment", ExperimentView, errors=_ERRORS, body_is_optional=True)
    def on_post(
        self, request: falcon.Request, response: falcon.Response, experiment_id: str, body: ExperimentCompleteBody
    ) -> None:
        """End an experiment that is running or paused.

        With `winner`, the key of a variant, that variant's flow becomes the project's default flow, and active if it
        was a draft; an archived one is refused. The body may be left out.
        """
        with self._writes.begin(request, response, part_access(EXPERIMENT, experiment_id)) as session:
            experiment = complete_experiment(session, caller_of(request), experiment_id, body.winner)
            respond(response, ExperimentView.of(experiment), tag=experiment_tag(experiment))
