"""The page that Prometheus reads, from readings to text."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
)
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.registry import Collector

from common.telemetry.declaration import Metric
from common.telemetry.samples import Sample


class _Page(Collector):
    """Hands the library what is to be written."""

    def __init__(self, catalogue: Mapping[str, Metric], readings: Iterable[Sample]) -> None:
        self._catalogue = catalogue
        self._of_metric: defaultdict[str, list[Sample]] = defaultdict(list)
        for reading in readings:
            self._of_metric[reading.metric].append(reading)

    def collect(self) -> Iterator[Family]:
        """Give the families in the order of the catalogue."""
        for name, metric in self._catalogue.items():
            readings = self._of_metric.get(name)
            if readings:
                yield _family(metric, sorted(readings, key=lambda one: one.labels))


def page(catalogue: Mapping[str, Metric], readings: Iterable[Sample], accept: str) -> tuple[bytes, str]:
    """Give the page and its media type: OpenMetrics for whoever accepts it, else Prometheus's own text."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Page(catalogue, readings))
    encode, media_type = choose_encoder(accept)
    return encode(registry), media_type


def _family(metric: Metric, readings: Iterable[Sample]) -> Family:
    if metric.kind == "histogram":
        histogram = HistogramMetricFamily(metric.name, metric.meaning, labels=metric.labels)
        for one in readings:
            histogram.add_metric(one.labels, list(_buckets(metric, one)), one.value)
        return histogram
    kind = CounterMetricFamily if metric.kind == "counter" else GaugeMetricFamily
    family = kind(metric.name, metric.meaning, labels=metric.labels)
    for one in readings:
        family.add_metric(one.labels, one.value)
    return family


def _buckets(metric: Metric, reading: Sample) -> Iterator[tuple[str, float]]:
    """Add the cells up: a bucket of the page has all that took no longer than its bound."""
    total = 0
    for bound, cell in zip((*map(repr, metric.bounds), "+Inf"), reading.cells, strict=True):
        total += cell
        yield bound, total
