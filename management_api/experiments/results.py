"""What an experiment has shown so far (contract, section 5, Results).

A *user* is a device with an exposure to a variant, of the experiment alone. A device that was given more than one is
left out of every figure, and counted. A user *converted* with an event of the experiment's `primary_event`, of any
flow, at or after the first exposure and not after the experiment's end, by the event's own time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Row, Select, bindparam, case, func, select
from sqlalchemy.orm import Session

from common.timestamps import utc_now
from management_api.auth.access import EXPERIMENT, Caller, part_to_read
from management_api.db.models.analytics import Event, Exposure
from management_api.db.prepared import Prepared
from management_api.db.psycopg_connection import driver_connection
from management_api.experiment_statistics.comparison import (
    NO_COMPARISON,
    Comparison,
    Counts,
    Interval,
    compare,
    rate_interval,
)
from management_api.experiment_statistics.sample_ratio import SampleRatio, check_sample_ratio
from management_api.rollups.conversions import LastMoments, last_moments

#: An event is received at the earliest so long before its own time (contract, section 4).
_AHEAD = timedelta(days=1)
#: How far the clocks of our own machines may be apart.
_APART = timedelta(minutes=5)
#: So long after a change of weights an edge may still give variants by those before; mostly it is a second.
_ON_THE_WAY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class VariantResult:
    """The figures of a variant; `comparison` is with the control, which has none of its own."""

    key: str
    is_control: bool
    counts: Counts
    comparison: Comparison

    @property
    def rate_interval(self) -> Interval | None:
        """The 95 % interval of the rate."""
        return rate_interval(self.counts)


@dataclass(frozen=True, slots=True)
class ExperimentResults:
    """The figures of an experiment; variants in its own order."""

    experiment_id: str
    status: str
    primary_event: str
    excluded_multiple_variants: int
    sample_ratio: SampleRatio
    variants: Sequence[VariantResult]

    @property
    def users(self) -> int:
        """The users of all variants."""
        return sum(variant.counts.users for variant in self.variants)


@dataclass(frozen=True, slots=True)
class _Counted:
    """What the database has of one variant; `recent_users` are those since its shares last changed."""

    counts: Counts
    recent_users: int


_NOBODY = _Counted(Counts(0, 0), 0)


def experiment_results(session: Session, caller: Caller, experiment_id: str) -> ExperimentResults:
    """Count and compare the variants of an experiment. Raises NotFoundError, ForbiddenError."""
    experiment = part_to_read(session, caller, EXPERIMENT, experiment_id)
    # Nobody has been given a variant of a draft.
    counted = _count(session, experiment) if experiment.started_at is not None else {}
    found = [counted.get(variant["key"], _NOBODY) for variant in experiment.variants]
    return ExperimentResults(
        experiment_id=experiment.id,
        status=experiment.status,
        primary_event=experiment.primary_event,
        excluded_multiple_variants=counted.get(None, _NOBODY).counts.users,
        sample_ratio=check_sample_ratio(
            [each.recent_users for each in found], [variant["weight"] for variant in experiment.variants]
        ),
        variants=_compared(experiment.variants, [each.counts for each in found]),
    )


def _compared(variants: Sequence[Mapping[str, Any]], counts: Sequence[Counts]) -> list[VariantResult]:
    [control] = [each for variant, each in zip(variants, counts, strict=True) if variant["is_control"]]
    return [
        VariantResult(
            key=variant["key"],
            is_control=variant["is_control"],
            counts=each,
            comparison=NO_COMPARISON
            if variant["is_control"]
            else compare(control, each, comparisons=len(variants) - 1),
        )
        for variant, each in zip(variants, counts, strict=True)
    ]


def _statement() -> Select[str | None, int, int, int]:
    """Count the users of each variant, under None those of several."""
    devices = (
        select(
            Exposure.device_id,
            func.min(Exposure.variant).label("first"),
            func.max(Exposure.variant).label("last"),
            func.min(Exposure.exposed_at).label("exposed_at"),
        )
        .where(
            Exposure.project_id == bindparam("project_id"),
            Exposure.experiment_id == bindparam("experiment_id"),
            Exposure.experiment_id != "",  # as the index has it
        )
        .group_by(Exposure.device_id)
        .subquery()
    )
    # Somebody has an event after a moment exactly when their last one is.
    events = (
        select(Event.device_id, func.max(Event.occurred_at).label("last_at"))
        .where(
            Event.project_id == bindparam("project_id"),
            Event.event_type == bindparam("event_type"),
            Event.occurred_at.between(bindparam("from"), bindparam("until")),
            # Leaves out the partitions of earlier months.
            Event.received_at >= bindparam("received_from"),
        )
        .group_by(Event.device_id)
        .subquery()
    )
    variant = case((devices.c.first == devices.c.last, devices.c.first)).label("variant")
    return (
        select(
            variant,
            func.count().label("users"),
            func.count().filter(events.c.last_at >= devices.c.exposed_at).label("conversions"),
            func.count().filter(devices.c.exposed_at >= bindparam("shared_since")).label("recent_users"),
        )
        .outerjoin_from(devices, events, events.c.device_id == devices.c.device_id)
        .group_by(variant)
    )


_COUNTS = Prepared(_statement())


#: The devices of an experiment in the order of variants: number, and first exposure in milliseconds from 1970 on.
_USERS = """
    SELECT CASE WHEN first = last THEN first END, array_agg(number::bigint), array_agg(exposed_ms) FROM (
        SELECT device_id, min(variant) AS first, max(variant) AS last,
            (date_part('epoch', min(exposed_at)) * 1000)::bigint AS exposed_ms
        FROM exposures WHERE project_id = %(project)s AND experiment_id = %(experiment)s AND experiment_id <> ''
        GROUP BY device_id
    ) AS users JOIN devices ON devices.project_id = %(project)s AND devices.device_id = users.device_id
    GROUP BY 1
