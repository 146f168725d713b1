"""Counts a project again from its raw events and exposures, compares the result with its rollups, and repairs them.

It may run while events are being stored and counted. Each day is compared at one moment, in a transaction of its own,
so an interrupted run may simply be repeated. At each moment the rollups and the uncounted batches together count
exactly the raw rows: events and their uncounted batch are stored by one transaction, and counted by one. A repair also
keeps others from counting and from replacing rollups of the project while it works on a day.

Raw events of old days may have been dropped for their age, while the rollups still count them. On these days only
events that the rollups do not count are a discrepancy.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import Any

import psycopg
from pyroaring import BitMap
from sqlalchemy import text
from sqlalchemy.orm import Session

from management_api.db.engine import Database, allow_long_statements
from management_api.db.psycopg_connection import driver_connection, driver_cursor
from management_api.rollups.checkpoints import delete_checkpoints
from management_api.rollups.counting import count_batches, lock_counting
from management_api.rollups.devices import number_devices
from management_api.rollups.erasure import DAYS
from management_api.rollups.partitions import first_kept_day
from management_api.rollups.recount import Part, Rollups, Snapshot, events_of_day, exposures
from management_api.rollups.rollup import (
    Breakdown,
    Rollup,
    RollupKey,
    all_time_rollups,
    combine,
)
from management_api.rollups.storage import (
    StoredRollup,
    date_of,
    day_of,
    delete_rollups,
    lock_rollups,
    read_stored_day,
    read_stored_rollups,
    write_rollups,
)
from management_api.rollups.totals import refresh_totals, wrong_totals
from management_api.rollups.uncounted import read_uncounted

#: For the statements of a day, and for the connection that only holds locks meanwhile.
STATEMENT_MINUTES = 15
NO_IDLE_TIMEOUT = text("SET LOCAL idle_in_transaction_session_timeout = 0")

#: Held until the commit.
LOCK_NUMBERING = """
    INSERT INTO project_totals (project_id) SELECT id FROM projects WHERE id = %s
    ON CONFLICT (project_id) DO UPDATE SET devices = project_totals.devices
"""
COUNT_DEVICES = """
    SELECT coalesce((SELECT devices FROM project_totals WHERE project_id = %(project)s), 0),
        (SELECT count(*) FROM devices WHERE project_id = %(project)s)
            + coalesce((SELECT aged_devices FROM project_totals WHERE project_id = %(project)s), 0)
"""
#: No number is used twice, so the next one is above all that are used.
STORE_DEVICE_COUNT = """
    UPDATE project_totals SET devices = %(count)s, next_number = greatest(next_number, (
        SELECT max(number) + 1 FROM devices WHERE project_id = %(project)s
    )) WHERE project_id = %(project)s
