"""Runs the schedules of flows whose time has come, in a thread beside the publications.

A schedule runs in one transaction with its new state, on the lock of its project: a publisher that dies leaves it
pending, and two publishers never run one twice.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

import psycopg
import structlog
from sqlalchemy.exc import SQLAlchemyError

from common.errors import UnavailableError
from common.process import Backoff
from common.telemetry.catalogue import publisher as catalogue
from common.telemetry.samples import Histogram, SampleSet
from common.timestamps import utc_now
from management_api.db.engine import Database
from management_api.db.models.flow_history import FlowSchedule
from management_api.flows.lifecycle.schedules import due_schedules, read_schedule_backlog, run_schedule

log = structlog.stdlib.get_logger(__name__)

POLL_SECONDS = 1.0
BATCH = 100
_OUTAGES = (UnavailableError, SQLAlchemyError, psycopg.Error)
#: Seconds of the waits after an outage, and after a defect of one schedule.
_OUTAGE_WAITS = (0.2, 3.0)
_DEFECT_WAIT = timedelta(seconds=30)


class ScheduleRunner:
    """Runs due schedules. Its memory only decides which defective ones wait, so it may be killed at any moment."""

    def __init__(self, database: Database, *, poll_seconds: float = POLL_SECONDS) -> None:
        self._database = database
        self._poll_seconds = poll_seconds
        self._stop = threading.Event()
        #: When a schedule that met a defect is tried again.
        self._retry_at: dict[str, datetime] = {}
        self._done = self._failed = self._errors = 0
        self._delays = Histogram(catalogue.SCHEDULE_DELAY_SECONDS.bounds)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run due schedules for the length of the block."""
        thread = threading.Thread(target=self._run, name="schedules")
        thread.start()
        try:
            yield
        finally:
            self._stop.set()
            thread.join()

    def run_due(self) -> int:
        """Run the schedules whose time has come; return how many ended. Raises UnavailableError without PostgreSQL.

        A round runs one schedule of each flow, so rounds follow until one ends nothing.
        """
        total = 0
        while ended := self._run_round():
            total += ended
        return total

    def collect(self, samples: SampleSet) -> None:
        """Add the counters."""
        samples.add(catalogue.SCHEDULES, self._done, "done")
        samples.add(catalogue.SCHEDULES, self._failed, "failed")
        samples.add(catalogue.SCHEDULE_ERRORS, self._errors)
        samples.add_histograms(catalogue.SCHEDULE_DELAY_SECONDS, [self._delays])

    def poll_backlog(self, samples: SampleSet) -> None:
        """Add the gauges that need a query."""
        pending, overdue_seconds = read_schedule_backlog(self._database)
        samples.add(catalogue.SCHEDULES_PENDING, pending)
        samples.add(catalogue.SCHEDULES_OVERDUE, overdue_seconds)

    def _run_round(self) -> int:
        now = utc_now()
        self._retry_at = {schedule_id: at for schedule_id, at in self._retry_at.items() if at > now}
        with self._database.reading() as session:
            due = due_schedules(session, excluded=self._retry_at.keys(), limit=BATCH)
        return sum(self._run_one(schedule_id) for schedule_id in due if not self._stop.is_set())

    def _run(self) -> None:
        outage = Backoff(first=_OUTAGE_WAITS[0], limit=_OUTAGE_WAITS[1])
        while not self._stop.is_set():
            try:
                self.run_due()
                wait = self._poll_seconds
                outage.reset()
            except _OUTAGES as error:
                wait = outage.next_delay()
                log.warning("schedules.outage", error=type(error).__name__, retry_in_seconds=round(wait, 2))
            except Exception as error:
                # A defect must not end the thread: no schedule would run until the process is started again.
                wait = outage.next_delay()
                self._errors += 1
                log.exception("schedules.defect", error=type(error).__name__)
            self._stop.wait(wait)

    def _run_one(self, schedule_id: str) -> bool:
        try:
            with self._database.transaction() as session:
                schedule = run_schedule(session, schedule_id)
                ended = None if schedule is None else (schedule.error, _delay(schedule))
        except UnavailableError:
            raise
        except Exception as error:
            # A defect in one schedule must not keep the others from running.
            log.exception("schedule.defect", schedule=schedule_id, error=type(error).__name__)
            self._errors += 1
            self._retry_at[schedule_id] = utc_now() + _DEFECT_WAIT
            return False
        if ended is None:
            return False
        error_code, delay = ended
        self._failed += error_code is not None
        self._done += error_code is None
        self._delays.observe(delay)
        log.info("schedule.ended", schedule=schedule_id, error=error_code, delay_seconds=round(delay, 2))
        return True


def _delay(schedule: FlowSchedule) -> float:
    return 0.0 if schedule.ended_at is None else (schedule.ended_at - schedule.run_at).total_seconds()
