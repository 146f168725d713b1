"""POST /api/analytics/events: up to 500 events, each judged by itself (contract, section 4)."""

import time
from typing import Any

import orjson

from common.errors import MalformedBodyError, RequestError
from common.json_body import convert_object, parse_batch_object, value_error
from common.wire.public_bodies import EventBatchBody
from common.wire.stream_records import EventRecord
from edge_api.answers.answer import DurableResponse, Outcome, json_answer
from edge_api.answers.body_limits import BATCH_BODY_BYTES
from edge_api.answers.credentials import AuthenticatedProject
from edge_api.answers.event_record import event_record
from edge_api.answers.request_head import RequestHeaders


class EventBatchEndpoint:
    """Takes a batch; its accepted events become durable together or the whole request is refused."""

    methods = ("POST",)
    body_limit = BATCH_BODY_BYTES

    def answer(self, access: AuthenticatedProject, _head: RequestHeaders, body: bytes) -> Outcome:
        """Judge each event; the results stand in the order in which the events were sent."""
        batch = convert_object(parse_batch_object(body), EventBatchBody)
        received_at_ms = int(time.time() * 1000)
        judged = [_judge(item, access, received_at_ms) for item in batch.events]
        records = tuple(one for one in judged if isinstance(one, EventRecord))
        document: dict[str, Any] = {
            "success": True,
            "accepted": len(records),
            "rejected": len(judged) - len(records),
            "results": [_result(one) for one in judged],
        }
        if not access.resident.snapshot.analytics_enabled:
            return json_answer(200, orjson.dumps({**document, "recorded": False}))
        answer = json_answer(200, orjson.dumps(document))
        return DurableResponse(records, answer) if records else answer


def _judge(item: object, access: AuthenticatedProject, received_at_ms: int) -> EventRecord | RequestError:
    if not isinstance(item, dict):
        return MalformedBodyError("an event must be a JSON object")
    problem = value_error(item)
    if problem is not None:
        return MalformedBodyError(f"the event {problem}")
    try:
        return event_record(item, access, received_at_ms)
    except RequestError as error:
        return error


def _result(judged: EventRecord | RequestError) -> dict[str, str]:
    if isinstance(judged, EventRecord):
        return {"eventId": judged.event_id, "status": "accepted"}
    return {"status": "rejected", "code": judged.code.value, "error": judged.message}
