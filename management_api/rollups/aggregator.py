"""Counts new records every few seconds, as a chore of each event consumer.

The rounds of all consumers begin at the same moments of the clock, and the first one to lock a project counts it: so
a project gets one set of deltas in a round, however many consumers there are.
"""

from collections.abc import Iterator

import structlog
from msgspec import DecodeError

from management_api.db.engine import Database, allow_long_statements
from management_api.db.project_locks import lock_free_projects
from management_api.db.psycopg_connection import driver_cursor
from management_api.db.transient_errors import OUTAGES, describe_error, is_outage
from management_api.rollups.compaction import days_to_compact, merge_deltas
from management_api.rollups.counting import MAX_RECORDS, count_projects, uncounted_projects

log = structlog.stdlib.get_logger(__name__)

#: Statistics show events after so many seconds at most, and the time of a count.
ROUND_SECONDS = 4.0
#: The projects of one transaction, as far as they have few records.
PROJECTS_AT_ONCE = 100
STATEMENT_MINUTES = 2
#: The default of the setting: the keys of one breakdown on one day.
MAX_KEYS = 5000

_FAULTS = (DecodeError, ValueError, OverflowError, *OUTAGES)


class Aggregator:
    """Counts what no rollup counts yet."""

    def __init__(self, database: Database, *, max_keys: int = MAX_KEYS) -> None:
        self._database = database
        self._max_keys = max_keys
        #: The projects that could not be counted, and the error of each.
        self._failing: dict[str, str] = {}

    def count_all(self) -> dict[str, str]:
        """Count all records that are stored when it begins, a portion of each project in turn.

        Returns the error of each project that cannot be counted. Raises UnavailableError in an outage.
        """
        self._failing = {}
        has_more = True
        while has_more:
            has_more = False
            for project_ids in self._portions():
                has_more |= self._count(project_ids)
        return self._failing

    def _portions(self) -> Iterator[list[str]]:
        """Yield projects with uncounted records, together as many as fit into one transaction."""
        after = ""
        while True:
            with self._database.transaction() as session:
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
            with self._database.transaction() as session:
                allow_long_statements(session, minutes=STATEMENT_MINUTES)
                counted = count_projects(driver_cursor(session), project_ids, self._max_keys)
        except _FAULTS as error:
            if is_outage(error):
                raise
            if len(project_ids) > 1:
                has_more = [self._count([project_id]) for project_id in project_ids]
                return any(has_more)
            reason = ": ".join(describe_error(error))
            log.warning("rollups.project_not_counted", project_id=project_ids[0], reason=reason)
            self._failing[project_ids[0]] = reason
            return False
        self._merge(counted.keys)
        return counted.has_more

    def _merge(self, keys: dict[tuple[str, int | None], int]) -> None:
        if not keys:
            return
        with self._database.transaction() as session:
            days = days_to_compact(driver_cursor(session), keys)
        for project_id, day in days:
            try:
                self._merge_day(project_id, day)
            except _FAULTS as error:
                if is_outage(error):
                    raise
                # The day stays right, and is only slower to read.
                log.warning("rollups.day_not_merged", project_id=project_id, day=day, error=type(error).__name__)

    def _merge_day(self, project_id: str, day: int | None) -> None:
        with self._database.transaction() as session:
            allow_long_statements(session, minutes=STATEMENT_MINUTES)
            cursor = driver_cursor(session)
            # Rollups that were written after the project's own rows are gone would stay.
            if lock_free_projects(cursor, [project_id]).held:
                merge_deltas(cursor, project_id, day)
