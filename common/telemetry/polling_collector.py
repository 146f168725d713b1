"""Readings that have to be asked of a server: in a thread of their own, so that others are not late when it is."""

import signal
import threading
import time

import structlog

from common.telemetry.samples import Collect, Sample, SampleSet

_LOG = structlog.stdlib.get_logger(__name__)

EVERY_SECONDS = 5.0
#: What is older than so many rounds is not shown any more.
_FRESH_ROUNDS = 3


class PollingCollector:
    """Asks again and again; :meth:`collect` gives the last answers, as long as they are fresh."""

    def __init__(
        self, ask: Collect, failures: tuple[type[Exception], ...], *, every_seconds: float = EVERY_SECONDS
    ) -> None:
        """Ask by `ask`, which may raise one of the failures: then there is no answer this time."""
        self._ask = ask
        self._failures = failures
        self._every_seconds = every_seconds
        self._over = threading.Event()
        self._answers: tuple[float, list[Sample]] = (0.0, [])
        self._thread = threading.Thread(target=self._run, name="slow figures", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        # It is not waited for: it may be waiting for a server.
        self._over.set()

    def collect(self, readings: SampleSet) -> None:
        """Give the last answers."""
        answered_at, answers = self._answers
        if time.monotonic() - answered_at <= _FRESH_ROUNDS * self._every_seconds:
            readings.all.extend(answers)

    def _run(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while True:
            readings = SampleSet()
            try:
                self._ask(readings)
            except self._failures as error:
                # The process itself meets the same outage, and tells of it.
                _LOG.debug("figures_not_asked", reason=type(error).__name__)
            except Exception:  # noqa: BLE001 - a defect here must not end the thread
                _LOG.exception("figures_not_asked")
            else:
                self._answers = (time.monotonic(), readings.all)
            if self._over.wait(self._every_seconds):
                return
