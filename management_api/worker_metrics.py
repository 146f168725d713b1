"""Reports the metrics of a management worker once a second, and at its exit."""

import atexit
from collections.abc import Iterable
from contextlib import AbstractContextManager, ExitStack
from functools import partial

from common.telemetry.multiprocess_store import WorkerMetricsWriter
from common.telemetry.process_metrics import collect_process
from common.telemetry.reporting import ReportingThread
from common.telemetry.samples import Collect


def start_reporting(
    writer: WorkerMetricsWriter, collectors: Iterable[Collect], *, polling: AbstractContextManager[None]
) -> None:
    """Start in the worker, after the fork; `polling` runs for as long."""
    at_exit = ExitStack()
    at_exit.enter_context(polling)
    reporting = ReportingThread(writer, [*collectors, partial(collect_process, "management")])
    reporting.start()
    at_exit.callback(reporting.close)
    # The workers of gunicorn run atexit handlers: the last samples are written.
    atexit.register(at_exit.close)
