"""The figures of a process that is its only worker: read in a thread of it, shown by another."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from common.settings.shared import MetricsSettings
from common.telemetry.declaration import Process
from common.telemetry.exporter import serve_metrics
from common.telemetry.metrics_source import ProcessMetricsSource
from common.telemetry.process_metrics import ProcessFigures
from common.telemetry.reporting_thread import ReportingThread
from common.telemetry.samples import Collect


@contextmanager
def serve_process_metrics(
    process: Process, settings: MetricsSettings, *, port: int, collectors: Sequence[Collect]
) -> Iterator[None]:
    """Read and show figures for the length of the block; port 0: not at all."""
    if port == 0:
        yield
        return
    board = ProcessMetricsSource(process)
    reporting = ReportingThread(board, [*collectors, ProcessFigures(process).collect])
    reporting.start()
    try:
        with serve_metrics(settings, port, board):
            yield
    finally:
        reporting.close()
