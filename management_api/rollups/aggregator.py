"""Counts new records every few seconds, in a thread of each event consumer.

The rounds of all consumers begin at the same moments of the clock, and the first one to lock a project counts it: so
a project gets one set of deltas in a round, however many consumers there are.
"""

import threading
import time
from collections.abc import Iterator

import psycopg
import structlog
from msgspec import DecodeError
from sqlalchemy.exc import SQLAlchemyError

from common.errors import UnavailableError
from management_api.db.engine import Database, allow_long_statements
from management_api.db.models.maintenance import MAX_FAILING_SECONDS, record_failure, record_success
from management_api.db.project_locks import lock_free_projects
from management_api.db.psycopg_connection import driver_connection, driver_cursor
from management_api.rollups.compaction import days_to_compact, merge_deltas
from management_api.rollups.counting import MAX_RECORDS, count_projects, uncounted_projects

log = structlog.stdlib.get_logger(__name__)

#: Statistics show events after so many seconds at most, and the time of a count.
ROUND_SECONDS = 4.0
#: The projects of one transaction, as far as they have few records.
PROJECTS_AT_ONCE = 100
STATEMENT_MINUTES = 2
#: The name of the chore in the table of chores, and how often its state is written.
CHORE, RECORD_SECONDS = "counting", 60.0
#: The default of the setting: the keys of one breakdown on one day.
MAX_KEYS = 5000

_OUTAGES = (UnavailableError, SQLAlchemyError, psycopg.Error)
_FAULTS = (DecodeError, ValueError, OverflowError, *_OUTAGES)
#: A deadlock, a serialization failure, a lock timeout and a statement timeout.
_CANCELLED = frozenset({"40P01", "40001", "55P03", "57014"})


class Aggregator:
    """The rounds of one process."""

    def __init__(self, database: Database, *, max_keys: int = MAX_KEYS, every_seconds: float = ROUND_SECONDS) -> None:
        self._database = database
        self._max_keys = max_keys
        self._every_seconds = every_seconds
        #: The projects that could not be counted in this round, and the error of the last one.
        self._failing: dict[str, str] = {}
        self._succeeded_at = time.monotonic()
        self._next_record = 0.0

    @property
    def is_well(self) -> bool:
        """Whether a round has counted all projects not long ago."""
        return time.monotonic() - self._succeeded_at < MAX_FAILING_SECONDS

    def run_until(self, stop: threading.Event) -> None:
        """Run rounds until the stop is set, and one after it. No error ends it."""
        is_last = False
        while not is_last:
            is_last = stop.wait(self._every_seconds - time.time() % self._every_seconds)
            try:
                self.count_all()
                self._record()
            except Exception as error:
                is_outage = isinstance(error, _OUTAGES)
                log.warning("rollups.not_counted", error=type(error).__name__, exc_info=None if is_outage else error)

    def _record(self) -> None:
        """Store the state of the chore, at most once a minute."""
        if not self._failing:
            self._succeeded_at = time.monotonic()
        if time.monotonic() < self._next_record:
            return
        self._next_record = time.monotonic() + RECORD_SECONDS
        with self._database.transaction() as session:
            connection = driver_connection(session)
            if self._failing:
                project_id, reason = next(iter(self._failing.items()))
                record_failure(connection, CHORE, f"{len(self._failing)} failed, the first for {project_id}: {reason}")
            else:
                record_success(connection, CHORE)

    def count_all(self) -> None:
        """Count all records that are stored when it begins, a portion of each project in turn.

        Logs the error of a project that cannot be counted. Raises UnavailableError in an outage.
        """
        self._failing = {}
        has_more = True
        while has_more:
            has_more = False
            for project_ids in self._portions():
                has_more |= self._count(project_ids)

    def _portions(self) -> Iterator[list[str]]:
        """Yield projects with uncounted records, together as many as fit into one transaction."""
        after = ""
        while True:
            with self._database.transaction(index_scans_only=True) as session:
                found = uncounted_projects(driver_cursor(session), after, PROJECTS_AT_ONCE)
            if not found:
                return
            portion: list[str] = []
            records = 0
            for project_id, waiting in found:
                if portion and records + waiting > MAX_RECORDS:
                    yield portion
                    portion, records = [], 0
                portion.append(project_id)
                records += waiting
            yield portion
            after = found[-1][0]

    def _count(self, project_ids: list[str]) -> bool:
        """Count a portion of projects; return whether any of them has more to count."""
        project_ids = [project_id for project_id in project_ids if project_id not in self._failing]
        if not project_ids:
            return False
        try:
            with self._database.transaction(index_scans_only=True) as session:
                allow_long_statements(session, minutes=STATEMENT_MINUTES)
                counted = count_projects(driver_cursor(session), project_ids, self._max_keys)
        except _FAULTS as error:
            if not _is_of_projects(error):
                raise
            if len(project_ids) > 1:
                has_more = [self._count([project_id]) for project_id in project_ids]
                return any(has_more)
            first_line, _, _ = str(error.__cause__ or error).partition("\n")
            reason = f"{type(error).__name__}: {first_line}"
            log.warning("rollups.project_not_counted", project_id=project_ids[0], reason=reason)
            self._failing[project_ids[0]] = reason
            return False
        self._merge(counted.keys)
        return counted.has_more

    def _merge(self, keys: dict[tuple[str, int | None], int]) -> None:
        if not keys:
            return
        with self._database.transaction(index_scans_only=True) as session:
            days = days_to_compact(driver_cursor(session), keys)
        for project_id, day in days:
            try:
                self._merge_day(project_id, day)
            except _FAULTS as error:
                if not _is_of_projects(error):
                    raise
                # The day stays right, and is only slower to read.
                log.warning("rollups.day_not_merged", project_id=project_id, day=day, error=type(error).__name__)

    def _merge_day(self, project_id: str, day: int | None) -> None:
        with self._database.transaction(index_scans_only=True) as session:
            allow_long_statements(session, minutes=STATEMENT_MINUTES)
            cursor = driver_cursor(session)
            # Rollups that were written after the project's own rows are gone would stay.
            if lock_free_projects(cursor, [project_id]).held:
                merge_deltas(cursor, project_id, day)


def _is_of_projects(error: Exception) -> bool:
    """Return whether the records or rows of a project are the cause, not the server."""
    if isinstance(error, UnavailableError):
        return getattr(error.__cause__, "sqlstate", None) in _CANCELLED
    return True
