"""A span for each request of the management service, while tracing is on."""

from contextlib import ExitStack
from typing import TYPE_CHECKING

import falcon

from common.telemetry.tracing import valid_traceparent

if TYPE_CHECKING:
    from common.telemetry.open_telemetry import Spans

_PROBES = "/health/"


class RequestTracing:
    """Falcon middleware, installed only while tracing is on. The middleware before it sets the request id."""

    def __init__(self, spans: "Spans") -> None:
        self._spans = spans

    def process_request(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Start the span. Probes have none; unknown methods share one name, since clients can invent any number."""
        if req.path.startswith(_PROBES):
            return
        traceparent = req.get_header("traceparent")
        valid = None if traceparent is None else valid_traceparent([traceparent])
        method = req.method if req.method in falcon.HTTP_METHODS else "_OTHER"
        attributes = {"http.request.method": method, "onboarding.request_id": req.context.request_id}
        req.context.spans = ExitStack()
        req.context.span = req.context.spans.enter_context(self._spans.request(method, valid, attributes))

    def process_response(
        self, req: falcon.Request, resp: falcon.Response, resource: object, req_succeeded: bool
    ) -> None:
        """End the span. Requests that Falcon rejects before the middleware have none."""
        span = req.context.get("span")
        if span is not None:
            span.set_status(resp.status_code, route=req.uri_template)
            req.context.spans.close()