"""


def _count(session: Session, experiment: Row[Any]) -> dict[str | None, _Counted]:
    first_day = (experiment.started_at - _APART).astimezone(UTC).date()
    last = last_moments(session, experiment.project_id, experiment.primary_event, first_day, experiment.ended_at)
    return _count_events(session, experiment) if last is None else _count_users(session, experiment, last)


def _count_users(session: Session, experiment: Row[Any], last: LastMoments) -> dict[str | None, _Counted]:
    """Count from the cells of the primary event."""
    counted: dict[str | None, _Counted] = {}
    start, shared_since = _milliseconds(experiment.started_at - _APART), _milliseconds(_shared_since(experiment))
    with driver_connection(session).cursor(binary=True) as cursor:
        values = {"project": experiment.project_id, "experiment": experiment.id}
        for variant, numbers, moments in cursor.execute(_USERS, values):
            exposed: NDArray[np.int64] = np.array(moments, np.int64)
            converted = last.at(np.array(numbers, np.int64)) >= np.maximum(exposed, start)
            recent = exposed >= shared_since
            counted[variant] = _Counted(
                Counts(len(exposed), int(np.count_nonzero(converted))), int(np.count_nonzero(recent))
            )
    return counted


def _milliseconds(moment: datetime) -> float:
    return moment.timestamp() * 1000


def _count_events(session: Session, experiment: Row[Any]) -> dict[str | None, _Counted]:
    """Count from the events themselves, where cells do not have them all."""
    rows = _COUNTS.rows(
        session,
        {
            "project_id": experiment.project_id,
            "experiment_id": experiment.id,
            "event_type": experiment.primary_event,
            "from": experiment.started_at - _APART,
            "until": experiment.ended_at or utc_now() + _AHEAD,
            "received_from": experiment.started_at - _APART - _AHEAD,
            "shared_since": _shared_since(experiment),
        },
    )
    return {row.variant: _Counted(Counts(row.users, row.conversions), row.recent_users) for row in rows}


def _shared_since(experiment: Row[Any]) -> datetime:
    """Since when devices have been shared out by the present weights: only those tell whether that goes right."""
    changed: datetime | None = experiment.reallocated_at
    started: datetime = experiment.started_at
    return started - _APART if changed is None else changed + _ON_THE_WAY