"""
FIND_ERASED_NUMBERS = "SELECT number FROM pending_erasures WHERE project_id = %s AND number IS NOT NULL"


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """A stored value that differs from the raw tables. `day` is None where all days are counted together."""

    project_id: str
    subject: str
    day: date | None
    stored: str
    recomputed: str


def rebuild_project(
    database: Database, project_id: str, *, repair: bool, on_day: Callable[[int, int], None] = lambda _done, _all: None
) -> list[Discrepancy]:
    """Compare the rollups of a project with the raw tables, and with `repair` replace those that differ.

    Calls `on_day` with the number of steps that are done, and of all: one for each day, one for the exposures and one
    for all days together. Each step has a snapshot of the database for as long as it reads.
    """
    rebuild = _Rebuild(database, project_id, repair=repair)
    days = rebuild.days()
    readers: list[Callable[[Snapshot], Part]] = [
        *(partial(events_of_day, day=day) for day in days),
        exposures,
        rebuild.all_days,
    ]
    for done, read in enumerate(readers, 1):
        rebuild.compare(read)
        on_day(done, len(readers))
    return rebuild.device_discrepancies() + rebuild.discrepancies + rebuild.total_discrepancies()


class _Rebuild:
    """The comparison of one project."""

    def __init__(self, database: Database, project_id: str, *, repair: bool) -> None:
        self._database = database
        self._project_id = project_id
        self._repair = repair
        self.discrepancies: list[Discrepancy] = []
        self._unnumbered: set[str] = set()
        #: Rollups as they should be, in place of stored ones that differ and are not repaired.
        self._corrected: dict[RollupKey, Rollup] = {}

    def days(self) -> list[int]:
        """Return the days with events or rollups."""
        with self._database.transaction() as session:
            allow_long_statements(session, minutes=STATEMENT_MINUTES)
            found = driver_connection(session).execute(DAYS, {"project": self._project_id}).fetchall()
        return [day for (day,) in found if day is not None]

    def compare(self, read: Callable[[Snapshot], Part]) -> None:
        """Compare a part of the rollups, and repair it. Devices without a number get one first."""
        while True:
            with self._snapshot() as snapshot:
                part = read(snapshot)
                missing = part.unnumbered - snapshot.waiting
                self._unnumbered |= missing
                if not (self._repair and missing):
                    self._compare(snapshot, part)
                    return
            self._number(missing)

    def all_days(self, snapshot: Snapshot) -> Part:
        """Sum the rollups by day, which are never dropped. Uncounted batches are in neither sum."""
        found = all_time_rollups(self._corrected)
        for _, key, columns in read_stored_rollups(snapshot.cursor, snapshot.project_id, Breakdown.FLOW):
            rollup = _readable(columns)
            if rollup is not None and key not in self._corrected:
                for all_time, added in all_time_rollups({key: rollup.without(snapshot.erased)}).items():
                    found[all_time] = combine([found[all_time], added]) if all_time in found else added
        stored = read_stored_day(snapshot.cursor, snapshot.project_id, None)
        return Part(list(stored), found, {}, set())

    def device_discrepancies(self) -> list[Discrepancy]:
        """Return the devices that had no number, and a wrong number of devices, which is repaired with `repair`.

        A device without any events or exposures keeps its number.
        """
        found = []
        if self._unnumbered:
            subject = "devices without a number"
            found.append(Discrepancy(self._project_id, subject, None, "none", str(len(self._unnumbered))))
        values = {"project": self._project_id}
        with self._database.transaction() as session:
            allow_long_statements(session, minutes=STATEMENT_MINUTES)
            connection = driver_connection(session)
            if self._repair:
                connection.execute(LOCK_NUMBERING, [self._project_id])
            [(stored, counted)] = connection.execute(COUNT_DEVICES, values).fetchall()
            if stored != counted:
                found.append(Discrepancy(self._project_id, "devices", None, str(stored), str(counted)))
                if self._repair:
                    connection.execute(STORE_DEVICE_COUNT, {**values, "count": counted})
        return found

    def total_discrepancies(self) -> list[Discrepancy]:
        """Return the totals that count the rollups wrongly, and with `repair` count all totals anew."""
        with self._database.transaction() as session:
            allow_long_statements(session, minutes=STATEMENT_MINUTES)
            cursor = driver_cursor(session)
            wrong = wrong_totals(cursor, self._project_id)
            if self._repair:
                refresh_totals(cursor, [self._project_id])
        return [
            Discrepancy(self._project_id, f"totals of {right.flow_id or 'all flows'}", None, str(stored), str(right))
            for stored, right in wrong
        ]

    def _number(self, device_ids: AbstractSet[str]) -> None:
        with self._database.transaction() as session:
            allow_long_statements(session, minutes=STATEMENT_MINUTES)
            devices = [(self._project_id, device_id) for device_id in sorted(device_ids)]
            number_devices(driver_cursor(session), devices, {})

    @contextmanager
    def _snapshot(self) -> Iterator[Snapshot]:
        with ExitStack() as stack:
            if self._repair:
                # Another connection holds the locks: the moment at which this one reads begins with its first
                # statement, which must not be the one that waits.
                holder = stack.enter_context(self._database.transaction())
                _allow_long_transaction(holder)
                lock_counting(driver_cursor(holder), self._project_id)
                lock_rollups(driver_cursor(holder), self._project_id)
            session = stack.enter_context(self._database.repeatable_read())
            _allow_long_transaction(session)
            cursor = driver_cursor(session)
            batches = read_uncounted(cursor, self._project_id)
            complete_from = _complete_from(cursor)
            cursor.execute(FIND_ERASED_NUMBERS, [self._project_id])
            yield Snapshot(
                cursor,
                self._project_id,
                BitMap([number for (number,) in cursor]),
                count_batches(cursor, batches, max_keys=None).get(self._project_id, {}),
                {device_id for batch in batches for device_id in batch.records.devices},
                None if complete_from is None else day_of(first_kept_day(complete_from)),
            )

    def _compare(self, snapshot: Snapshot, part: Part) -> None:
        """Compare stored rollups, and those that are about to be added, with the counted ones; replace them."""
        deltas: defaultdict[RollupKey, list[Rollup]] = defaultdict(list)
        damaged: set[RollupKey] = set()
        for _, key, columns in part.stored:
            rollup = _readable(columns)
            if rollup is None:
                damaged.add(key)
                # On days whose raw events have been dropped, the number of events stays and the devices are lost.
                rollup = Rollup.from_occurrences([], [] if key.keeps_times else None)
                rollup.events = columns[0]
            deltas[key].append(rollup.without(snapshot.erased))
        for key, rollup in part.uncounted.items():
            deltas[key].append(rollup)
        stored = {key: combine(parts) for key, parts in deltas.items()}
        whole = {key: rollup for key, rollup in stored.items() if not snapshot.is_complete(key.day)}
        expected = part.counted if not whole else _with_uncounted(whole, part.counted)
        discrepancies = list(_discrepancies(self._project_id, stored, expected, damaged))
        self.discrepancies += discrepancies
        if not discrepancies:
            return
        right = {key: _less(rollup, part.uncounted.get(key)) for key, rollup in expected.items()}
        if self._repair:
            delete_checkpoints(snapshot.cursor, self._project_id)
            delete_rollups(snapshot.cursor, [row for row, _, _ in part.stored])
            rollups = ((self._project_id, key, rollup) for key, rollup in right.items())
            write_rollups(snapshot.cursor, rollups, is_compacted=True)
        else:
            self._corrected |= dict.fromkeys(stored, Rollup()) | right


def _allow_long_transaction(session: Session) -> None:
    allow_long_statements(session, minutes=STATEMENT_MINUTES)
    session.execute(NO_IDLE_TIMEOUT)


def _complete_from(cursor: psycopg.Cursor[Any]) -> datetime | None:
    """Return the moment from which on no raw event has been dropped; None: none was dropped."""
    row = cursor.execute("SELECT complete_from FROM event_storage").fetchone()
    return None if row is None else row[0]


def _less(rollup: Rollup, uncounted: Rollup | None) -> Rollup:
    """Return the rollup without the events that are about to be added; adding a device again changes nothing."""
    return rollup if uncounted is None else Rollup(rollup.events - uncounted.events, rollup.devices, rollup.times)


def _readable(columns: StoredRollup) -> Rollup | None:
    """Return a stored rollup, None for a damaged one."""
    try:
        return Rollup.from_row(*columns)
    except ValueError:
        return None


def _with_uncounted(stored: Rollups, counted: Rollups) -> Rollups:
    """Return the stored rollups, with events and devices that only the raw tables have."""
    expected = dict(stored)
    for key, rollup in counted.items():
        if key not in expected:
            expected[key] = rollup
        elif not rollup.devices <= expected[key].devices or rollup.events > expected[key].events:
            both = combine([expected[key], rollup])
            expected[key] = Rollup(max(expected[key].events, rollup.events), both.devices, both.times)
    return expected


def _discrepancies(
    project_id: str, stored: Rollups, expected: Rollups, damaged: AbstractSet[RollupKey]
) -> Iterator[Discrepancy]:
    for key in sorted(stored.keys() | expected.keys(), key=str):
        here, there = stored.get(key, Rollup()), expected.get(key, Rollup())
        is_damaged = key in damaged
        if is_damaged or (here != there and (here.events or here.devices or there.events or there.devices)):
            columns = [f"{name}={value}" for name, value in zip(key._fields[2:], key[2:], strict=True) if value]
            day: date | None = None if key.day is None else date_of(key.day)
            subject = " ".join([key.breakdown.value, *columns])
            described = "a damaged row" if is_damaged else _described(here)
            yield Discrepancy(project_id, subject, day, described, _described(there))


def _described(rollup: Rollup) -> str:
    return f"{rollup.events} events, {len(rollup.devices)} devices"
