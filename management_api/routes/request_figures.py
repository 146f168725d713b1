"""What a worker counts of its requests, by their rows of the routes table."""

import threading
from collections import Counter, defaultdict

from common.telemetry.catalogue import management as catalogue
from common.telemetry.samples import Histogram, SampleSet

_VERSION, _UNVERSIONED = "/api/v1/", "/api/"
_OTHER = "other"
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"})


class RequestFigures:
    """Counted by all threads of a worker."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answers: Counter[tuple[str, str, int]] = Counter()
        self._durations: defaultdict[tuple[str, str], Histogram] = defaultdict(Histogram)

    def count(self, template: str | None, method: str, status: int, seconds: float) -> None:
        """Count an answer; `template` is of the row that the path led to, if it led to any."""
        route = _OTHER if template is None else template.replace(_VERSION, _UNVERSIONED)
        # What strangers make up is one of a kind here.
        method = method if method in _METHODS else _OTHER
        with self._lock:
            self._answers[route, method, status] += 1
            self._durations[route, method].observe(seconds)

    def collect(self, samples: SampleSet) -> None:
        """Read them off."""
        with self._lock:
            for (route, method, status), count in self._answers.items():
                samples.add(catalogue.REQUESTS, count, route, method, str(status))
            for (route, method), durations in self._durations.items():
                samples.add_histograms(catalogue.REQUEST_SECONDS, [durations], route, method)
