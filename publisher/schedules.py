"""Runs the schedules of flows whose time has come, as a chore beside the publications.

A schedule runs in one transaction with its new state, on the lock of its project: a publisher that dies leaves it
pending, and two publishers never run one twice.
"""

import threading
from datetime import datetime, timedelta

import structlog

from common.errors import UnavailableError
from common.telemetry.catalogue import publisher as catalogue
from common.telemetry.samples import Histogram, SampleSet
from common.timestamps import utc_now
from management_api.background.runner import Chore
from management_api.db.engine import Database
from management_api.db.models.flow_history import FlowSchedule
from management_api.db.transient_errors import OUTAGES
from management_api.flows.lifecycle.schedules import due_schedules, read_schedule_backlog, run_schedule

log = structlog.stdlib.get_logger(__name__)

BATCH = 100
#: The wait after a defect of one schedule.
_DEFECT_WAIT = timedelta(seconds=30)


class ScheduleRunner:
    """Runs due schedules. Its memory only decides which defective ones wait, so it may be killed at any moment."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.stop = threading.Event()
        #: When a schedule that met a defect is tried again.
        self._retry_at: dict[str, datetime] = {}
        self._done = self._failed = self._errors = 0
        self._delays = Histogram(catalogue.SCHEDULE_DELAY_SECONDS.bounds)

    def run_due(self) -> int:
        """Run the schedules whose time has come; return how many ended. Raises UnavailableError without PostgreSQL.

        A round runs one schedule of each flow, so rounds follow until one ends nothing.
        """
        total = 0
        try:
            while ended := self.run_round():
                total += ended
        except OUTAGES:
            raise
        except Exception:
            self._errors += 1
            raise
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

    def run_round(self) -> int:
        """Run one due schedule of each flow; return how many ended. Raises UnavailableError without PostgreSQL."""
        now = utc_now()
        self._retry_at = {schedule_id: at for schedule_id, at in self._retry_at.items() if at > now}
        with self._database.reading() as session:
            due = due_schedules(session, excluded=self._retry_at.keys(), limit=BATCH)
        return sum(self._run_one(schedule_id) for schedule_id in due if not self.stop.is_set())

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


#: Each publisher polls. The lock of a project keeps two of them from running a schedule twice.
PUBLISHER_CHORES = (Chore("schedules", ScheduleRunner.run_due, every_seconds=1, retry_seconds=3, is_exclusive=False),)
