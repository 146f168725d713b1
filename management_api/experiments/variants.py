"""Variants of an experiment: what they are made of, which flows they may give, and which buckets they own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ARRAY, Row, Text, any_, bindparam, select
from sqlalchemy.orm import Session

from common.errors import ConflictError, Detail, FlowNotFoundError, InvalidRequestError
from common.rules.bucketing import Allocation, allocate, reallocate
from management_api.db.models.flows import Flow, FlowStatus
from management_api.db.prepared import Prepared

_STATUSES = Prepared(
    select(Flow.id, Flow.status).where(
        Flow.project_id == bindparam("project_id"),
        Flow.id == any_(bindparam("flow_ids", type_=ARRAY(Text))),
    )
)

#: As the database has it (`db/models/experiments.py`).
StoredVariant = dict[str, Any]

#: What may not change while devices are assigned: what a variant is to a device, and to the results.
_FIXED = ("key", "flow_id", "is_control")


@dataclass(frozen=True, slots=True)
class Variant:
    """One of the ways that an experiment compares. `weight` is per cent; those of an experiment sum to 100."""

    key: str
    name: str
    flow_id: str
    weight: int
    is_control: bool


def check_flows(session: Session, project_id: str, variants: Sequence[Variant]) -> None:
    """Raise FlowNotFoundError for a flow that the project does not have, InvalidRequestError for an archived one."""
    statuses = _statuses(session, project_id, [variant.flow_id for variant in variants])
    if any(variant.flow_id not in statuses for variant in variants):
        raise FlowNotFoundError
    archived = [index for index, variant in enumerate(variants) if statuses[variant.flow_id] == FlowStatus.ARCHIVED]
    if archived:
        raise InvalidRequestError(
            [Detail.invalid(f"variants.{index}.flow_id", "must not be an archived flow") for index in archived]
        )


def check_flows_can_serve(session: Session, experiment: Row[Any]) -> None:
    """Raise ConflictError when a flow has been deleted or archived since the experiment was drafted."""
    statuses = _statuses(session, experiment.project_id, [variant["flow_id"] for variant in experiment.variants])
    for variant in experiment.variants:
        if statuses.get(variant["flow_id"], FlowStatus.ARCHIVED) == FlowStatus.ARCHIVED:
            raise ConflictError(f"The flow of variant {variant['key']} is archived or deleted")


def first_allocation(variants: Sequence[Variant]) -> list[StoredVariant]:
    """Share out the buckets to variants that no device has been given yet."""
    return _stored(variants, allocate({variant.key: variant.weight for variant in variants}))


def with_new_weights(present: Sequence[StoredVariant], variants: Sequence[Variant]) -> list[StoredVariant]:
    """Share out the buckets anew, moving the fewest.

    Raises ConflictError when more than names and weights differ. The order may; buckets do not move for that.
    """
    former = {variant["key"]: variant for variant in present}
    if {_identity(variant) for variant in present} != {
        (variant.key, variant.flow_id, variant.is_control) for variant in variants
    }:
        raise ConflictError("Once started, an experiment keeps its variants, their flows and its control")
    owned: Allocation = {
        key: tuple((start, end) for start, end in variant["ranges"]) for key, variant in former.items()
    }
    return _stored(variants, reallocate(owned, {variant.key: variant.weight for variant in variants}))


def reset_allocation(present: Sequence[StoredVariant]) -> list[StoredVariant]:
    """Share out the buckets as if nobody had been given any."""
    allocation = allocate({variant["key"]: variant["weight"] for variant in present})
    return [{**variant, "ranges": _stored_ranges(allocation, variant["key"])} for variant in present]


def variants_of(stored: Sequence[StoredVariant]) -> tuple[Variant, ...]:
    """Read variants as the database has them."""
    return tuple(
        Variant(
            key=variant["key"],
            name=variant["name"],
            flow_id=variant["flow_id"],
            weight=variant["weight"],
            is_control=variant["is_control"],
        )
        for variant in stored
    )


def _identity(variant: StoredVariant) -> tuple[Any, ...]:
    return tuple(variant[name] for name in _FIXED)


def _stored(variants: Sequence[Variant], allocation: Allocation) -> list[StoredVariant]:
    return [
        {
            "key": variant.key,
            "name": variant.name,
            "flow_id": variant.flow_id,
            "weight": variant.weight,
            "is_control": variant.is_control,
            "ranges": _stored_ranges(allocation, variant.key),
        }
        for variant in variants
    ]


def _stored_ranges(allocation: Allocation, key: str) -> list[list[int]]:
    return [list(owned) for owned in allocation[key]]


def _statuses(session: Session, project_id: str, flow_ids: Sequence[str]) -> dict[str, str]:
    rows = _STATUSES.rows(session, {"project_id": project_id, "flow_ids": list(flow_ids)})
    return {row.id: row.status for row in rows}
