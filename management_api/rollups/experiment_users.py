"""Counts the users and conversions of an experiment (contract, section 5, Results).

A *user* is a device with an exposure to a variant, of the experiment alone. A device that was given more than one is
left out of every figure, and counted. A user *converted* with an event of the experiment's `primary_event`, of any
flow, at or after the first exposure and not after the experiment's end, by the event's own time.

The counts of a completed experiment are stored, so that they neither shrink when raw events are dropped nor depend on
the number of events. They are counted again until late events of the last day are in.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Row, func, or_, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from management_api.db.engine import Database, allow_long_statements
from management_api.db.models.experiments import Experiment, ExperimentCount, ExperimentStatus
from management_api.db.psycopg_connection import driver_connection
from management_api.experiment_statistics.counts import Counts
from management_api.rollups.conversions import last_seen
from management_api.rollups.reading import Moments
from management_api.rollups.rollup import DAY_MS, Numbers

#: The clocks of edges and of PostgreSQL may differ by so much.
_CLOCK_SKEW = timedelta(minutes=5)
#: So long after a change of weights an edge may still assign by the former weights; mostly it is a second.
_PUBLICATION_DELAY = timedelta(minutes=1)
#: Clients send an event again for seven days; an event in a spool may come a little later.
LATE_EVENTS = timedelta(days=8)
#: Until then the counts of a completed experiment are renewed so often.
RECOUNT_AFTER = timedelta(hours=6)
EXPERIMENTS_AT_ONCE = 100
STATEMENT_MINUTES = 10
_DEVICES_AT_ONCE = 131_072


@dataclass(frozen=True, slots=True)
class VariantUsers:
    """The users of one variant; `recent` are those since the weights last changed.

    `days` are the users by the day of the first exposure, counted from 1970-01-01.
    """

    counts: Counts
    recent: int
    days: Mapping[int, Counts] = field(default_factory=dict)

    def __add__(self, other: "VariantUsers") -> "VariantUsers":
        """Return the sum of the users of two blocks of devices."""
        days = {
            day: self.days.get(day, NO_COUNTS) + other.days.get(day, NO_COUNTS) for day in {*self.days, *other.days}
        }
        return VariantUsers(self.counts + other.counts, self.recent + other.recent, days)

    def to_row(self, variant: str | None) -> list[Any]:
        """Return the values as JSON stores them."""
        days = [[day, of_day.users, of_day.conversions] for day, of_day in sorted(self.days.items())]
        return [variant, self.counts.users, self.counts.conversions, self.recent, days]

    @classmethod
    def from_row(
        cls, users: int, conversions: int, recent: int, days: Sequence[tuple[int, int, int]]
    ) -> "VariantUsers":
        """Read the values that JSON has stored."""
        return cls(Counts(users, conversions), recent, {day: Counts(*of_day) for day, *of_day in days})


NO_COUNTS = Counts(0, 0)
NO_USERS = VariantUsers(NO_COUNTS, 0)

#: The exposures of each variant and of each block of devices: device numbers and times as bytes, in PostgreSQL's binary
#: formats. numpy reads them at once, where a list would have a Python object for each value. One block is in memory.
#: Both indexes have all columns in the order of the devices. The ORDER BYs make PostgreSQL merge the indexes, in less
#: time than a hash join of the tables.
_EXPOSURES = """
    SELECT number / %(devices)s::integer AS block, variant,
        string_agg(int4send(number), ''), string_agg(timestamptz_send(exposed_at), '')
    FROM (
        SELECT device_id, variant, exposed_at FROM exposures
        WHERE project_id = %(project)s AND experiment_id = %(experiment)s AND experiment_id <> ''
        ORDER BY device_id
    ) AS exposed JOIN (
        SELECT device_id, number FROM devices WHERE project_id = %(project)s ORDER BY device_id
    ) AS numbered USING (device_id)
    GROUP BY block, variant ORDER BY block
