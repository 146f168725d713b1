"""Results of an experiment (contract, section 5, Results).

A *user* is a device with an exposure to a variant, of the experiment alone. A device that was given more than one is
left out of every figure, and counted. A user *converted* with an event of the experiment's `primary_event`, of any
flow, at or after the first exposure and not after the experiment's end, by the event's own time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Row, text
from sqlalchemy.orm import Session

from management_api.auth.access import Caller, get_for_read
from management_api.db.models.experiments import Experiment
from management_api.db.psycopg_connection import driver_connection
from management_api.experiment_statistics.comparison import NO_COMPARISON, Counts, compare, rate_interval
from management_api.experiment_statistics.sample_ratio import check_sample_ratio
from management_api.experiments.schemas import (
    ExperimentResultsView,
    ResultDayView,
    ResultsPart,
    SampleRatioView,
    VariantDayView,
    VariantResultView,
)
from management_api.rollups.conversions import last_seen
from management_api.rollups.rollup import DAY_MS
from management_api.rollups.storage import date_of

#: The clocks of edges and of PostgreSQL may differ by so much.
_CLOCK_SKEW = timedelta(minutes=5)
#: So long after a change of weights an edge may still assign by the former weights; mostly it is a second.
_PUBLICATION_DELAY = timedelta(minutes=1)


Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _VariantUsers:
    """The users of one variant; `recent` are those since the weights last changed.

    `days` are the users by the day of the first exposure, counted from 1970-01-01.
    """

    counts: Counts
    recent: int
    days: Mapping[int, Counts] = field(default_factory=dict)


_NO_USERS = _VariantUsers(Counts(0, 0), 0)


def experiment_results(
    session: Session, caller: Caller, experiment_id: str, part: ResultsPart | None = None
) -> ExperimentResultsView:
    """Count and compare the variants of an experiment. Raises NotFoundError, ForbiddenError."""
    experiment = get_for_read(session, caller, Experiment, experiment_id)
    # A draft has assigned no variant.
    by_key = _count(session, experiment, experiment.started_at) if experiment.started_at is not None else {}
    users = [by_key.get(variant["key"], _NO_USERS) for variant in experiment.variants]
    weights = [variant["weight"] for variant in experiment.variants]
    return ExperimentResultsView(
        experiment_id=experiment.id,
        status=experiment.status,
        primary_event=experiment.primary_event,
        users=sum(variant_users.counts.users for variant_users in users),
        excluded_multiple_variants=by_key.get(None, _NO_USERS).counts.users,
        srm=SampleRatioView.model_validate(
            check_sample_ratio([variant_users.recent for variant_users in users], weights)
        ),
        variants=_variant_results(experiment.variants, [variant_users.counts for variant_users in users]),
        days=_days(experiment.variants, users) if part is ResultsPart.SERIES else None,
    )


def _days(variants: Sequence[Mapping[str, Any]], users: Sequence[_VariantUsers]) -> list[ResultDayView]:
    return [
        ResultDayView(
            date=date_of(day),
            variants=[
                VariantDayView(key=variant["key"], **asdict(variant_users.days.get(day, _NO_USERS.counts)))
                for variant, variant_users in zip(variants, users, strict=True)
            ],
        )
        for day in sorted({day for variant_users in users for day in variant_users.days})
    ]


def _variant_results(variants: Sequence[Mapping[str, Any]], counts: Sequence[Counts]) -> list[VariantResultView]:
    pairs = list(zip(variants, counts, strict=True))
    [control] = [variant_counts for variant, variant_counts in pairs if variant["is_control"]]
    results = []
    for variant, variant_counts in pairs:
        is_control = variant["is_control"]
        comparison = NO_COMPARISON if is_control else compare(control, variant_counts, comparisons=len(pairs) - 1)
        results.append(
            VariantResultView(
                key=variant["key"],
                is_control=is_control,
                users=variant_counts.users,
                conversions=variant_counts.conversions,
                rate=variant_counts.rate,
                rate_interval=rate_interval(variant_counts),
                **asdict(comparison),
            )
        )
    return results


#: The exposures of each variant: device numbers and times as bytes, in PostgreSQL's binary formats. numpy reads them at
#: once, where a list would have a Python object for each value.
_EXPOSURES = """
    SELECT variant, string_agg(int4send(number), ''), string_agg(timestamptz_send(exposed_at), '')
    FROM exposures JOIN devices USING (project_id, device_id)
    WHERE project_id = %(project)s AND experiment_id = %(experiment)s AND experiment_id <> ''
    GROUP BY variant
