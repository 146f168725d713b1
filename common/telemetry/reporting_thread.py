"""Puts up the figures of a process that works in threads, once a second."""

import signal
import threading
from collections.abc import Sequence

import structlog

from common.telemetry.metrics_source import MetricsWriter
from common.telemetry.samples import Collect, take_report

_LOG = structlog.stdlib.get_logger(__name__)

EVERY_SECONDS = 1.0


class ReportingThread:
    """A collector may wait for a server in it, for a bounded time: then the figures on the board grow old meanwhile."""

    def __init__(
        self, desk: MetricsWriter, collectors: Sequence[Collect], *, every_seconds: float = EVERY_SECONDS
    ) -> None:
        self._desk = desk
        self._collectors = collectors
        self._every_seconds = every_seconds
        self._over = threading.Event()
        self._was_well = True
        self._thread = threading.Thread(target=self._run, name="figures", daemon=True)

    def start(self) -> None:
        """Start; call it in the process that it is about."""
        self._thread.start()

    def close(self) -> None:
        """Put up the last figures."""
        if not self._over.is_set():
            self._over.set()
            self._thread.join()
            self._post()
            self._desk.close()

    def _run(self) -> None:
        # The signals of a process are for its main thread.
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while True:
            self._post()
            if self._over.wait(self._every_seconds):
                return

    def _post(self) -> None:
        try:
            self._desk.post(take_report(self._collectors))
        except Exception:  # noqa: BLE001 - a defect here must not end the thread, and is told once
            if self._was_well:
                _LOG.exception("figures_not_read")
            self._was_well = False
        else:
            self._was_well = True
