"""The metrics of a management worker: counted in plain numbers, written to the store of all workers once a second."""

import atexit
import threading
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from pathlib import Path

from common.telemetry.catalogue import management as catalogue
from common.telemetry.multiprocess_store import WorkerMetricsWriter
from common.telemetry.process_metrics import collect_process
from common.telemetry.reporting import ReportingThread
from common.telemetry.samples import Collect, Histogram, SampleSet

_VERSION, _UNVERSIONED = "/api/v1/", "/api/"
_OTHER = "other"
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"})


class RequestMetrics:
    """The metrics of all routes; all threads of a worker update them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._responses: Counter[tuple[str, str, int]] = Counter()
        self._durations: defaultdict[tuple[str, str], Histogram] = defaultdict(Histogram)

    def count(self, template: str | None, method: str, status: int, seconds: float) -> None:
        """Count a response; `template` is the template of the route, None for unknown paths."""
        route = _OTHER if template is None else template.replace(_VERSION, _UNVERSIONED)
        # Clients can invent any number of methods.
        method = method if method in _METHODS else _OTHER
        with self._lock:
            self._responses[route, method, status] += 1
            self._durations[route, method].observe(seconds)

    def collect(self, samples: SampleSet) -> None:
        """Add the counts and the durations."""
        with self._lock:
            for (route, method, status), count in self._responses.items():
                samples.add(catalogue.REQUESTS, count, route, method, str(status))
            for (route, method), durations in self._durations.items():
                samples.add_histograms(catalogue.REQUEST_SECONDS, [durations], route, method)


def start_reporting(folder: Path, collectors: Sequence[Collect], polling: AbstractContextManager[None]) -> None:
    """Start in the worker, after the fork; `polling` runs for as long."""
    at_exit = ExitStack()
    at_exit.enter_context(polling)
    reporting = ReportingThread(WorkerMetricsWriter(folder), [*collectors, partial(collect_process, "management")])
    reporting.start()
    at_exit.callback(reporting.close)
    # gunicorn's workers run these functions, so the last samples are written.
    atexit.register(at_exit.close)
