"""Variants of an experiment: the flows that they may have, and the buckets that each of them owns."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from common.errors import ConflictError, Detail, FlowNotFoundError, InvalidRequestError
from common.rules.bucketing import Allocation, allocate, reallocate
from management_api.db.models.experiments import Experiment
from management_api.db.models.flows import Flow, FlowStatus

#: A variant as a request has it (`schemas.VariantBody`): key, name, flow_id, weight, is_control.
Variant = dict[str, Any]
#: A variant as the database has it (`db/models/experiments.py`): with the ranges of buckets that it owns.
StoredVariant = dict[str, Any]

#: The members that stay once devices are assigned, because devices and results depend on them.
_FIXED = ("key", "flow_id", "is_control")


def check_flows(session: Session, project_id: str, variants: Sequence[Variant]) -> None:
    """Raise FlowNotFoundError for a flow that the project does not have, InvalidRequestError for an archived one."""
    statuses = _flow_statuses(session, project_id, variants)
    if any(variant["flow_id"] not in statuses for variant in variants):
        raise FlowNotFoundError
    archived = [index for index, variant in enumerate(variants) if statuses[variant["flow_id"]] == FlowStatus.ARCHIVED]
    if archived:
        raise InvalidRequestError(
            [Detail.invalid(f"variants.{index}.flow_id", "must not be an archived flow") for index in archived]
        )


def check_flows_can_serve(session: Session, experiment: Experiment) -> None:
    """Raise ConflictError when a flow has been deleted or archived since the experiment was drafted."""
    statuses = _flow_statuses(session, experiment.project_id, experiment.variants)
    for variant in experiment.variants:
        if statuses.get(variant["flow_id"], FlowStatus.ARCHIVED) == FlowStatus.ARCHIVED:
            raise ConflictError(f"The flow of variant {variant['key']} is archived or deleted")


def allocate_variants(variants: Sequence[Variant]) -> list[StoredVariant]:
    """Return the variants with buckets by their weights, regardless of their former buckets."""
    return _with_ranges(variants, allocate({variant["key"]: variant["weight"] for variant in variants}))


def reallocate_variants(stored: Sequence[StoredVariant], variants: Sequence[Variant]) -> list[StoredVariant]:
    """Return the variants with buckets by their new weights, moving the fewest devices.

    Raises ConflictError when more than names, weights and the order differ.
    """
    if {_identity(variant) for variant in stored} != {_identity(variant) for variant in variants}:
        raise ConflictError("Once started, an experiment keeps its variants, their flows and its control")
    owned: Allocation = {variant["key"]: tuple((start, end) for start, end in variant["ranges"]) for variant in stored}
    return _with_ranges(variants, reallocate(owned, {variant["key"]: variant["weight"] for variant in variants}))


def without_ranges(stored: Sequence[StoredVariant]) -> list[Variant]:
    """Return stored variants as a request has them."""
    return [{name: value for name, value in variant.items() if name != "ranges"} for variant in stored]


def ranges_by_key(stored: Sequence[StoredVariant]) -> dict[str, Any]:
    """Return the ranges of buckets of each variant."""
    return {variant["key"]: variant["ranges"] for variant in stored}


def _identity(variant: Variant) -> tuple[Any, ...]:
    return tuple(variant[name] for name in _FIXED)


def _with_ranges(variants: Sequence[Variant], allocation: Allocation) -> list[StoredVariant]:
    return [{**variant, "ranges": [list(owned) for owned in allocation[variant["key"]]]} for variant in variants]


def _flow_statuses(session: Session, project_id: str, variants: Sequence[Variant]) -> dict[str, str]:
    flow_ids = {variant["flow_id"] for variant in variants}
    rows = session.execute(select(Flow.id, Flow.status).where(Flow.project_id == project_id, Flow.id.in_(flow_ids)))
    return {row.id: row.status for row in rows}
