"""Declarations of metrics: the code, the metrics page and the documentation read the same one."""

import re
from dataclasses import dataclass
from typing import Literal

Process = Literal["edge", "management", "publisher", "consumer"]
Kind = Literal["counter", "gauge", "histogram"]
#: How the gauges of several workers become one; counters and histograms are always added up.
MultiprocessMode = Literal["sum", "max", "min"]

#: Bucket bounds in seconds, for operations that wait for a server, a disk or a database.
WAITING_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
#: Bucket bounds in seconds, for responses that are made from memory and seldom wait.
MEMORY_BOUNDS = (
    0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5,
)  # fmt: skip

_NAME = re.compile(r"onboarding(_[a-z]+)+")
_LABEL = re.compile(r"[a-z]+(_[a-z]+)*")


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric. A label has few values, which clients cannot choose: never a project, a device or a path.

    `bounds` are the upper bounds of a histogram's buckets, in seconds; the last bucket has no bound.
    """

    name: str
    kind: Kind
    help: str
    processes: tuple[Process, ...]
    labels: tuple[str, ...] = ()
    multiprocess_mode: MultiprocessMode = "sum"
    bounds: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name) or self.name.endswith("_total") != (self.kind == "counter"):
            raise ValueError(f"{self.name}: not a name for a {self.kind}")
        if not all(_LABEL.fullmatch(label) for label in self.labels) or "le" in self.labels:
            raise ValueError(f"{self.name}: not names for labels: {', '.join(self.labels)}")
        if bool(self.bounds) != (self.kind == "histogram") or sorted(set(self.bounds)) != list(self.bounds):
            raise ValueError(f"{self.name}: histograms alone have bounds, in ascending order")
        if not self.processes:
            raise ValueError(f"{self.name}: no process has this metric")

    @property
    def series(self) -> tuple[str, ...]:
        """The names of its series in queries."""
        if self.kind != "histogram":
            return (self.name,)
        return (f"{self.name}_bucket", f"{self.name}_sum", f"{self.name}_count")


def counter(name: str, help_text: str, *processes: Process, labels: tuple[str, ...] = ()) -> Metric:
    """Declare a value that only grows while its process lives."""
    return Metric(name, "counter", help_text, processes, labels)


def gauge(
    name: str,
    help_text: str,
    *processes: Process,
    labels: tuple[str, ...] = (),
    multiprocess_mode: MultiprocessMode = "sum",
) -> Metric:
    """Declare a value of the present."""
    return Metric(name, "gauge", help_text, processes, labels, multiprocess_mode)


def histogram(
    name: str, help_text: str, *processes: Process, bounds: tuple[float, ...], labels: tuple[str, ...] = ()
) -> Metric:
    """Declare the distribution of a duration."""
    return Metric(name, "histogram", help_text, processes, labels, bounds=bounds)
