"""Spans of OpenTelemetry's SDK, sent with OTLP over HTTP as the standard `OTEL_` variables configure."""

import atexit
import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Self

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Link, Span, SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from common.telemetry.tracing import Attributes, TraceOrigin, is_sampled
from common.version import VERSION

#: A batch appears in at most so many traces.
MAX_ORIGINS = 128
_TRACEPARENT = "traceparent"
_FLUSH_SECONDS = 3.0
_FIRST_SERVER_ERROR = 500
_REQUEST_ID = "onboarding.request_id"


class Spans:
    """The spans of a process. A thread of the SDK sends them; spans that cannot be sent are dropped."""

    def __init__(self, provider: TracerProvider) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer("onboarding", VERSION)
        self._propagator = TraceContextTextMapPropagator()

    @classmethod
    def for_process(cls, process: str) -> Self:
        """Start the sending thread. Spans that are left are sent at the exit of the process."""
        # The SDK prefers arguments over the variables of the operator.
        variables = os.environ.get("OTEL_SERVICE_NAME", ""), os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
        named = {} if variables[0] or "service.name=" in variables[1] else {"service.name": f"onboarding-{process}"}
        resource = Resource.create({**named, "service.version": VERSION})
        # At exit the SDK waits for an unavailable collector as long as for any request, 10 s.
        provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        spans = cls(provider)
        atexit.register(spans.flush)
        return spans

    def flush(self) -> None:
        """Send the spans that are left; wait 3 s at most for a collector."""
        sending = threading.Thread(target=self._provider.force_flush, daemon=True)
        sending.start()
        sending.join(_FLUSH_SECONDS)

    @contextmanager
    def request(self, name: str, traceparent: str | None, attributes: Attributes) -> Iterator["RequestSpan"]:
        """Create a span for a request, in the trace of `traceparent` if there is one."""
        context = self._context_of(traceparent)
        with _current(self._tracer.start_span(name, context, SpanKind.SERVER, attributes)) as span:
            yield RequestSpan(span, name)

    def current(self) -> str | None:
        """Return the `traceparent` of the current span, None if it is not sampled."""
        context = trace.get_current_span().get_span_context()
        if not (context.is_valid and context.trace_flags.sampled):
            return None
        carrier: dict[str, str] = {}
        self._propagator.inject(carrier)
        return carrier.get(_TRACEPARENT)

    @contextmanager
    def batch(self, name: str, attributes: Attributes, origins: Sequence[TraceOrigin]) -> Iterator[None]:
        """Create a span for a batch, in a trace of its own, and a linked span in the trace of each sampled origin."""
        sampled = [origin for origin in dict.fromkeys(origins) if is_sampled(origin.traceparent)][:MAX_ORIGINS]
        contexts = [self._context_of(origin.traceparent) for origin in sampled]
        links = [Link(trace.get_current_span(context).get_span_context()) for context in contexts]
        started_ns = time.time_ns()
        with _current(self._tracer.start_span(name, Context(), SpanKind.CONSUMER, attributes, links)) as span:
            yield
        to_batch = Link(span.get_span_context())
        for origin, context in zip(sampled, contexts, strict=True):
            self._tracer.start_span(
                name,
                context=context,
                kind=SpanKind.CONSUMER,
                attributes={} if origin.request_id is None else {_REQUEST_ID: origin.request_id},
                links=[to_batch],
                start_time=started_ns,
            ).end()

    def _context_of(self, traceparent: str | None) -> Context:
        """Return the context of the parent span; without one, the context of a new trace."""
        return self._propagator.extract({} if traceparent is None else {_TRACEPARENT: traceparent}, Context())


@contextmanager
def _current(span: Span) -> Iterator[Span]:
    """Make the span current for the block. The text of an error is not recorded: it may quote a request."""
    with trace.use_span(span, end_on_exit=True, record_exception=False, set_status_on_exception=False):
        try:
            yield span
        except BaseException:
            span.set_status(StatusCode.ERROR)
            raise


class RequestSpan:
    """The span of one request."""

    def __init__(self, span: Span, name: str) -> None:
        self._span = span
        self._name = name

    def set_status(self, status: int, *, route: str | None = None) -> None:
        """Record the status of the response, and the route where it was unknown at the start of the span."""
        self._span.set_attribute("http.response.status_code", status)
        if route is not None:
            self._span.set_attribute("http.route", route)
            self._span.update_name(f"{self._name} {route}")
        if status >= _FIRST_SERVER_ERROR:
            self._span.set_status(StatusCode.ERROR)