"""
_BINARY_INTEGER = np.dtype(">i4")
#: Microseconds from the year 2000 on.
_BINARY_TIMESTAMP = np.dtype(">i8")
_YEAR_2000_MS = 946_684_800_000
#: Both indexes are sorted by device and have all columns. The planner prefers to hash whole tables, for twice the time.
_MERGE_INDEXES = text("SET LOCAL enable_hashjoin = off")


def _count(session: Session, experiment: Row[Any], started_at: datetime) -> dict[str | None, _VariantUsers]:
    """Return the users of each variant, under None those of several."""
    first_day = (started_at - _CLOCK_SKEW).astimezone(UTC).date()
    last = last_seen(session, experiment.project_id, experiment.primary_event, first_day, experiment.ended_at)
    exposures = _first_exposures(session, experiment)
    users: dict[str | None, _VariantUsers] = {}
    if not exposures:
        return users
    devices, variants = np.unique(np.concatenate([numbers for numbers, _ in exposures.values()]), return_counts=True)
    of_several = devices[variants > 1]
    users[None] = _VariantUsers(Counts(len(of_several), 0), 0)
    start, allocated_since = (
        _milliseconds(started_at - _CLOCK_SKEW),
        _milliseconds(_allocated_since(experiment, started_at)),
    )
    for variant, (numbers, moments) in exposures.items():
        is_of_one = np.isin(numbers, of_several, assume_unique=True, invert=True)
        exposed_at = moments[is_of_one]
        converted = last.at(numbers[is_of_one]) >= np.maximum(exposed_at, start)
        counts = Counts(len(exposed_at), int(np.count_nonzero(converted)))
        recent = int(np.count_nonzero(exposed_at >= allocated_since))
        users[variant] = _VariantUsers(counts, recent, _counts_by_day(exposed_at, converted))
    return users


def _counts_by_day(exposed_at: Numbers, converted: NDArray[np.bool_]) -> dict[int, Counts]:
    days, places = np.unique(exposed_at // DAY_MS, return_inverse=True)
    users, conversions = np.bincount(places), np.bincount(places, weights=converted)
    return {
        int(day): Counts(int(day_users), int(day_conversions))
        for day, day_users, day_conversions in zip(days, users, conversions, strict=True)
    }


def _first_exposures(session: Session, experiment: Row[Any]) -> dict[str, tuple[Numbers, Numbers]]:
    """Return the devices of each variant, and the moment of the first exposure of each device."""
    session.execute(_MERGE_INDEXES)
    exposures = {}
    with driver_connection(session).cursor(binary=True) as cursor:
        values = {"project": experiment.project_id, "experiment": experiment.id}
        for variant, device_numbers, exposed_at in cursor.execute(_EXPOSURES, values):
            numbers = np.frombuffer(device_numbers, _BINARY_INTEGER).astype(np.int64)
            # Exposures have whole milliseconds.
            moments = np.frombuffer(exposed_at, _BINARY_TIMESTAMP).astype(np.int64) // 1000 + _YEAR_2000_MS
            # A device has an exposure for each flow of the variant.
            order = np.lexsort((moments, numbers))
            devices, first = np.unique(numbers[order], return_index=True)
            exposures[variant] = (devices, moments[order][first])
    return exposures


def _milliseconds(moment: datetime) -> float:
    return moment.timestamp() * 1000


def _allocated_since(experiment: Row[Any], started_at: datetime) -> datetime:
    """Return the start of the present weights: the sample ratio covers the devices assigned since."""
    changed_at = experiment.reallocated_at
    return started_at - _CLOCK_SKEW if changed_at is None else changed_at + _PUBLICATION_DELAY
