"""POST /api/analytics/event and /api/analytics/events: single events and batches of up to 500 (contract, section 4)."""

import time
from typing import Any

import orjson

from common.errors import FlowNotFoundError, RequestError, UnavailableError
from common.ids import IdPrefix, new_id
from common.wire.stream_records import EventRecord
from edge_api.api.event_bodies import read_event, split_batch
from edge_api.api.request import AuthenticatedProject, RequestContext
from edge_api.api.response import DurableResponse, HandlerResult, json_response
from edge_api.events.quotas import ProjectQuotas
from edge_api.snapshots.redis_health import RedisHealth

_RETRY_SECONDS = 5


class EventEndpoint:
    """Takes one event; 201 means that it is durable."""

    def __init__(self, health: RedisHealth, quotas: ProjectQuotas) -> None:
        """`health` is that of the snapshots, among which a flow is looked up."""
        self._health = health
        self._quotas = quotas

    def handle(self, project: AuthenticatedProject, request: RequestContext) -> HandlerResult:
        """Validate the event and return its record with the response. Raises RequestError."""
        if self._quotas.used_up:
            _check_quotas(self._quotas, project)
        try:
            record = event_record(request.body, project, int(time.time() * 1000), "The request body")
        except FlowNotFoundError:
            if self._health.is_current:
                raise
            raise _may_be_newer() from None
        # orjson.dumps of the document keeps kilobytes allocated behind its result, and many responses wait at once.
        document = b'{"success":true,"eventId":%b' % orjson.dumps(record.event_id)
        if not project.snapshot.snapshot.analytics_enabled:
            return json_response(200, document + b',"recorded":false}')
        return DurableResponse((record,), json_response(201, document + b"}"))


class EventBatchEndpoint:
    """Takes a batch; its accepted events become durable together, or the request gets 503."""

    def __init__(self, health: RedisHealth, quotas: ProjectQuotas) -> None:
        """`health` is that of the snapshots, among which a flow is looked up."""
        self._health = health
        self._quotas = quotas

    def handle(self, project: AuthenticatedProject, request: RequestContext) -> HandlerResult:
        """Validate each event; the results are in the order in which the events were sent. Raises RequestError."""
        if self._quotas.used_up:
            _check_quotas(self._quotas, project)
        received_at_ms = int(time.time() * 1000)
        batch = split_batch(request.body)
        validated = [_validated(item, project, received_at_ms, batch.sent_at_ms) for item in batch.items]
        if any(isinstance(item, FlowNotFoundError) for item in validated) and not self._health.is_current:
            # SDKs drop a rejected event, so the batch has to be sent again.
            raise _may_be_newer()
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


def event_record(
    body: bytes, project: AuthenticatedProject, received_at_ms: int, subject: str, sent_at_ms: int | None = None
) -> EventRecord:
    """Validate one event and complete it with its id and time. `sent_at_ms` is that of the batch.

    Raises RequestError, and FlowNotFoundError for a flow that the project does not have.
    """
    event, occurred_at_ms, properties = read_event(body, received_at_ms, subject, sent_at_ms)
    snapshot = project.snapshot.snapshot
    if event.flow_id is not None and event.flow_id not in snapshot.flow_ids:
        raise FlowNotFoundError
    return EventRecord(
        snapshot.project_id,
        event.event_id or new_id(IdPrefix.EVENT),
        event.event_type,
        event.device_id,
        occurred_at_ms,
        received_at_ms,
        event.flow_id,
        event.screen_id,
        event.experiment_id,
        event.variant,
        event.session_id,
        event.platform,
        event.app_version,
        properties,
        project.key_id,
        locale=event.locale or None,
    )


def _validated(
    item: bytes | RequestError, project: AuthenticatedProject, now_ms: int, sent_at_ms: int | None
) -> EventRecord | RequestError:
    if isinstance(item, RequestError):
        return item
    try:
        return event_record(item, project, now_ms, "The event", sent_at_ms)
    except RequestError as error:
        return error


def _check_quotas(quotas: ProjectQuotas, project: AuthenticatedProject) -> None:
    """Raise QuotaUsedUpError for a project that has used up a quota, unless nothing is recorded anyway."""
    snapshot = project.snapshot.snapshot
    if snapshot.analytics_enabled:
        quotas.check(snapshot.project_id)


def _may_be_newer() -> UnavailableError:
    return UnavailableError("The flow may be newer than this edge", retry_after_seconds=_RETRY_SECONDS)


def _result(validated: EventRecord | RequestError) -> dict[str, str]:
    if isinstance(validated, EventRecord):
        return {"eventId": validated.event_id, "status": "accepted"}
    return {"status": "rejected", "code": validated.code.value, "error": validated.message}