"""
_BINARY_INTEGER = np.dtype(">i4")
#: Microseconds from the year 2000 on.
_BINARY_TIMESTAMP = np.dtype(">i8")
_YEAR_2000_MS = 946_684_800_000


def experiment_users(session: Session, experiment: Row[Any]) -> Mapping[str | None, VariantUsers]:
    """Return the users of each variant, under None those of several: as stored, or counted from rollups.

    A count reads exposures of all users; of an experiment that has ended also the events of a part of a day.
    """
    if experiment.started_at is None:
        # A draft has assigned no variant.
        return {}
    stored = session.scalar(select(ExperimentCount.variants).where(ExperimentCount.experiment_id == experiment.id))
    if stored is None:
        return _count(session, experiment)
    return {variant: VariantUsers.from_row(*row) for variant, *row in stored}


def uncounted_experiments(database: Database) -> list[tuple[str, str]]:
    """Return the project and the id of completed experiments whose counts are not stored, or have to be renewed."""
    stored_at = ExperimentCount.counted_at
    is_late = stored_at < Experiment.ended_at + LATE_EVENTS
    with database.transaction() as session:
        found = session.execute(
            select(Experiment.project_id, Experiment.id)
            .outerjoin(ExperimentCount, ExperimentCount.experiment_id == Experiment.id)
            .where(
                Experiment.status == ExperimentStatus.COMPLETED.value,
                or_(stored_at.is_(None), is_late & (stored_at < func.now() - RECOUNT_AFTER)),
            )
            .limit(EXPERIMENTS_AT_ONCE)
        )
        return [(row.project_id, row.id) for row in found]


def store_counts(database: Database, experiment_id: str) -> None:
    """Count the users of a completed experiment, and store the counts."""
    with database.transaction() as session:
        allow_long_statements(session, minutes=STATEMENT_MINUTES)
        experiment = session.execute(
            select(*Experiment.__table__.columns)
            .where(Experiment.id == experiment_id, Experiment.status == ExperimentStatus.COMPLETED.value)
            # Keeps it from being deleted until the commit.
            .with_for_update(key_share=True, read=True)
        ).one_or_none()
        if experiment is None:
            return
        counted = _count(session, experiment)
        variants = [users.to_row(variant) for variant, users in counted.items()]
        values = {"variants": variants, "counted_at": func.now()}
        session.execute(
            insert(ExperimentCount)
            .values(experiment_id=experiment_id, **values)
            .on_conflict_do_update(index_elements=[ExperimentCount.experiment_id], set_=values)
        )


def exposures_of(experiment: Row[Any]) -> str:
    """Return the id under which the exposures that count are stored."""
    return (
        experiment.id if experiment.reset_at is None else exposures_since_reset(experiment.id, experiment.salt_version)
    )


def exposures_since_reset(experiment_id: str, salt_version: int) -> str:
    """Return the id under which exposures are stored since a reset of the assignments.

    A device may get the same variant again, which must be another exposure.
    """
    return f"{experiment_id}:{salt_version}"


def _count(session: Session, experiment: Row[Any]) -> dict[str | None, VariantUsers]:
    first_day = (experiment.started_at - _CLOCK_SKEW).astimezone(UTC).date()
    last = last_seen(session, experiment.project_id, experiment.primary_event, first_day, experiment.ended_at)
    start = _milliseconds(experiment.started_at - _CLOCK_SKEW)
    allocated_since = _milliseconds(_allocated_since(experiment, experiment.started_at))
    users: dict[str | None, VariantUsers] = {}
    for exposures in _first_exposures(session, experiment):
        devices, variants = np.unique(
            np.concatenate([numbers for numbers, _ in exposures.values()]), return_counts=True
        )
        of_several = devices[variants > 1]
        users[None] = users.get(None, NO_USERS) + VariantUsers(Counts(len(of_several), 0), 0)
        for variant, (numbers, moments) in exposures.items():
            is_of_one = np.isin(numbers, of_several, assume_unique=True, invert=True)
            exposed_at = moments[is_of_one]
            converted = last.at(numbers[is_of_one]) >= np.maximum(exposed_at, start)
            counts = Counts(len(exposed_at), int(np.count_nonzero(converted)))
            recent = int(np.count_nonzero(exposed_at >= allocated_since))
            of_block = VariantUsers(counts, recent, _counts_by_day(exposed_at, converted))
            users[variant] = users.get(variant, NO_USERS) + of_block
    return users


def _counts_by_day(exposed_at: Moments, converted: NDArray[np.bool_]) -> dict[int, Counts]:
    days, places = np.unique(exposed_at // DAY_MS, return_inverse=True)
    users, conversions = np.bincount(places), np.bincount(places, weights=converted)
    return {
        int(day): Counts(int(day_users), int(day_conversions))
        for day, day_users, day_conversions in zip(days, users, conversions, strict=True)
    }


def _first_exposures(session: Session, experiment: Row[Any]) -> Iterator[dict[str, tuple[Numbers, Moments]]]:
    """Yield each block of devices: those of each variant, and the moment of the first exposure of each device."""
    values = {"project": experiment.project_id, "experiment": exposures_of(experiment), "devices": _DEVICES_AT_ONCE}
    with driver_connection(session).cursor() as cursor:
        rows = cursor.stream(_EXPOSURES.encode(), values, binary=True)
        for _, of_block in groupby(rows, itemgetter(0)):
            exposures = {}
            for _, variant, device_numbers, exposed_at in of_block:
                numbers = np.frombuffer(device_numbers, _BINARY_INTEGER).astype(np.uint32)
                # Exposures have whole milliseconds.
                moments = np.frombuffer(exposed_at, _BINARY_TIMESTAMP).astype(np.int64) // 1000 + _YEAR_2000_MS
                # A device has an exposure for each flow of the variant.
                order = np.lexsort((moments, numbers))
                devices, first = np.unique(numbers[order], return_index=True)
                exposures[variant] = (devices, moments[order][first])
            yield exposures


def _milliseconds(moment: datetime) -> float:
    return moment.timestamp() * 1000


def _allocated_since(experiment: Row[Any], started_at: datetime) -> datetime:
    """Return the start of the present weights: the sample ratio covers the devices assigned since."""
    changed_at = experiment.reallocated_at
    return started_at - _CLOCK_SKEW if changed_at is None else changed_at + _PUBLICATION_DELAY
