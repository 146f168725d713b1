"""A collector of traces that receives OTLP over HTTP and keeps the spans."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.support.background import serving


@dataclass(frozen=True)
class SeenSpan:
    """A span and its service; ids are in hexadecimal."""

    service: str
    name: str
    trace_id: str
    span_id: str
    parent_id: str
    attributes: dict[str, str | int]
    #: Ids of the linked spans.
    links: list[str]


@dataclass(frozen=True)
class Collector:
    """`url` is the value of `OTEL_EXPORTER_OTLP_ENDPOINT`."""

    url: str
    spans: list[SeenSpan]

    def find(self, service: str, name: str, trace_id: str | None = None) -> SeenSpan | None:
        """Return the first span with this name; None when there is none."""
        return next(
            (
                span
                for span in self.spans
                if (span.service, span.name) == (service, name) and trace_id in (None, span.trace_id)
            ),
            None,
        )


@contextmanager
def collecting() -> Iterator[Collector]:
    """Collect until the block ends."""
    spans: list[SeenSpan] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            assert (self.path, self.headers["Content-Type"]) == ("/v1/traces", "application/x-protobuf")
            spans.extend(_spans_in(body))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_arguments: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with serving(server):
        yield Collector(f"http://127.0.0.1:{server.server_address[1]}", spans)


def _spans_in(body: bytes) -> Iterator[SeenSpan]:
    for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
        of_resource = {pair.key: pair.value.string_value for pair in resource.resource.attributes}
        for span in (span for scope in resource.scope_spans for span in scope.spans):
            attributes: dict[str, str | int] = {
                pair.key: pair.value.string_value or pair.value.int_value for pair in span.attributes
            }
            yield SeenSpan(
                of_resource["service.name"],
                span.name,
                span.trace_id.hex(),
                span.span_id.hex(),
                span.parent_span_id.hex(),
                attributes,
                [link.span_id.hex() for link in span.links],
            )
