"""Upkeep of what events are stored in: cells merged, partitions made and dropped, erasures ended, ids expired.

Every event consumer offers to do it; whoever holds the lock does. Nothing depends on when it is done, and whatever is
interrupted is done by the next round.
"""

import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import psycopg
import structlog
from sqlalchemy.exc import SQLAlchemyError

from common.errors import UnavailableError
from common.timestamps import utc_now
from management_api.activity.cell_merging import merge_day, scattered_days
from management_api.activity.erasing import complete_interrupted_erasures
from management_api.activity.partitions import LOCK_TIMEOUT, drop_partitions, make_partitions
from management_api.activity.recomputation import count_uncounted_projects
from management_api.database.driver import driver_connection, driver_cursor
from management_api.database.transactions import Database
from management_api.database.watchdog import allow_long_statements

log = structlog.stdlib.get_logger(__name__)

#: Held by the session that does the upkeep.
UPKEEP_LOCK = 7_310_260_518
#: Ids of events are known for this long at least (contract, section 4).
TURN = timedelta(days=7)
#: Cells in so many pieces are merged at once, those in fewer now and then.
MANY_PIECES, FEW_PIECES = 500, 2
DAYS_AT_ONCE = 100
SECONDS_BETWEEN_LARGE_ROUNDS = 600.0
STATEMENT_MINUTES = 10

OUTAGES = (UnavailableError, SQLAlchemyError, psycopg.Error)


class Upkeep:
    """The rounds of one process."""

    def __init__(self, database: Database, *, keep_days: int, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._keep_days = keep_days
        self._now = now
        self._next_large = 0.0

    def run_until(self, stop: threading.Event, *, every_seconds: float) -> None:
        """Do rounds until told to stop; an outage is waited out."""
        while not stop.is_set():
            try:
                self.round(is_large=time.monotonic() >= self._next_large)
            except OUTAGES as error:
                log.warning("upkeep.failed", error=type(error).__name__)
            stop.wait(every_seconds)

    def round(self, *, is_large: bool) -> None:
        """Do what is due, unless another process is at it; a large round looks after everything."""
        with self._database.transaction() as session:
            connection = driver_connection(session)
            if not _first(connection, "SELECT pg_try_advisory_xact_lock(%s)", [UPKEEP_LOCK]):
                return
            # It only holds the lock while other connections work.
            connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            if is_large:
                self._next_large = time.monotonic() + SECONDS_BETWEEN_LARGE_ROUNDS
                self._large_round()
            self._merge(FEW_PIECES if is_large else MANY_PIECES)

    def _large_round(self) -> None:
        self._change_turns()
        with self._database.transaction() as session:
            made = make_partitions(driver_connection(session), self._now())
        with self._database.transaction() as session:
            dropped = drop_partitions(driver_connection(session), self._now(), keep_days=self._keep_days)
        if made or dropped:
            log.info("upkeep.partitions", made=made, dropped=dropped)
        complete_interrupted_erasures(self._database)
        count_uncounted_projects(self._database)

    def _merge(self, pieces: int) -> None:
        with self._database.transaction() as session:
            days = scattered_days(driver_connection(session).cursor(), pieces=pieces, limit=DAYS_AT_ONCE)
        for project_id, day in days:
            with self._database.transaction() as session:
                allow_long_statements(session, minutes=STATEMENT_MINUTES)
                merge_day(driver_cursor(session), project_id, day)

    def _change_turns(self) -> None:
        """Let the tables of recent ids change turns when it is time: the older one is emptied and filled anew."""
        with self._database.transaction() as session:
            connection = driver_connection(session)
            connection.execute(LOCK_TIMEOUT)
            turn = _first(
                connection,
                "UPDATE event_storage SET turn = turn + 1, turn_since = %(now)s WHERE turn_since <= %(now)s - %(turn)s"
                " RETURNING turn",
                {"now": self._now(), "turn": TURN},
            )
            if turn is not None:
                connection.execute(f"TRUNCATE recent_event_ids_{('even', 'odd')[turn % 2]}".encode())


def _first(connection: psycopg.Connection[Any], statement: str, values: Any) -> Any:  # noqa: ANN401 - what a row holds
    row = connection.execute(statement.encode(), values).fetchone()
    return None if row is None else row[0]
