"""Background work: compaction and retention of events, erasures, deleted projects, first versions, preview links.

Every event consumer tries it in rounds; one of them, which holds the lock, does it. Chores that may take hours have
rounds and a lock of their own, so that no other chore waits for them. Nothing depends on the time of a
round, and an interrupted chore is repeated by the next one. An error of one chore, or of one project, stops no other.
"""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import psycopg
import structlog
from sqlalchemy import bindparam, delete, exists, insert, literal, literal_column, select, tuple_
from sqlalchemy.exc import SQLAlchemyError

from common.errors import OnboardingError, UnavailableError
from common.timestamps import utc_now
from management_api.db.engine import Database, allow_long_statements
from management_api.db.models.flow_history import FlowVersion, PreviewLink, VersionOrigin, document_of_rows
from management_api.db.models.flows import Flow
from management_api.db.models.maintenance import MAX_FAILING_SECONDS, record_failure, record_success
from management_api.db.models.projects import Project
from management_api.db.models.users import IdempotencyKey
from management_api.db.project_locks import share_project
from management_api.db.psycopg_connection import driver_connection, driver_cursor
from management_api.rollups.compaction import compact_day, ended_days
from management_api.rollups.erasure import complete_erasures, projects_with_erasures
from management_api.rollups.experiment_users import store_counts, uncounted_experiments
from management_api.rollups.partitions import EVENT_IDS, drop_id_partitions, drop_partitions, make_partitions
from management_api.rollups.purge import purge_orphans, purge_project, unpurged_projects
from management_api.rollups.storage import day_of

log = structlog.stdlib.get_logger(__name__)

#: The advisory locks of the processes that do a round of short chores, and one of long chores.
MAINTENANCE_LOCK, LONG_CHORES_LOCK = 7_310_260_518, 7_310_260_519
#: The days that one round compacts.
DAYS_AT_ONCE = 1000
#: Expired idempotency keys that one transaction deletes.
KEYS_AT_ONCE = 1000
_KEY_COLUMNS = (IdempotencyKey.user_id, IdempotencyKey.key)
LARGE_ROUND_SECONDS = 600.0
ORPHANS_SECONDS = 6 * 3600.0
COMPACTION_SECONDS = 60.0
RESULTS_SECONDS = 60.0
#: A chore that failed is repeated after this time; most of them take locks that ingestion waits for.
RETRY_SECONDS = 30.0
STATEMENT_MINUTES = 10

OUTAGES = (UnavailableError, SQLAlchemyError, psycopg.Error)

#: A deadlock, a serialization failure, a lock timeout and a statement timeout.
_CANCELLED = frozenset({"40P01", "40001", "55P03", "57014"})

#: A project, and the part of it that is worked on.
Part = TypeVar("Part", bound=tuple[Any, ...])

_HAS_NO_VERSION = ~exists().where(FlowVersion.flow_id == Flow.id)
_MAKE_FIRST_VERSIONS = insert(FlowVersion).from_select(
    ["flow_id", "number", "project_id", "origin", "document"],
    select(
        Flow.id, literal_column("1"), Flow.project_id, literal(VersionOrigin.CREATED.value), document_of_rows()
    ).where(Flow.project_id == bindparam("of_project"), _HAS_NO_VERSION),
)


class FailedProjectsError(OnboardingError):
    """A chore failed for some projects, and was done for all others."""

    def __init__(self, failed: int, tried: int, first: str) -> None:
        super().__init__(f"{failed} of {tried} failed, the first for {first}")
        self.failed = failed


@dataclass(slots=True)
class Chore:
    """A chore of one process: `due_at` and `failing_since` are monotonic seconds."""

    name: str
    run: Callable[[], None]
    every_seconds: float = LARGE_ROUND_SECONDS
    #: Whether it may take hours.
    is_long: bool = False
    due_at: float = 0.0
    failing_since: float | None = None


