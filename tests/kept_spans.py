"""Spans that the in-memory exporter of the SDK keeps for tests."""

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from common.telemetry.open_telemetry import Spans


def spans_kept_in(kept: InMemorySpanExporter) -> Spans:
    """Return spans that are added to `kept` when they end."""
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(kept))
    return Spans(provider)
