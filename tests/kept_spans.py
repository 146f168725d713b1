"""Spans that stay in memory, as the SDK's own exporter for tests keeps them."""

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from common.telemetry.open_telemetry import Spans


def spans_kept_in(kept: InMemorySpanExporter) -> Spans:
    """Give what takes spans, and puts each there as it ends."""
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(kept))
    return Spans(provider)
