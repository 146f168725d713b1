"""The life of an experiment: draft, running, paused, running again, completed (contract, section 5)."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Row, bindparam, select
from sqlalchemy.orm import Session

from common.errors import ConflictError, Detail, InvalidRequestError
from common.timestamps import utc_now
from management_api.database.audited_rows import change_row
from management_api.database.experiments import UNDER_WAY, Experiment, ExperimentStatus
from management_api.database.flows import Flow, FlowStatus
from management_api.database.prepared import Prepared
from management_api.operations.callers import Caller
from management_api.operations.flows import DefaultFlow, set_default
from management_api.operations.limits import Limits, check_room_for_experiment_under_way
from management_api.operations.project_parts import EXPERIMENT, part_to_change
from management_api.operations.variants import check_flows_can_serve

_FLOW = Prepared(select(*Flow.__table__.columns).where(Flow.id == bindparam("flow_id")))


def start_experiment(session: Session, caller: Caller, experiment_id: str, limits: Limits) -> Row[Any]:
    """Start a draft, or what was paused; the moment of the first start stays.

    Raises NotFoundError, ForbiddenError, ConflictError.
    """
    experiment = part_to_change(session, caller, EXPERIMENT, experiment_id)
    _check_status(experiment, (ExperimentStatus.DRAFT, ExperimentStatus.PAUSED), "started")
    if experiment.status == ExperimentStatus.PAUSED:
        return _changed(session, experiment, status=ExperimentStatus.RUNNING)
    check_room_for_experiment_under_way(session, limits, experiment.project_id)
    check_flows_can_serve(session, experiment)
    return _changed(session, experiment, status=ExperimentStatus.RUNNING, started_at=utc_now())


def pause_experiment(session: Session, caller: Caller, experiment_id: str) -> Row[Any]:
    """Let nobody new into a running experiment. Raises NotFoundError, ForbiddenError, ConflictError."""
    experiment = part_to_change(session, caller, EXPERIMENT, experiment_id)
    _check_status(experiment, (ExperimentStatus.RUNNING,), "paused")
    return _changed(session, experiment, status=ExperimentStatus.PAUSED)


def complete_experiment(session: Session, caller: Caller, experiment_id: str, winner: str | None) -> Row[Any]:
    """End an experiment; the flow of the winner, if one is named, becomes the project's default.

    A draft flow is made active by that, or nobody would be given it. Raises NotFoundError, ForbiddenError,
    InvalidRequestError (no such variant), ConflictError.
    """
    experiment = part_to_change(session, caller, EXPERIMENT, experiment_id)
    _check_status(experiment, UNDER_WAY, "completed")
    if winner is not None:
        _promote(session, experiment, winner)
    return _changed(session, experiment, status=ExperimentStatus.COMPLETED, winner=winner, ended_at=utc_now())


def _check_status(experiment: Row[Any], wanted: Collection[ExperimentStatus], verb: str) -> None:
    if experiment.status not in wanted:
        raise ConflictError(f"An experiment that is {experiment.status} cannot be {verb}")


def _changed(session: Session, experiment: Row[Any], *, status: ExperimentStatus, **columns: object) -> Row[Any]:
    return change_row(session, Experiment, experiment, {"status": status.value, **columns}) or experiment


def _promote(session: Session, experiment: Row[Any], winner: str) -> None:
    flow_id = next((variant["flow_id"] for variant in experiment.variants if variant["key"] == winner), None)
    if flow_id is None:
        raise InvalidRequestError([Detail.invalid("winner", "must be the key of a variant")])
    [flow] = _FLOW.rows(session, {"flow_id": flow_id})
    if flow.status == FlowStatus.ARCHIVED:
        raise ConflictError("The winner's flow is archived")
    change_row(session, Flow, flow, {"status": FlowStatus.ACTIVE.value})
    set_default(session, DefaultFlow(experiment.project_id, experiment.default_flow_id), flow_id)
