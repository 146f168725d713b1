"""How a metric is declared: once, with all that the code, the page and the documentation need of it."""

import re
from dataclasses import dataclass
from typing import Literal

Process = Literal["edge", "management", "publisher", "consumer"]
Kind = Literal["counter", "gauge", "histogram"]
#: What a process with several workers shows of a gauge; counters and histograms are always added up.
OverWorkers = Literal["sum", "max", "min"]

_NAME = re.compile(r"onboarding(_[a-z]+)+")
_LABEL = re.compile(r"[a-z]+(_[a-z]+)*")


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric. Its labels have few values whatever strangers send: a project, a device, a path is never one.

    `bounds` are the upper bounds of a histogram's buckets, in seconds; the last bucket, beyond all of them, has none.
    """

    name: str
    kind: Kind
    meaning: str
    processes: tuple[Process, ...]
    labels: tuple[str, ...] = ()
    over_workers: OverWorkers = "sum"
    bounds: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name) or self.name.endswith("_total") != (self.kind == "counter"):
            raise ValueError(f"{self.name}: no name for a {self.kind}")
        if not all(_LABEL.fullmatch(label) for label in self.labels) or "le" in self.labels:
            raise ValueError(f"{self.name}: no names for labels: {', '.join(self.labels)}")
        if bool(self.bounds) != (self.kind == "histogram") or sorted(set(self.bounds)) != list(self.bounds):
            raise ValueError(f"{self.name}: a histogram, and nothing else, has bounds, in their order")
        if not self.processes:
            raise ValueError(f"{self.name}: no process shows it")

    @property
    def series(self) -> tuple[str, ...]:
        """The names under which queries find it."""
        if self.kind != "histogram":
            return (self.name,)
        return (f"{self.name}_bucket", f"{self.name}_sum", f"{self.name}_count")


def counter(name: str, meaning: str, *processes: Process, labels: tuple[str, ...] = ()) -> Metric:
    """Declare what only grows while the process lives."""
    return Metric(name, "counter", meaning, processes, labels)


def gauge(
    name: str, meaning: str, *processes: Process, labels: tuple[str, ...] = (), over_workers: OverWorkers = "sum"
) -> Metric:
    """Declare what is so now."""
    return Metric(name, "gauge", meaning, processes, labels, over_workers)


def histogram(
    name: str, meaning: str, *processes: Process, bounds: tuple[float, ...], labels: tuple[str, ...] = ()
) -> Metric:
    """Declare how long something takes."""
    return Metric(name, "histogram", meaning, processes, labels, bounds=bounds)
