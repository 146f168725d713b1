"""Samples of metrics: counted, collected and merged in one process, sent from workers to their parent."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import add

import msgspec

from common.telemetry.metrics import WAITING_BOUNDS, Metric, MultiprocessMode

_Series = tuple[str, tuple[str, ...]]
_MODES: Mapping[MultiprocessMode, Callable[[float, float], float]] = {"sum": add, "max": max, "min": min}


class Histogram:
    """One series of a histogram, updated by one thread; `seconds` is the sum of all observations."""

    __slots__ = ("bounds", "bucket_counts", "seconds")

    def __init__(self, bounds: tuple[float, ...] = WAITING_BOUNDS) -> None:
        self.bounds = bounds
        #: One count for each bound, and the last for longer durations.
        self.bucket_counts = [0] * (len(bounds) + 1)
        self.seconds = 0.0

    def observe(self, seconds: float) -> None:
        """Count a duration."""
        self.bucket_counts[bisect_left(self.bounds, seconds)] += 1
        self.seconds += seconds


class Sample(msgspec.Struct, frozen=True, array_like=True):
    """The value of one series. For a histogram, `value` is the sum of seconds; only histograms have `bucket_counts`."""

    metric: str
    labels: tuple[str, ...]
    value: float
    bucket_counts: tuple[int, ...] = ()


class SampleSet:
    """Collects samples. Labels and bounds that differ from the declaration raise ValueError."""

    def __init__(self) -> None:
        self.samples: list[Sample] = []

    def add(self, metric: Metric, value: float | None, *labels: str) -> None:
        """Add a counter or a gauge, unless the value is None (unknown)."""
        if metric.kind == "histogram":
            raise ValueError(f"{metric.name} is a histogram")
        if value is not None:
            self.samples.append(Sample(metric.name, _checked(metric, labels), float(value)))

    def add_histograms(self, metric: Metric, histograms: Iterable[Histogram], *labels: str) -> None:
        """Add the sum of one or several histograms as one series."""
        bucket_counts = [0] * (len(metric.bounds) + 1)
        seconds = 0.0
        for histogram in histograms:
            if histogram.bounds != metric.bounds:
                raise ValueError(f"{metric.name} has other bounds")
            bucket_counts = list(map(add, bucket_counts, histogram.bucket_counts))
            seconds += histogram.seconds
        self.add_bucket_counts(metric, bucket_counts, seconds, *labels)

    def add_bucket_counts(self, metric: Metric, bucket_counts: Sequence[int], seconds: float, *labels: str) -> None:
        """Add a histogram by the counts of its buckets and its sum of seconds."""
        if len(bucket_counts) != len(metric.bounds) + 1:
            raise ValueError(f"{metric.name} has other bounds")
        self.samples.append(Sample(metric.name, _checked(metric, labels), seconds, tuple(bucket_counts)))


#: Adds the current values of a part of the process.
Collect = Callable[[SampleSet], None]


def collect_samples(collectors: Iterable[Collect]) -> SampleSet:
    """Return the current samples of all collectors."""
    samples = SampleSet()
    for collect in collectors:
        collect(samples)
    return samples


def merge(catalogue: Mapping[str, Metric], samples: Iterable[Sample]) -> list[Sample]:
    """Merge samples of the same series by the mode of their metric.

    Samples that do not fit the catalogue are left out: during a rolling restart some workers may have another release.
    """
    merged: dict[_Series, Sample] = {}
    for sample in samples:
        metric = catalogue.get(sample.metric)
        if metric is None or not _fits(metric, sample):
            continue
        series = (sample.metric, sample.labels)
        previous = merged.get(series)
        merged[series] = sample if previous is None else _merge_two(metric, previous, sample)
    return list(merged.values())


def without_gauges(catalogue: Mapping[str, Metric], samples: Iterable[Sample]) -> list[Sample]:
    """Return the counters and histograms, which must not fall when a worker exits."""
    return [sample for sample in samples if sample.metric in catalogue and catalogue[sample.metric].kind != "gauge"]


def _checked(metric: Metric, labels: tuple[str, ...]) -> tuple[str, ...]:
    if len(labels) != len(metric.labels):
        raise ValueError(f"{metric.name} has the labels {', '.join(metric.labels) or 'none'}")
    return labels


def _fits(metric: Metric, sample: Sample) -> bool:
    expected = len(metric.bounds) + 1 if metric.bounds else 0
    return len(sample.labels) == len(metric.labels) and len(sample.bucket_counts) == expected


def _merge_two(metric: Metric, first: Sample, second: Sample) -> Sample:
    mode = metric.multiprocess_mode if metric.kind == "gauge" else "sum"
    value = _MODES[mode](first.value, second.value)
    return Sample(first.metric, first.labels, value, tuple(map(add, first.bucket_counts, second.bucket_counts)))
