"""Experiments of a project: list, create, read, update, delete, start, pause, complete (contract, section 5)."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, bindparam, func, inspect, select
from sqlalchemy.orm import Session

from common.errors import ConflictError, Detail, InvalidRequestError
from common.ids import IdPrefix, new_id
from common.timestamps import utc_now
from management_api.auth.access import Caller, get_for_read, get_for_update, project_for_update
from management_api.auth.entity_tags import Precondition
from management_api.auth.lists import Page, PagedSelect, contains, unless_large
from management_api.db.engine import Reader
from management_api.db.models.analytics import Exposure
from management_api.db.models.base import flush_and_refresh
from management_api.db.models.experiments import ACTIVE, Experiment, ExperimentCount, ExperimentStatus
from management_api.db.models.flows import Flow, FlowStatus
from management_api.db.models.projects import Project
from management_api.experiments.schemas import ExperimentCreateBody, ExperimentListQuery, ExperimentUpdateBody
from management_api.experiments.variants import (
    StoredVariant,
    allocate_variants,
    check_flows,
    check_flows_can_serve,
    ranges_by_key,
    reallocate_variants,
    without_ranges,
)
from management_api.flows.targeting import buckets_of, conditions_to_json
from management_api.projects.quotas import Quotas, check_active_experiment_quota, check_quota
from management_api.projects.review import check_may_serve
from management_api.rollups.experiment_users import exposures_of

_LIST = PagedSelect(
    select(
        *(column for column in Experiment.__table__.columns if column is not Experiment.__table__.c.conditions),
        unless_large(Experiment.conditions),
    ).where(Experiment.project_id == bindparam("project_id")),
    {"created_at": Experiment.created_at, "updated_at": Experiment.updated_at, "name": Experiment.name},
    Experiment.id,
)

#: The attributes of a completed experiment that stay, because its results were computed with them.
_FIXED_WHEN_COMPLETED = frozenset({"conditions", "traffic_buckets", "variants", "primary_event", "salt_version"})


#: From the index of exposures by experiment alone.
_USERS = (
    select(Exposure.experiment_id, func.count(Exposure.device_id.distinct()).label("users"))
    .where(
        Exposure.project_id == bindparam("project_id"),
        Exposure.experiment_id.in_(bindparam("experiment_ids", expanding=True)),
        # The partial index has this condition.
        Exposure.experiment_id != "",
    )
    .group_by(Exposure.experiment_id)
)


_STORED = select(ExperimentCount.experiment_id, ExperimentCount.variants).where(
    ExperimentCount.experiment_id.in_(bindparam("experiment_ids", expanding=True))
)


def list_experiments(reader: Reader, caller: Caller, query: ExperimentListQuery) -> Page[*tuple[Any, ...]]:
    """Return a page of the project's experiments. Raises ProjectNotFoundError, ForbiddenError."""
    conditions: list[ColumnElement[bool]] = []
    if query.status is not None:
        conditions.append(Experiment.status == query.status.value)
    if query.search:
        conditions.append(contains(Experiment.name, query.search))
    return _LIST.read_in_project(reader, caller, query.project_id, query.page_request(), *conditions)


def users_by_experiment(
    reader: Reader, project_id: str, experiments: Sequence[Row[*tuple[Any, ...]]]
) -> Mapping[str, int]:
    """Return the number of devices with an exposure to each of the experiments that have any.

    That of a completed experiment is stored, because exposures are deleted for their age.
    """
    of_all = {"experiment_ids": [experiment.id for experiment in experiments]}
    users = {row.experiment_id: sum(each[1] for each in row.variants) for row in reader.execute(_STORED, of_all)}
    ids = {exposures_of(experiment): experiment.id for experiment in experiments if experiment.id not in users}
    values = {"project_id": project_id, "experiment_ids": list(ids)}
    return users | {ids[row.experiment_id]: row.users for row in reader.execute(_USERS, values)}


def create_experiment(session: Session, caller: Caller, body: ExperimentCreateBody, quotas: Quotas) -> Experiment:
    """Draft an experiment.

    Raises ProjectNotFoundError, ForbiddenError, FlowNotFoundError (a variant's), InvalidRequestError, ConflictError.
    """
    project_for_update(session, caller, body.project_id)
    check_quota(session, quotas, Experiment, body.project_id)
    variants = [variant.members() for variant in body.variants]
    check_flows(session, body.project_id, variants)
    experiment = Experiment(
        id=new_id(IdPrefix.EXPERIMENT),
        project_id=body.project_id,
        name=body.name,
        hypothesis=body.hypothesis,
        status=ExperimentStatus.DRAFT.value,
        conditions=conditions_to_json(body.audience.conditions),
        traffic_buckets=buckets_of(body.traffic_percentage),
        variants=allocate_variants(variants),
        primary_event=body.primary_event,
        winner=None,
        salt_version=1,
    )
    session.add(experiment)
    flush_and_refresh(session, experiment)
    return experiment


def read_experiment(reader: Reader, caller: Caller, experiment_id: str) -> Row[*tuple[Any, ...]]:
    """Return one experiment. Raises NotFoundError, ForbiddenError."""
    return get_for_read(reader, caller, Experiment, experiment_id)


