"""Experiments of a project: list, create, read, change, delete, start, pause, complete (contract, section 5)."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, TypedDict

from sqlalchemy import Row, Select, bindparam, select
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import InstrumentedAttribute

from common.errors import ConflictError, Detail, InvalidRequestError
from common.ids import IdPrefix, new_id
from common.rules.conditions import Condition
from common.timestamps import utc_now
from management_api.auth.access import (
    EXPERIMENT,
    Caller,
    check_may_read,
    part_to_change,
    part_to_read,
    project_to_change,
)
from management_api.db.audited_rows import add_row, change_row, remove_row
from management_api.db.models.experiments import ACTIVE, Experiment, ExperimentStatus
from management_api.db.models.flows import Flow, FlowStatus
from management_api.db.prepared import Prepared
from management_api.experiments.variants import (
    StoredVariant,
    Variant,
    check_flows,
    check_flows_can_serve,
    first_allocation,
    reset_allocation,
    variants_of,
    with_new_weights,
)
from management_api.flows.operations import DefaultFlow, set_default
from management_api.flows.targeting import stored_conditions
from management_api.http.etags import Precondition
from management_api.http.pagination import PageOf, PageRequest, equal_to, read_page
from management_api.projects.quotas import Limits, check_room_for_experiment, check_room_for_experiment_under_way

SORTABLE: dict[str, InstrumentedAttribute[Any]] = {
    "created_at": Experiment.created_at, "updated_at": Experiment.updated_at, "name": Experiment.name,
}  # fmt: skip
_LISTED: Select[*tuple[Any, ...]] = select(
    *(column for column in Experiment.__table__.columns if column.name not in {"salt_version", "reallocated_at"})
).where(Experiment.project_id == bindparam("project_id"))
_HAS_STATUS = equal_to(Experiment.status, "status")

#: What a completed experiment keeps, because its results were read by it.
_SETTLED = ("conditions", "traffic_buckets", "variants", "primary_event")


@dataclass(frozen=True, slots=True)
class NewExperiment:
    """What an experiment is made of. `traffic_buckets` is the percentage x 100."""

    name: str
    hypothesis: str | None
    conditions: tuple[Condition, ...]
    traffic_buckets: int
    variants: tuple[Variant, ...]
    primary_event: str


class ExperimentChanges(TypedDict, total=False):
    """What a PUT changes; an absent member stays as it is. `reset_assignments` assigns every device anew, once."""

    name: str
    hypothesis: str | None
    conditions: tuple[Condition, ...]
    traffic_buckets: int
    variants: tuple[Variant, ...]
    primary_event: str
    reset_assignments: bool


def list_experiments(
    session: Session, caller: Caller, project_id: str, status: ExperimentStatus | None, page: PageRequest
) -> PageOf[*tuple[Any, ...]]:
    """Give a page of the project's experiments. Raises ProjectNotFoundError, ForbiddenError."""
    check_may_read(session, caller, project_id)
    values, filters = {"project_id": project_id}, {_HAS_STATUS: status and status.value}
    return read_page(session, _LISTED, page, values, filters=filters, sortable=SORTABLE, tie_breaker=Experiment.id)


def create_experiment(
    session: Session, caller: Caller, project_id: str, new: NewExperiment, limits: Limits
) -> Row[Any]:
    """Draft an experiment.

    Raises ProjectNotFoundError, ForbiddenError, FlowNotFoundError (a variant's), InvalidRequestError, ConflictError.
    """
    project_to_change(session, caller, project_id)
    check_room_for_experiment(session, limits, project_id)
    check_flows(session, project_id, new.variants)
    return add_row(
        session,
        Experiment,
        {
            "id": new_id(IdPrefix.EXPERIMENT),
            "project_id": project_id,
            "name": new.name,
            "hypothesis": new.hypothesis,
            "status": ExperimentStatus.DRAFT.value,
            "conditions": stored_conditions(new.conditions),
            "traffic_buckets": new.traffic_buckets,
            "variants": first_allocation(new.variants),
            "primary_event": new.primary_event,
            "winner": None,
            "salt_version": 1,
        },
    )


def read_experiment(session: Session, caller: Caller, experiment_id: str) -> Row[*tuple[Any, ...]]:
    """Give one experiment. Raises NotFoundError, ForbiddenError."""
    return part_to_read(session, caller, EXPERIMENT, experiment_id)


def update_experiment(
    session: Session, caller: Caller, experiment_id: str, changes: ExperimentChanges, if_match: Precondition
) -> Row[Any]:
    """Change an experiment as far as its status allows; what is sent back as it was read changes nothing.

    Raises NotFoundError, ForbiddenError, PreconditionFailedError, FlowNotFoundError, InvalidRequestError,
    ConflictError.
    """
    experiment = part_to_change(session, caller, EXPERIMENT, experiment_id, if_match=if_match)
    columns = _columns(changes)
    if "variants" in changes:
        columns["variants"] = _changed_variants(session, experiment, changes["variants"])
    if changes.get("reset_assignments"):
        columns["variants"] = reset_allocation(columns.get("variants", experiment.variants))
        columns["salt_version"] = experiment.salt_version + 1
    columns = {name: value for name, value in columns.items() if value != getattr(experiment, name)}
    _check_status_allows(experiment, columns)
    if experiment.status in ACTIVE and _moves_devices(experiment, columns):
        columns["reallocated_at"] = utc_now()
    return change_row(session, Experiment, experiment, columns) or experiment


def delete_experiment(session: Session, caller: Caller, experiment_id: str, if_match: Precondition) -> None:
    """Delete a draft or a completed experiment.

    Raises NotFoundError, ForbiddenError, PreconditionFailedError, ConflictError.
    """
    experiment = part_to_change(session, caller, EXPERIMENT, experiment_id, if_match=if_match)
    if experiment.status in ACTIVE:
        raise ConflictError("An experiment that is under way must be completed before it is deleted")
    remove_row(session, Experiment, experiment)


def _columns(changes: ExperimentChanges) -> dict[str, Any]:
    columns: dict[str, Any] = {
        name: changes[name] for name in ("name", "hypothesis", "traffic_buckets", "primary_event") if name in changes
    }
    if "conditions" in changes:
        columns["conditions"] = stored_conditions(changes["conditions"])
    return columns


def _changed_variants(session: Session, experiment: Row[Any], variants: tuple[Variant, ...]) -> list[StoredVariant]:
    if variants == variants_of(experiment.variants):
        present: list[StoredVariant] = experiment.variants
        return present
    if experiment.status != ExperimentStatus.DRAFT:
        return with_new_weights(experiment.variants, variants)
    check_flows(session, experiment.project_id, variants)
    return first_allocation(variants)


def _moves_devices(experiment: Row[Any], columns: dict[str, Any]) -> bool:
    """Say whether a device may be given another variant than before, or another share of those who are new."""
    if "salt_version" in columns:
        return True
    return _ranges(columns.get("variants", experiment.variants)) != _ranges(experiment.variants)


def _ranges(variants: list[StoredVariant]) -> dict[str, Any]:
    return {variant["key"]: variant["ranges"] for variant in variants}


def _check_status_allows(experiment: Row[Any], columns: dict[str, Any]) -> None:
    if experiment.status == ExperimentStatus.COMPLETED and columns.keys() & {*_SETTLED, "salt_version"}:
        raise ConflictError("A completed experiment can only be renamed and described anew")
    if experiment.status in ACTIVE and "primary_event" in columns:
        raise ConflictError("Once started, an experiment keeps its primary_event")


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
    _check_status(experiment, ACTIVE, "completed")
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
