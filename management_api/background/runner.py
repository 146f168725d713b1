"""Runs chores: work beside the requests and the event streams, each of them at an interval.

A chore is a row of a table (`chores.py`, `publisher/schedules.py`). The chores of a lane take turns in one thread, so a
chore that may take minutes has a lane of its own, or one whose other chores can wait. Each chore has a lock of its name
in PostgreSQL and a row in `maintenance_chores`. Several processes have the same chores; one of them does a chore at a
time. A chore is repeated after any error, and after a process that died in it, so it may be done twice.
"""

import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Generic, TypeVar

import structlog
from sqlalchemy.orm import Session

from management_api.background.health import MAX_FAILING_SECONDS, record_failure, record_success
from management_api.db.engine import Database
from management_api.db.psycopg_connection import driver_connection
from management_api.db.transient_errors import OUTAGES, describe_error

log = structlog.stdlib.get_logger(__name__)

#: How long a process that stops waits for its chores. A chore that is cut off is done again.
STOP_SECONDS = 20.0
#: The success of a chore is stored at most so often.
RECORD_SECONDS = 60.0
#: Separates the locks of chores from the other advisory locks.
_LOCKS = 0x6368_6F72
_TRY_LOCK = b"SELECT pg_try_advisory_xact_lock(%s)"
#: The connection only holds the lock while others work.
_MAY_IDLE = b"SET LOCAL idle_in_transaction_session_timeout = 0"

#: What the functions of a table of chores need.
Context = TypeVar("Context")


@dataclass(frozen=True, slots=True)
class Chore(Generic[Context]):
    """A row of a table of chores."""

    name: str
    run: Callable[[Context], object]
    #: At most 20 minutes: a chore without success for half an hour counts as failing.
    every_seconds: float
    #: The wait after a failure; most chores take locks that ingestion waits for.
    retry_seconds: float = 30.0
    #: The chores of a lane take turns: each lane of a process has a thread and two connections to PostgreSQL.
    lane: str = "short"
    #: Whether only one process does it at a time.
    is_exclusive: bool = True
    #: Whether it is done once more at the stop of its process.
    runs_at_stop: bool = False


class ChoreRunner(Generic[Context]):
    """Runs the chores of one process until `stop` is set, which the functions of the chores may look at, too."""

    def __init__(
        self,
        database: Database,
        chores: Sequence[Chore[Context]],
        context: Context,
        stop: threading.Event,
        *,
        max_failing_seconds: float = MAX_FAILING_SECONDS,
    ) -> None:
        self._database = database
        self._chores = chores
        self._context = context
        self._stop = stop
        self._max_failing_seconds = max_failing_seconds
        #: Monotonic seconds, by the name of the chore.
        self._failing_since: dict[str, float] = {}
        self._recorded_at: dict[str, float] = {}

    @property
    def is_healthy(self) -> bool:
        """Whether no chore of this process has failed for too long."""
        longest = time.monotonic() - self._max_failing_seconds
        return all(since > longest for since in self._failing_since.copy().values())

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run the chores for the length of the block, each lane in a thread of its own."""
        threads = [
            threading.Thread(target=self._repeat, args=(lane,), name=lane, daemon=True)
            for lane in sorted(lanes(self._chores))
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._stop.set()
            deadline = time.monotonic() + STOP_SECONDS
            for thread in threads:
                thread.join(max(0.0, deadline - time.monotonic()))
            unfinished = [thread.name for thread in threads if thread.is_alive()]
            if unfinished:
                log.warning("maintenance.cut_off", lanes=unfinished)

    def run_all(self) -> None:
        """Run each chore once, in the order of the table."""
        for chore in self._chores:
            self.run_once(chore)

    def run_once(self, chore: Chore[Context]) -> None:
        """Run a chore, unless another process does. Its error is logged and recorded, not raised."""
        try:
            self._run(chore)
        except Exception as error:  # noqa: BLE001 - an error would end the thread unnoticed
            self._note_failure(chore, error)

    def _repeat(self, lane: str) -> None:
        """Run the chores of a lane in turn, always the one that is due first, until the stop."""
        chores = [chore for chore in self._chores if chore.lane == lane]
        due_at = {chore.name: time.monotonic() for chore in chores}
        while True:
            chore = min(chores, key=lambda chore: due_at[chore.name])
            if self._stop.wait(max(0.0, due_at[chore.name] - time.monotonic())):
                break
            self.run_once(chore)
            is_failing = chore.name in self._failing_since
            pause = chore.retry_seconds if is_failing else _seconds_until_next(chore)
            due_at[chore.name] = time.monotonic() + pause
        for chore in chores:
            if chore.runs_at_stop:
                self.run_once(chore)

    def _run(self, chore: Chore[Context]) -> None:
        if not chore.is_exclusive:
            chore.run(self._context)
            with self._database.transaction() as session:
                self._note_success(chore, session)
            return
        with self._database.transaction() as session:
            connection = driver_connection(session)
            if connection.execute(_TRY_LOCK, [_LOCKS << 32 | _hash(chore)]).fetchone() != (True,):
                return
            connection.execute(_MAY_IDLE)
            chore.run(self._context)
            self._note_success(chore, session)

    def _note_success(self, chore: Chore[Context], session: Session) -> None:
        was_failing = self._failing_since.pop(chore.name, None) is not None
        now = time.monotonic()
        is_recent = now - self._recorded_at.get(chore.name, float("-inf")) < RECORD_SECONDS
        # A chore that was told to stop may have left projects out.
        if not self._stop.is_set() and (was_failing or not is_recent):
            record_success(driver_connection(session), chore.name)
            self._recorded_at[chore.name] = now

    def _note_failure(self, chore: Chore[Context], error: Exception) -> None:
        # A chore may fail for days: the traceback of a defect is logged once.
        traceback = None if isinstance(error, OUTAGES) or chore.name in self._failing_since else error
        name, reason = describe_error(error)
        log.warning("maintenance.chore_failed", chore=chore.name, error=name, reason=reason, exc_info=traceback)
        self._failing_since.setdefault(chore.name, time.monotonic())
        # Where it cannot be stored, for a lock or in an outage, the next failure is.
        with suppress(*OUTAGES), self._database.transaction() as session:
            record_failure(driver_connection(session), chore.name, f"{name}: {reason}")


def lanes(chores: Sequence[Chore[Context]]) -> set[str]:
    """Return the lanes of chores."""
    return {chore.lane for chore in chores}


def _seconds_until_next(chore: Chore[Context]) -> float:
    """Return the wait until the next moment of the chore, which is the same for all processes.

    So all of them try at once, and one of them does the chore. The moments of chores differ, so that a process needs
    connections for few of them at a time.
    """
    phase = _hash(chore) % 3600
    return chore.every_seconds - (time.time() + phase) % chore.every_seconds


def _hash(chore: Chore[Context]) -> int:
    return zlib.crc32(chore.name.encode())