def update_experiment(
    session: Session, caller: Caller, experiment_id: str, body: ExperimentUpdateBody, if_match: Precondition
) -> Experiment:
    """Change the members that the body has, as far as the status allows; a body as it was read changes nothing.

    Raises NotFoundError, ForbiddenError, PreconditionFailedError, FlowNotFoundError, InvalidRequestError,
    ConflictError.
    """
    experiment = get_for_update(session, caller, Experiment, experiment_id, if_match=if_match)
    former_ranges = ranges_by_key(experiment.variants)
    if "variants" in body.model_fields_set:
        experiment.variants = _changed_variants(session, experiment, body)
    for name in body.model_fields_set & {"name", "hypothesis", "primary_event"}:
        setattr(experiment, name, getattr(body, name))
    if "audience" in body.model_fields_set:
        experiment.conditions = conditions_to_json(body.audience.conditions)
    if "traffic_percentage" in body.model_fields_set:
        experiment.traffic_buckets = buckets_of(body.traffic_percentage)
    if body.reset_assignments:
        experiment.variants = allocate_variants(experiment.variants)
        experiment.salt_version += 1
    changed = {attribute.key for attribute in inspect(experiment).attrs if attribute.history.has_changes()}
    _check_status_allows(experiment, changed)
    is_reallocated = "salt_version" in changed or ranges_by_key(experiment.variants) != former_ranges
    if experiment.status in ACTIVE and is_reallocated:
        experiment.reallocated_at = utc_now()
        if "salt_version" in changed:
            experiment.reset_at = experiment.reallocated_at
    flush_and_refresh(session, experiment)
    return experiment


def delete_experiment(session: Session, caller: Caller, experiment_id: str, if_match: Precondition) -> None:
    """Delete a draft or a completed experiment.

    Raises NotFoundError, ForbiddenError, PreconditionFailedError, ConflictError.
    """
    experiment = get_for_update(session, caller, Experiment, experiment_id, if_match=if_match)
    if experiment.status in ACTIVE:
        raise ConflictError("A running or paused experiment must be completed before it is deleted")
    session.delete(experiment)


def start_experiment(
    session: Session, caller: Caller, experiment_id: str, quotas: Quotas, if_match: Precondition
) -> Experiment:
    """Start a draft, or a paused experiment, whose `started_at` stays.

    Raises NotFoundError, ForbiddenError, PreconditionFailedError, ConflictError.
    """
    experiment = get_for_update(session, caller, Experiment, experiment_id, if_match=if_match)
    _check_status(experiment, (ExperimentStatus.DRAFT, ExperimentStatus.PAUSED), "started")
    project = session.get_one(Project, experiment.project_id)
    check_may_serve(session, project, [variant["flow_id"] for variant in experiment.variants])
    if experiment.status == ExperimentStatus.DRAFT:
        check_active_experiment_quota(session, quotas, experiment.project_id)
        check_flows_can_serve(session, experiment)
        experiment.started_at = utc_now()
    experiment.status = ExperimentStatus.RUNNING.value
    session.flush()
    return experiment


def pause_experiment(session: Session, caller: Caller, experiment_id: str, if_match: Precondition) -> Experiment:
    """Stop assigning devices to a running experiment.

    Raises NotFoundError, ForbiddenError, PreconditionFailedError, ConflictError.
    """
    experiment = get_for_update(session, caller, Experiment, experiment_id, if_match=if_match)
    _check_status(experiment, (ExperimentStatus.RUNNING,), "paused")
    experiment.status = ExperimentStatus.PAUSED.value
    session.flush()
    return experiment


def complete_experiment(
    session: Session, caller: Caller, experiment_id: str, winner: str | None, if_match: Precondition
) -> Experiment:
    """End an experiment; the flow of the winner, if one is named, becomes the project's default and active.

    Raises NotFoundError, ForbiddenError, PreconditionFailedError, InvalidRequestError (no such variant), ConflictError.
    """
    experiment = get_for_update(session, caller, Experiment, experiment_id, if_match=if_match)
    _check_status(experiment, ACTIVE, "completed")
    if winner is not None:
        _promote(session, experiment, winner)
    experiment.status = ExperimentStatus.COMPLETED.value
    experiment.winner = winner
    experiment.ended_at = utc_now()
    session.flush()
    return experiment


def _changed_variants(session: Session, experiment: Experiment, body: ExperimentUpdateBody) -> list[StoredVariant]:
    variants = [variant.members() for variant in body.variants]
    if variants == without_ranges(experiment.variants):
        return experiment.variants
    if experiment.status != ExperimentStatus.DRAFT:
        return reallocate_variants(experiment.variants, variants)
    check_flows(session, experiment.project_id, variants)
    return allocate_variants(variants)


def _check_status_allows(experiment: Experiment, changed: Collection[str]) -> None:
    if experiment.status == ExperimentStatus.COMPLETED and not _FIXED_WHEN_COMPLETED.isdisjoint(changed):
        raise ConflictError("Only the name and the hypothesis of a completed experiment can be changed")
    if experiment.status in ACTIVE and "primary_event" in changed:
        raise ConflictError("Once started, an experiment keeps its primary_event")


def _check_status(experiment: Experiment, allowed: Collection[ExperimentStatus], verb: str) -> None:
    if experiment.status not in allowed:
        raise ConflictError(f"An experiment that is {experiment.status} cannot be {verb}")


def _promote(session: Session, experiment: Experiment, winner: str) -> None:
    flow_id = next((variant["flow_id"] for variant in experiment.variants if variant["key"] == winner), None)
    if flow_id is None:
        raise InvalidRequestError([Detail.invalid("winner", "must be the key of a variant")])
    flow = session.get_one(Flow, flow_id)
    if flow.status == FlowStatus.ARCHIVED:
        raise ConflictError("The winner's flow is archived")
    project = session.get_one(Project, experiment.project_id)
    check_may_serve(session, project, [flow_id])
    flow.status = FlowStatus.ACTIVE.value
    project.default_flow_id = flow_id
