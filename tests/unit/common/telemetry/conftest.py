"""Spans that stay in memory."""

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from common.telemetry.open_telemetry import Spans
from tests.support.telemetry import spans_exported_to


@pytest.fixture
def kept() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def spans(kept: InMemorySpanExporter) -> Spans:
    """Return spans that end in `kept`."""
    return spans_exported_to(kept)
