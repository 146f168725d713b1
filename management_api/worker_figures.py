"""What a worker of the management service shows of itself, once a second and at its end."""

import atexit
from collections.abc import Iterable

from metrics.board import Desk
from metrics.process_figures import ProcessFigures
from metrics.readings import Collect
from metrics.reporting_thread import ReportingThread


def report_from_here(desk: Desk, collectors: Iterable[Collect]) -> None:
    """Begin, in the worker, after it has been forked."""
    reporting = ReportingThread(desk, [*collectors, ProcessFigures("management").collect])
    reporting.start()
    # Gunicorn's workers end as programs do; what was counted since the last second is not lost.
    atexit.register(reporting.close)
