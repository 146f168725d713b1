"""Spans as the SDK exports them."""

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode, format_span_id, format_trace_id

from common.telemetry.open_telemetry import MAX_ORIGINS, Spans
from common.telemetry.tracing import TraceOrigin

_TRACE, _SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
_SAMPLED, _UNSAMPLED = (f"00-{_TRACE}-{_SPAN}-{flags}" for flags in ("01", "00"))


def test_request_span_belongs_to_the_trace_of_the_client(spans: Spans, kept: InMemorySpanExporter) -> None:
    with spans.request("GET /api/config", _SAMPLED, {"a": 1}) as request:
        current = spans.current()
        request.set_status(503)
    [span] = kept.get_finished_spans()
    assert current == f"00-{_TRACE}-{format_span_id(span.context.span_id)}-01"
    assert span.parent is not None
    assert (format_trace_id(span.context.trace_id), format_span_id(span.parent.span_id)) == (_TRACE, _SPAN)
    assert dict(span.attributes or {}) == {"a": 1, "http.response.status_code": 503}
    assert span.status.status_code is StatusCode.ERROR


def test_unsampled_trace_is_not_passed_on(spans: Spans, kept: InMemorySpanExporter) -> None:
    with spans.request("GET /api/config", _UNSAMPLED, {}):
        assert spans.current() is None
    assert spans.current() is None
    with spans.batch("store events", {}, [TraceOrigin(_UNSAMPLED, "request-1")]):
        pass
    assert [span.name for span in kept.get_finished_spans()] == ["store events"]


def test_error_is_recorded_without_its_text(spans: Spans, kept: InMemorySpanExporter) -> None:
    with pytest.raises(LookupError), spans.batch("store events", {}, ()):
        raise LookupError("s3cret")
    [span] = kept.get_finished_spans()
    assert span.status.status_code is StatusCode.ERROR
    assert "s3cret" not in span.to_json()


def test_batch_appears_in_a_bounded_number_of_traces_once_each(spans: Spans, kept: InMemorySpanExporter) -> None:
    origins = [TraceOrigin(f"00-{number:032x}-{_SPAN}-01", None) for number in range(1, MAX_ORIGINS + 10)]
    with spans.batch("store events", {}, [*origins, *origins]):
        pass
    batch, *others = kept.get_finished_spans()
    assert (len(batch.links), len(others)) == (MAX_ORIGINS, MAX_ORIGINS)
    assert {span.links[0].context.span_id for span in others} == {batch.context.span_id}
