"""Spans by OpenTelemetry's SDK, sent by OTLP over HTTP; its own variables say where to, how many and how large."""

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

from common.telemetry.trace_context import TraceOrigin, is_sampled
from common.telemetry.tracing import Attributes, RequestSpan
from common.version import VERSION

#: A batch tells so many traces of itself at most.
MOST_ORIGINS = 128
_TRACEPARENT = "traceparent"
_FLUSH_SECONDS = 3.0
_FIRST_FAILURE = 500
_REQUEST_ID = "onboarding.request_id"


class OpenTelemetrySpans:
    """One for each process. Spans are sent by a thread of the SDK's; what cannot be sent is dropped."""

    def __init__(self, provider: TracerProvider) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer("onboarding", VERSION)
        self._propagator = TraceContextTextMapPropagator()

    @classmethod
    def of(cls, process: str) -> Self:
        """Start sending. What is left is sent when the process ends in order."""
        # The SDK would let what we say win over the operator's variables.
        said = os.environ.get("OTEL_SERVICE_NAME", ""), os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
        named = {} if said[0] or "service.name=" in said[1] else {"service.name": f"onboarding-{process}"}
        resource = Resource.create({**named, "service.version": VERSION})
        # At the end the SDK would wait for a collector that is away for as long as it tries to send, 10 s.
        provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        spans = cls(provider)
        atexit.register(spans.flush)
        return spans

    def flush(self) -> None:
        """Send what is left, as long as the patience lasts: nobody waits for a collector that is away."""
        sending = threading.Thread(target=self._provider.force_flush, daemon=True)
        sending.start()
        sending.join(_FLUSH_SECONDS)

    @contextmanager
    def request(self, name: str, traceparent: str | None, attributes: Attributes) -> Iterator[RequestSpan]:
        """Answer a request."""
        context = self._context_of(traceparent)
        with _current(self._tracer.start_span(name, context, SpanKind.SERVER, attributes)) as span:
            yield _Request(span, name)

    def current(self) -> str | None:
        """Give the `traceparent` of the current span, if it is sampled."""
        context = trace.get_current_span().get_span_context()
        if not (context.is_valid and context.trace_flags.sampled):
            return None
        carrier: dict[str, str] = {}
        self._propagator.inject(carrier)
        return carrier.get(_TRACEPARENT)

    @contextmanager
    def batch(self, name: str, attributes: Attributes, origins: Sequence[TraceOrigin]) -> Iterator[None]:
        """Work on many things: a trace of its own, linked with those of the origins, in which it is seen as well."""
        sampled = [origin for origin in dict.fromkeys(origins) if is_sampled(origin.traceparent)][:MOST_ORIGINS]
        contexts = [self._context_of(origin.traceparent) for origin in sampled]
        links = [Link(trace.get_current_span(context).get_span_context()) for context in contexts]
        begun_ns = time.time_ns()
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
                start_time=begun_ns,
            ).end()

    def _context_of(self, traceparent: str | None) -> Context:
        """Give the context to begin in; without a trace that is named, a new one."""
        return self._propagator.extract({} if traceparent is None else {_TRACEPARENT: traceparent}, Context())


@contextmanager
def _current(span: Span) -> Iterator[Span]:
    """Make it the current one until the block ends. Of an error no text is kept: it could quote what was sent."""
    with trace.use_span(span, end_on_exit=True, record_exception=False, set_status_on_exception=False):
        try:
            yield span
        except BaseException:
            span.set_status(StatusCode.ERROR)
            raise


class _Request:
    """A request's span."""

    def __init__(self, span: Span, name: str) -> None:
        self._span = span
        self._name = name

    def answered(self, status: int, *, route: str | None = None) -> None:
        self._span.set_attribute("http.response.status_code", status)
        if route is not None:
            self._span.set_attribute("http.route", route)
            self._span.update_name(f"{self._name} {route}")
        if status >= _FIRST_FAILURE:
            self._span.set_status(StatusCode.ERROR)
