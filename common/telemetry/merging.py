"""Makes one set of readings of those of several workers."""

from collections.abc import Callable, Iterable, Mapping
from operator import add

from common.telemetry.declaration import Metric, OverWorkers
from common.telemetry.samples import Sample

_Series = tuple[str, tuple[str, ...]]
_OVER_WORKERS: Mapping[OverWorkers, Callable[[float, float], float]] = {"sum": add, "max": max, "min": min}


def merge(catalogue: Mapping[str, Metric], readings: Iterable[Sample]) -> list[Sample]:
    """Merge readings of the same series as their metric says.

    What this release has not declared so is left out: while workers are replaced, some may be of another one.
    """
    merged: dict[_Series, Sample] = {}
    for reading in readings:
        metric = catalogue.get(reading.metric)
        if metric is None or not _fits(metric, reading):
            continue
        series = (reading.metric, reading.labels)
        before = merged.get(series)
        merged[series] = reading if before is None else _of_both(metric, before, reading)
    return list(merged.values())


def only_growing(catalogue: Mapping[str, Metric], readings: Iterable[Sample]) -> list[Sample]:
    """Give what outlives its worker: counters and histograms, which must never fall."""
    return [one for one in readings if one.metric in catalogue and catalogue[one.metric].kind != "gauge"]


def _fits(metric: Metric, reading: Sample) -> bool:
    expected = len(metric.bounds) + 1 if metric.bounds else 0
    return len(reading.labels) == len(metric.labels) and len(reading.cells) == expected


def _of_both(metric: Metric, one: Sample, other: Sample) -> Sample:
    if metric.kind == "gauge":
        return Sample(one.metric, one.labels, _OVER_WORKERS[metric.over_workers](one.value, other.value))
    cells = tuple(map(add, one.cells, other.cells))
    return Sample(one.metric, one.labels, one.value + other.value, cells)