class Maintenance:
    """The rounds of one process."""

    def __init__(
        self,
        database: Database,
        *,
        keep_days: int,
        now: Callable[[], datetime] = utc_now,
        retry_seconds: float = RETRY_SECONDS,
        max_failing_seconds: float = MAX_FAILING_SECONDS,
    ) -> None:
        self._database = database
        self._keep_days = keep_days
        self._now = now
        self._retry_seconds = retry_seconds
        self._max_failing_seconds = max_failing_seconds
        #: The days whose compaction failed the last time. They do not count among the DAYS_AT_ONCE.
        self._failing_days = 0
        # The quick ones come first.
        self._chores = (
            Chore("event_ids", self._renew_id_partitions),
            Chore("partitions", self._make_partitions),
            Chore("retention", self._drop_partitions),
            Chore("preview_links", self._delete_preview_links),
            Chore("idempotency_keys", self._delete_idempotency_keys),
            Chore("first_versions", self._make_first_versions),
            Chore("results", self._store_results, every_seconds=RESULTS_SECONDS),
            Chore("compaction", self._compact, every_seconds=COMPACTION_SECONDS),
            Chore("erasures", self._complete_erasures, every_seconds=0.0, is_long=True),
            Chore("deletions", self._purge_projects, every_seconds=0.0, is_long=True),
            Chore("orphans", lambda: purge_orphans(self._database), every_seconds=ORPHANS_SECONDS, is_long=True),
        )

    @property
    def is_well(self) -> bool:
        """Whether no chore of this process has failed for too long."""
        longest = time.monotonic() - self._max_failing_seconds
        return all(chore.failing_since is None or chore.failing_since > longest for chore in self._chores)

    def run_until(self, stop: threading.Event, *, every_seconds: float, is_long: bool) -> None:
        """Run rounds of short or of long chores until the stop is set. No error ends it."""
        while not stop.is_set():
            try:
                self.round_of(is_long=is_long)
            except Exception as error:  # noqa: BLE001 - an error would end the thread unnoticed
                _log_failure("maintenance.failed", error, exc_info=None if isinstance(error, OUTAGES) else error)
            stop.wait(every_seconds)

    def round(self, *, is_large: bool = False) -> None:
        """Run the short and then the long chores. Raises like `round_of`."""
        for is_long in (False, True):
            self.round_of(is_long=is_long, is_large=is_large)

    def round_of(self, *, is_long: bool, is_large: bool = False) -> None:
        """Run the short or the long chores that are due, or all of them in a large round.

        Another process may be doing such a round; then nothing is done.
        The error of a chore is logged and recorded, not raised. Raises UnavailableError if PostgreSQL is not available.
        """
        with self._database.transaction() as session:
            connection = driver_connection(session)
            lock = LONG_CHORES_LOCK if is_long else MAINTENANCE_LOCK
            if not _first(connection, "SELECT pg_try_advisory_xact_lock(%s)", [lock]):
                return
            # This connection only holds the lock while others work.
            connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            for chore in self._chores:
                if chore.is_long is is_long and (is_large or chore.due_at <= time.monotonic()):
                    self._run_chore(chore)

    def _run_chore(self, chore: Chore) -> None:
        try:
            chore.run()
        except Exception as error:  # noqa: BLE001 - the other chores are done after any error
            # A chore may fail for days: the traceback of a defect is logged once.
            traceback = None if isinstance(error, OUTAGES) or chore.failing_since is not None else error
            _log_failure("maintenance.chore_failed", error, chore=chore.name, exc_info=traceback)
            chore.due_at = time.monotonic() + self._retry_seconds
            if chore.failing_since is None:
                chore.failing_since = time.monotonic()
            reason = ": ".join(_described(error))
            self._record(lambda connection: record_failure(connection, chore.name, reason))
        else:
            chore.due_at = time.monotonic() + chore.every_seconds
            chore.failing_since = None
            self._record(lambda connection: record_success(connection, chore.name))

    def _record(self, record: Callable[[psycopg.Connection[Any]], None]) -> None:
        try:
            with self._database.transaction() as session:
                record(driver_connection(session))
        except OUTAGES as error:
            _log_failure("maintenance.not_noted", error)

    @staticmethod
    def _for_each(chore: str, parts: Sequence[Part], work: Callable[[Part], None]) -> None:
        """Run the work for each part, which begins with the id of its project.

        Raises FailedProjectsError at the end if any failed, from the first error. Raises UnavailableError at once in an
        outage.
        """
        failures: list[tuple[str, Exception]] = []
        for part in parts:
            try:
                work(part)
            except Exception as error:
                if isinstance(error, UnavailableError) and not _concerns_one_project(error):
                    raise
                _log_failure("maintenance.project_failed", error, chore=chore, project_id=part[0])
                failures.append((part[0], error))
        if failures:
            project_id, first = failures[0]
            name, reason = _described(first)
            raise FailedProjectsError(len(failures), len(parts), f"{project_id}: {name}: {reason}") from first

    def _renew_id_partitions(self) -> None:
        with self._database.transaction() as session:
            made = make_partitions(driver_connection(session), self._now(), EVENT_IDS)
        with self._database.transaction() as session:
            dropped = drop_id_partitions(driver_connection(session), self._now())
        if made or dropped:
            log.info("maintenance.partitions", made=made, dropped=dropped)

    def _make_partitions(self) -> None:
        with self._database.transaction() as session:
            made = make_partitions(driver_connection(session), self._now())
        if made:
            log.info("maintenance.partitions", made=made)

    def _drop_partitions(self) -> None:
        with self._database.transaction() as session:
            dropped = drop_partitions(driver_connection(session), self._now(), keep_days=self._keep_days)
        if dropped:
            log.info("maintenance.partitions", dropped=dropped)

    def _delete_preview_links(self) -> None:
        with self._database.transaction() as session:
            session.execute(delete(PreviewLink).where(~PreviewLink.is_valid()))

    def _delete_idempotency_keys(self) -> None:
        # Locked rows are skipped: a request may be claiming an expired key again.
        expired = select(*_KEY_COLUMNS).where(IdempotencyKey.is_expired()).limit(KEYS_AT_ONCE)
        portion = expired.with_for_update(skip_locked=True)
        deleted = KEYS_AT_ONCE
        while deleted == KEYS_AT_ONCE:
            with self._database.transaction() as session:
                statement = delete(IdempotencyKey).where(tuple_(*_KEY_COLUMNS).in_(portion))
                deleted = len(session.execute(statement.returning(IdempotencyKey.key)).all())

    def _make_first_versions(self) -> None:
        """Create the first version of flows that release 0.2.0 has created since the migration."""
        with self._database.transaction() as session:
            projects: Sequence[tuple[str]] = session.execute(
                select(Flow.project_id).where(_HAS_NO_VERSION).distinct()
            ).all()
        self._for_each("first_versions", projects, lambda part: self._make_first_versions_of(*part))

    def _make_first_versions_of(self, project_id: str) -> None:
        with self._database.transaction() as session:
            # As every change of the project does, so that none makes the same version.
            session.execute(select(Project.id).where(Project.id == project_id).with_for_update(key_share=True))
            session.connection().execute(_MAKE_FIRST_VERSIONS, {"of_project": project_id})

    def _compact(self) -> None:
        """Compact days that have ended. Until then each count of new events may merge deltas of its days."""
        today, limit = day_of(self._now().date()), DAYS_AT_ONCE + self._failing_days
        with self._database.transaction(index_scans_only=True) as session:
            days = ended_days(driver_cursor(session), today, limit)
        self._failing_days = 0
        try:
            self._for_each("compaction", days, self._compact_day)
        except FailedProjectsError as error:
            self._failing_days = error.failed
            raise

    def _compact_day(self, part: tuple[str, int]) -> None:
        project_id, day = part
        with self._database.transaction() as session:
            allow_long_statements(session, minutes=STATEMENT_MINUTES)
            cursor = driver_cursor(session)
            # Rollups that were written after the project's own rows are gone would stay.
            if share_project(cursor, project_id):
                compact_day(cursor, project_id, day)

    def _purge_projects(self) -> None:
        projects = unpurged_projects(self._database)
        self._for_each("deletions", projects, lambda part: purge_project(self._database, *part))

    def _store_results(self) -> None:
        """Store the counts of completed experiments."""
        experiments = uncounted_experiments(self._database)
        self._for_each("results", experiments, lambda part: store_counts(self._database, part[1]))

    def _complete_erasures(self) -> None:
        projects = projects_with_erasures(self._database)
        self._for_each("erasures", projects, lambda part: complete_erasures(self._database, *part))


def _concerns_one_project(error: UnavailableError) -> bool:
    """Return whether PostgreSQL is available, and cancelled this one statement."""
    return getattr(error.__cause__, "sqlstate", None) in _CANCELLED


def _log_failure(event: str, error: Exception, **context: object) -> None:
    name, reason = _described(error)
    log.warning(event, error=name, reason=reason, **context)


def _described(error: Exception) -> tuple[str, str]:
    """Return the type of the error, and the first line of its text: further ones show rows."""
    cause = error.__cause__ if isinstance(error, UnavailableError) and error.__cause__ else error
    return type(cause).__name__, str(cause).partition("\n")[0]


def _first(connection: psycopg.Connection[Any], statement: str, values: Any) -> Any:  # noqa: ANN401 - the column of any type
    row = connection.execute(statement.encode(), values).fetchone()
    return None if row is None else row[0]
