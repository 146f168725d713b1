"""The figures of a process that is its only worker: read in a thread of it, shown by another."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from common.settings import MetricsSettings
from metrics.board import OwnBoard
from metrics.declaration import Process
from metrics.page_server import metrics_served
from metrics.process_figures import ProcessFigures
from metrics.readings import Collect
from metrics.reporting_thread import ReportingThread


@contextmanager
def process_shown(
    process: Process, settings: MetricsSettings, *, port: int, collectors: Sequence[Collect]
) -> Iterator[None]:
    """Read and show figures for the length of the block; port 0: not at all."""
    if port == 0:
        yield
        return
    board = OwnBoard(process)
    reporting = ReportingThread(board, [*collectors, ProcessFigures(process).collect])
    reporting.start()
    try:
        with metrics_served(settings, port, board):
            yield
    finally:
        reporting.close()
