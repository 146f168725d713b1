"""A span for each request of the management service, where traces are wanted."""

from contextlib import ExitStack
from typing import TYPE_CHECKING

import falcon

from common.telemetry.tracing import valid_traceparent

if TYPE_CHECKING:
    from common.telemetry.open_telemetry import Spans

_PROBES = "/health/"


class RequestTracing:
    """Falcon middleware; it is not there when nobody wants traces. It stands behind the one that names the request."""

    def __init__(self, spans: "Spans") -> None:
        self._spans = spans

    def process_request(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Begin the span; probes have none, and a method that is none of the interface's is not its name."""
        if req.path.startswith(_PROBES):
            return
        traceparent = req.get_header("traceparent")
        sane = None if traceparent is None else valid_traceparent([traceparent])
        method = req.method if req.method in falcon.HTTP_METHODS else "_OTHER"
        attributes = {"http.request.method": method, "onboarding.request_id": req.context.request_id}
        req.context.spans = ExitStack()
        req.context.span = req.context.spans.enter_context(self._spans.request(method, sane, attributes))

    def process_response(
        self, req: falcon.Request, resp: falcon.Response, resource: object, req_succeeded: bool
    ) -> None:
        """End the span. Falcon refuses some requests before any middleware has seen them; those have none."""
        span = req.context.get("span")
        if span is not None:
            span.set_status(resp.status_code, route=req.uri_template)
            req.context.spans.close()
