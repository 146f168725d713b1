"""POST /api/analytics/event and /api/analytics/events: single events and batches of up to 500 (contract, section 4)."""

import time
from typing import Any

import orjson

from common.errors import FlowNotFoundError, MalformedBodyError, RequestError
from common.ids import IdPrefix, new_id
from common.json_body import convert_object, parse_batch_object, parse_object, value_error
from common.wire.public_bodies import BATCH_BODY_BYTES, SINGLE_BODY_BYTES, EventBatchBody, EventBody
from common.wire.stream_records import EventRecord
from edge_api.api.request import AuthenticatedProject, Headers
from edge_api.api.response import DurableResponse, HandlerResult, json_response


class EventEndpoint:
    """Takes one event; 201 means that it is durable."""

    methods = ("POST",)
    body_limit = SINGLE_BODY_BYTES

    def handle(self, project: AuthenticatedProject, _headers: Headers, body: bytes) -> HandlerResult:
        """Validate the event and return its record with the response. Raises RequestError."""
        record = event_record(parse_object(body), project, int(time.time() * 1000))
        # orjson.dumps of the document keeps kilobytes allocated behind its result, and many responses wait at once.
        document = b'{"success":true,"eventId":%b' % orjson.dumps(record.event_id)
        if not project.snapshot.snapshot.analytics_enabled:
            return json_response(200, document + b',"recorded":false}')
        return DurableResponse((record,), json_response(201, document + b"}"))


class EventBatchEndpoint:
    """Takes a batch; its accepted events become durable together, or the request gets 503."""

    methods = ("POST",)
    body_limit = BATCH_BODY_BYTES

    def handle(self, project: AuthenticatedProject, _headers: Headers, body: bytes) -> HandlerResult:
        """Validate each event; the results are in the order in which the events were sent. Raises RequestError."""
        batch = convert_object(parse_batch_object(body), EventBatchBody)
        received_at_ms = int(time.time() * 1000)
        validated = [_validated(item, project, received_at_ms) for item in batch.events]
        records = tuple(item for item in validated if isinstance(item, EventRecord))
        document: dict[str, Any] = {
            "success": True,
            "accepted": len(records),
            "rejected": len(validated) - len(records),
            "results": [_result(item) for item in validated],
        }
        if not project.snapshot.snapshot.analytics_enabled:
            return json_response(200, orjson.dumps({**document, "recorded": False}))
        response = json_response(200, orjson.dumps(document))
        return DurableResponse(records, response) if records else response


def event_record(document: dict[str, Any], project: AuthenticatedProject, received_at_ms: int) -> EventRecord:
    """Validate one event and complete it with its id and time.

    Raises InvalidRequestError, and FlowNotFoundError for a flow that the project does not have.
    """
    body = convert_object(document, EventBody)
    snapshot = project.snapshot.snapshot
    if body.flow_id is not None and body.flow_id not in snapshot.flow_ids:
        raise FlowNotFoundError
    return EventRecord(
        project_id=snapshot.project_id,
        event_id=body.event_id or new_id(IdPrefix.EVENT),
        event_type=body.event_type,
        device_id=body.device_id,
        occurred_at_ms=received_at_ms if body.timestamp is None else body.timestamp.unix_ms,
        received_at_ms=received_at_ms,
        flow_id=body.flow_id,
        screen_id=body.screen_id,
        experiment_id=body.experiment_id,
        variant=body.variant,
        session_id=body.session_id,
        platform=body.platform,
        app_version=body.app_version,
        properties={} if body.properties is None else body.properties.members,
        secret_key_id=project.key_id,
    )


def _validated(item: object, project: AuthenticatedProject, received_at_ms: int) -> EventRecord | RequestError:
    if not isinstance(item, dict):
        return MalformedBodyError("an event must be a JSON object")
    problem = value_error(item)
    if problem is not None:
        return MalformedBodyError(f"the event {problem}")
    try:
        return event_record(item, project, received_at_ms)
    except RequestError as error:
        return error


def _result(validated: EventRecord | RequestError) -> dict[str, str]:
    if isinstance(validated, EventRecord):
        return {"eventId": validated.event_id, "status": "accepted"}
    return {"status": "rejected", "code": validated.code.value, "error": validated.message}
