"""Threads that collect metrics in the background: of a worker once a second, of a server every five."""

import signal
import threading
import time
from collections.abc import Sequence

import structlog

from common.telemetry.multiprocess_store import WorkerMetricsWriter
from common.telemetry.samples import Collect, Sample, SampleSet, collect_samples

_LOG = structlog.stdlib.get_logger(__name__)

REPORT_SECONDS = 1.0
POLL_SECONDS = 5.0
#: Samples of a server are dropped when so many polls in a row have failed.
_FRESH_POLLS = 3


class ReportingThread:
    """Writes the samples of a worker that serves with threads. A worker with an event loop collects in the loop."""

    def __init__(
        self, writer: WorkerMetricsWriter, collectors: Sequence[Collect], *, interval_seconds: float = REPORT_SECONDS
    ) -> None:
        self._writer = writer
        self._collectors = collectors
        self._interval_seconds = interval_seconds
        self._stopping = threading.Event()
        self._has_failed = False
        self._thread = threading.Thread(target=self._run, name="metrics", daemon=True)

    def start(self) -> None:
        """Start in the worker, after the fork."""
        self._thread.start()

    def close(self) -> None:
        """Stop, and write the last samples."""
        if not self._stopping.is_set():
            self._stopping.set()
            self._thread.join()
            self._write()
            self._writer.close()

    def _run(self) -> None:
        block_signals()
        while True:
            self._write()
            if self._stopping.wait(self._interval_seconds):
                return

    def _write(self) -> None:
        try:
            self._writer.write(collect_samples(self._collectors))
        except Exception:  # noqa: BLE001 - a defect must not end the thread; it is logged once
            if not self._has_failed:
                _LOG.exception("metrics_not_collected")
            self._has_failed = True
        else:
            self._has_failed = False


class PollingCollector:
    """Polls a server in a thread of its own, so that a slow server does not delay other samples."""

    def __init__(
        self, poll: Collect, failures: tuple[type[Exception], ...], *, interval_seconds: float = POLL_SECONDS
    ) -> None:
        """Call `poll`, which may raise one of the failures while its server is unavailable."""
        self._poll = poll
        self._failures = failures
        self._interval_seconds = interval_seconds
        self._stopping = threading.Event()
        self._latest: tuple[float, list[Sample]] = (0.0, [])
        self._thread = threading.Thread(target=self._run, name="metrics poll", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        # The thread is not joined: it may be waiting for a server.
        self._stopping.set()

    def collect(self, samples: SampleSet) -> None:
        """Add the samples of the last successful poll, while they are fresh."""
        polled_at, latest = self._latest
        if time.monotonic() - polled_at <= _FRESH_POLLS * self._interval_seconds:
            samples.samples.extend(latest)

    def _run(self) -> None:
        block_signals()
        while True:
            samples = SampleSet()
            try:
                self._poll(samples)
            except self._failures as error:
                # The process itself logs the same outage.
                _LOG.debug("metrics_not_polled", reason=type(error).__name__)
            except Exception:  # noqa: BLE001 - a defect must not end the thread
                _LOG.exception("metrics_not_polled")
            else:
                self._latest = (time.monotonic(), samples.samples)
            if self._stopping.wait(self._interval_seconds):
                return


def block_signals() -> None:
    """Block all signals in the current thread: a signal must interrupt the main thread's system call."""
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
