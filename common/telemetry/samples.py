"""What a worker reads off its figures at one moment, in a form that travels to whoever shows it."""

import time
from collections.abc import Callable, Iterable, Sequence

import msgspec

from common.telemetry.declaration import Metric
from common.telemetry.histogram import Histogram


class Sample(msgspec.Struct, frozen=True, array_like=True):
    """One series. A histogram's `value` is the sum of all seconds; nothing else has `cells`."""

    metric: str
    labels: tuple[str, ...]
    value: float
    cells: tuple[int, ...] = ()


class Report(msgspec.Struct, frozen=True, array_like=True):
    """All that one worker has read, at monotonic seconds that all processes of a machine share."""

    taken_at: float
    readings: list[Sample]


class SampleSet:
    """Gathers readings, and holds them to what was declared."""

    def __init__(self) -> None:
        self.all: list[Sample] = []

    def add(self, metric: Metric, value: float | None, *labels: str) -> None:
        """Add a counter or a gauge; None stands for nothing to tell. Raises ValueError for what was not declared."""
        if metric.kind == "histogram":
            raise ValueError(f"{metric.name} is a histogram")
        if value is not None:
            self.all.append(Sample(metric.name, _checked(metric, labels), float(value)))

    def add_durations(self, metric: Metric, durations: Iterable[Histogram], *labels: str) -> None:
        """Add a histogram, counted in one place or several. Raises ValueError for what was not declared."""
        cells = [0] * (len(metric.bounds) + 1)
        seconds = 0.0
        for each in durations:
            if each.bounds != metric.bounds:
                raise ValueError(f"{metric.name} has other bounds")
            cells = [one + other for one, other in zip(cells, each.cells, strict=True)]
            seconds += each.seconds
        self.add_cells(metric, cells, seconds, *labels)

    def add_cells(self, metric: Metric, cells: Sequence[int], seconds: float, *labels: str) -> None:
        """Add a histogram as it was counted elsewhere. Raises ValueError for what was not declared."""
        if len(cells) != len(metric.bounds) + 1:
            raise ValueError(f"{metric.name} has other bounds")
        self.all.append(Sample(metric.name, _checked(metric, labels), seconds, tuple(cells)))


#: Reads figures off; called once a second, in the thread that owns them.
Collect = Callable[[SampleSet], None]


def take_report(collectors: Iterable[Collect]) -> Report:
    """Read everything off now."""
    readings = SampleSet()
    for collect in collectors:
        collect(readings)
    return report_of(readings)


def report_of(readings: SampleSet) -> Report:
    """Give what was read off now as a report."""
    return Report(time.monotonic(), readings.all)


def _checked(metric: Metric, labels: tuple[str, ...]) -> tuple[str, ...]:
    if len(labels) != len(metric.labels):
        raise ValueError(f"{metric.name} has the labels {', '.join(metric.labels) or 'none'}")
    return labels
