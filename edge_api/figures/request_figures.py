"""What a worker counts of its requests: plain numbers, since it is done for each of them."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from http import HTTPStatus

from common.telemetry.catalogue import edge as catalogue
from common.telemetry.histogram import MEMORY_BOUNDS
from common.telemetry.samples import SampleSet

_VERSION = "/api/v1/"
_UNVERSIONED = "/api/"
_OTHER = "other"


class RouteFigures:
    """The requests of one route: by the status of each answer, how many took how long, and all of them together.

    The protocol door counts in it by itself, as :meth:`count` does, because the call would cost as much again.
    """

    __slots__ = ("cells", "seconds")

    def __init__(self) -> None:
        self.cells = {status.value: _empty_cells() for status in HTTPStatus}
        self.seconds = 0.0

    def count(self, status: int, seconds: float) -> None:
        """Count an answer."""
        self.cells[status][bisect_left(MEMORY_BOUNDS, seconds)] += 1
        self.seconds += seconds

    def collect(self, route: str, readings: SampleSet) -> None:
        """Read them off."""
        together = _empty_cells()
        for status, cells in self.cells.items():
            if any(cells):
                readings.add(catalogue.REQUESTS, sum(cells), route, str(status))
                together = [one + other for one, other in zip(together, cells, strict=True)]
        if any(together):
            readings.add_cells(catalogue.REQUEST_SECONDS, together, self.seconds, route)


class RequestFigures:
    """The routes of a worker by their paths, and what came to none."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.other = RouteFigures()
        self._names = {path: path.replace(_VERSION, _UNVERSIONED) for path in paths}
        self._routes = {name: RouteFigures() for name in self._names.values()}
        self._unreadable: Counter[int] = Counter()

    def of(self, path: str) -> RouteFigures:
        """Give the figures of a path; paths of strangers' invention share theirs."""
        name = self._names.get(path)
        return self.other if name is None else self._routes[name]

    def count_unreadable(self, status: int) -> None:
        """Count what was refused before it could be read as a request."""
        self._unreadable[status] += 1

    def collect(self, readings: SampleSet) -> None:
        """Read them off."""
        for name, route in self._routes.items():
            route.collect(name, readings)
        self.other.collect(_OTHER, readings)
        for status, count in self._unreadable.items():
            readings.add(catalogue.UNREADABLE_REQUESTS, count, str(status))


def _empty_cells() -> list[int]:
    return [0] * (len(MEMORY_BOUNDS) + 1)
