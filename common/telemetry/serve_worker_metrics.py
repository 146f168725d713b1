"""The figures of a process that has workers: left in a folder, shown by the process that the workers are of."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import structlog

from common.settings.shared import MetricsSettings
from common.telemetry.declaration import Process
from common.telemetry.exporter import serve_metrics
from common.telemetry.multiprocess_store import MultiprocessStore

_LOG = structlog.stdlib.get_logger(__name__)


@contextmanager
def serve_worker_metrics(
    process: Process, settings: MetricsSettings, *, port: int, workers: int, forks: bool = False
) -> Iterator[Path | None]:
    """Give the folder for the workers' desks, and show what is in it for the length of the block.

    None when nothing is to be shown, or no folder can be made: that is told, and no reason not to serve. `forks` tells
    that the workers are forked within the block.
    """
    if port == 0:
        yield None
        return
    try:
        opened = MultiprocessStore.open(process, workers)
    except OSError as error:
        _LOG.warning("metrics_not_served", port=port, reason=error.strerror)
        yield None
        return
    with opened as folder, serve_metrics(settings, port, folder, forks=forks):
        yield folder.path
