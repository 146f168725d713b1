"""What a worker of the management service shows of itself, once a second and at its end."""

import atexit
from collections.abc import Iterable
from contextlib import AbstractContextManager, ExitStack

from common.telemetry.metrics_source import MetricsWriter
from common.telemetry.process_metrics import ProcessFigures
from common.telemetry.reporting_thread import ReportingThread
from common.telemetry.samples import Collect


def report_from_here(
    desk: MetricsWriter, collectors: Iterable[Collect], *, asking: AbstractContextManager[None]
) -> None:
    """Begin, in the worker, after it has been forked; what has to be asked of servers is asked meanwhile."""
    until_the_end = ExitStack()
    until_the_end.enter_context(asking)
    reporting = ReportingThread(desk, [*collectors, ProcessFigures("management").collect])
    reporting.start()
    until_the_end.callback(reporting.close)
    # Gunicorn's workers end as programs do; what was counted since the last second is not lost.
    atexit.register(until_the_end.close)
