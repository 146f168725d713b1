"""Spans, and where they are kept."""

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from common.telemetry.open_telemetry import OpenTelemetrySpans
from tests.kept_spans import spans_kept_in


@pytest.fixture
def kept() -> InMemorySpanExporter:
    """Give where spans are kept."""
    return InMemorySpanExporter()


@pytest.fixture
def spans(kept: InMemorySpanExporter) -> OpenTelemetrySpans:
    """Give what takes spans."""
    return spans_kept_in(kept)
