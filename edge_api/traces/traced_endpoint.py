"""An endpoint whose events say in which trace, and with which request, they came."""

from msgspec.structs import replace

from common.telemetry.tracing import Spans
from common.wire.stream_records import EventRecord
from edge_api.answers.answer import DurableResponse, Outcome
from edge_api.answers.credentials import AuthenticatedProject
from edge_api.answers.endpoint import Endpoint
from edge_api.answers.request_head import RequestHeaders


class TracedEndpoint:
    """Answers as the endpoint does; the trace is the one of the span that the request is answered in."""

    def __init__(self, endpoint: Endpoint, spans: Spans) -> None:
        self.methods = endpoint.methods
        self.body_limit = endpoint.body_limit
        self._endpoint = endpoint
        self._spans = spans

    def answer(self, access: AuthenticatedProject, head: RequestHeaders, body: bytes) -> Outcome:
        """Answer one request. Raises RequestError."""
        outcome = self._endpoint.answer(access, head, body)
        if not isinstance(outcome, DurableResponse) or (traceparent := self._spans.current()) is None:
            return outcome
        records = tuple(
            replace(record, traceparent=traceparent, request_id=head.request_id)
            if isinstance(record, EventRecord)
            else record
            for record in outcome.records
        )
        return DurableResponse(records, outcome.answer)
