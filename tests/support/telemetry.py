"""Metrics of a process, parsed, and spans in memory."""

from collections.abc import Iterator

import httpx
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from common.telemetry.open_telemetry import Spans
from deploy.local.loopback_ports import LOOPBACK


def spans_exported_to(exporter: InMemorySpanExporter) -> Spans:
    """Return spans that are exported to `exporter` when they end."""
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return Spans(provider)


class CurrentMetrics:
    """The current metrics of a process."""

    def __init__(self, port: int) -> None:
        response = httpx.get(f"http://{LOOPBACK}:{port}/metrics", timeout=10)
        assert response.status_code == 200
        self.samples = list(_samples(response.text))

    def value(self, series: str, **labels: str) -> float:
        """Return the sum of all series with this name and these labels."""
        matching = (sample for sample in self.samples if sample.name == series)
        return sum(sample.value for sample in matching if labels.items() <= sample.labels.items())


def _samples(text: str) -> Iterator[Sample]:
    return (sample for family in text_string_to_metric_families(text) for sample in family.samples)
