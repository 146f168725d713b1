"""Event endpoints: the records that they store, their responses and rejections."""

import json
import time
from typing import Any

import orjson
import pytest

from common.errors import FlowNotFoundError, QuotaUsedUpError, UnavailableError
from common.wire.stream_records import EventRecord
from edge_api.api.events import EventBatchEndpoint, EventEndpoint
from edge_api.api.handler import Endpoint
from edge_api.api.response import DurableResponse, Response
from edge_api.snapshots.redis_health import RedisHealth
from tests.support.data.snapshots import KEY_ID, a_snapshot
from tests.unit.edge_api.api.authenticated import a_request, authenticated_project
from tests.unit.edge_api.events.used_quotas import no_quotas, quotas_used_up

EVENT = {"eventType": "flow_started", "deviceId": "phone"}


def an_edge_that_is(*, behind: bool = False) -> RedisHealth:
    """Return the health of snapshots that are as new as Redis, or may be behind."""
    health = RedisHealth()
    health.mark_synced()
    if behind:
        health.mark_behind()
    return health


def handle_event(document: dict[str, Any]) -> tuple[EventRecord, dict[str, Any]]:
    result = EventEndpoint(an_edge_that_is(), no_quotas()).handle(
        authenticated_project(), a_request(orjson.dumps(document))
    )
    assert isinstance(result, DurableResponse)
    (record,) = result.records
    assert isinstance(record, EventRecord)
    assert result.response.status == 201
    return record, orjson.loads(result.response.body)


def test_event_is_acknowledged_once_it_is_durable() -> None:
    record, response = handle_event({**EVENT, "eventId": "mine", "flowId": "flow_default", "sessionId": "s"})
    assert response == {"success": True, "eventId": "mine"}
    assert (record.event_id, record.flow_id, record.session_id, record.secret_key_id) == (
        "mine",
        "flow_default",
        "s",
        KEY_ID,
    )


def test_event_without_id_and_time_gets_both() -> None:
    before = int(time.time() * 1000)
    record, response = handle_event(EVENT)
    assert response["eventId"] == record.event_id
    assert record.event_id.startswith("evt_")
    assert before <= record.occurred_at_ms == record.received_at_ms


@pytest.mark.parametrize("flow_id", ["flow_other", "FLOW_DEFAULT", "flow_default\n1", "\x07", "f" * 60_000])
def test_unknown_flow_is_not_found_also_with_disabled_analytics(flow_id: str) -> None:
    project = authenticated_project(a_snapshot(analytics_enabled=False))
    with pytest.raises(FlowNotFoundError):
        EventEndpoint(an_edge_that_is(), no_quotas()).handle(
            project, a_request(orjson.dumps({**EVENT, "flowId": flow_id}))
        )


def test_unknown_flow_at_an_edge_that_may_be_behind_is_to_be_repeated() -> None:
    event = {**EVENT, "flowId": "flow_new"}
    requests: list[tuple[Endpoint, object]] = [
        (EventEndpoint(an_edge_that_is(behind=True), no_quotas()), event),
        (EventBatchEndpoint(an_edge_that_is(behind=True), no_quotas()), {"events": [EVENT, event]}),
    ]
    for endpoint, document in requests:
        with pytest.raises(UnavailableError) as raised:
            endpoint.handle(authenticated_project(), a_request(orjson.dumps(document)))
        assert raised.value.headers["Retry-After"] == "5"


def test_known_flow_is_accepted_by_an_edge_that_may_be_behind() -> None:
    body = orjson.dumps({**EVENT, "flowId": "flow_default"})
    result = EventEndpoint(an_edge_that_is(behind=True), no_quotas()).handle(authenticated_project(), a_request(body))
    assert isinstance(result, DurableResponse)


def test_disabled_analytics_store_nothing() -> None:
    project = authenticated_project(a_snapshot(analytics_enabled=False))
    result = EventEndpoint(an_edge_that_is(), no_quotas()).handle(
        project, a_request(orjson.dumps({**EVENT, "eventId": "e"}))
    )
    assert isinstance(result, Response)
    assert (result.status, orjson.loads(result.body)) == (200, {"success": True, "eventId": "e", "recorded": False})
    batch = EventBatchEndpoint(an_edge_that_is(), no_quotas()).handle(
        project, a_request(orjson.dumps({"events": [EVENT]}))
    )
    assert isinstance(batch, Response)
    assert orjson.loads(batch.body)["recorded"] is False


@pytest.mark.parametrize(
    "bad",
    [
        None,
        [],
        {**EVENT, "deviceId": "\ud800"},
        {**EVENT, "properties": {"cut \ud83d": "\\\udc00"}},
        {**EVENT, "x": "." * 65_536},
        "x",
        {**EVENT, "deviceId": "\0"},
        {**EVENT, "flowId": "flow_other"},
        {**EVENT, "properties": {"a": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}},
        {**EVENT, "timestamp": "1999-12-31T23:59:59Z"},
    ],
)
def test_only_the_invalid_event_of_a_batch_is_rejected_in_its_place(bad: object) -> None:
    body = json.dumps({"events": [{**EVENT, "eventId": "1"}, bad, {**EVENT, "eventId": "1"}]}).encode()
    result = EventBatchEndpoint(an_edge_that_is(), no_quotas()).handle(authenticated_project(), a_request(body))
    assert isinstance(result, DurableResponse)
    assert [record.event_id for record in result.records if isinstance(record, EventRecord)] == ["1", "1"]
    response = orjson.loads(result.response.body)
    assert (response["accepted"], response["rejected"]) == (2, 1)
    assert [item["status"] for item in response["results"]] == ["accepted", "rejected", "accepted"]


def test_number_outside_a_double_rejects_only_its_event() -> None:
    good = b'{"eventType": "a", "deviceId": "d"}'
    bad = b'{"eventType": "a", "deviceId": "d", "properties": {"x": 1e999}}'
    body = b'{"events": [' + good + b", " + bad + b"]}"
    result = EventBatchEndpoint(an_edge_that_is(), no_quotas()).handle(authenticated_project(), a_request(body))
    assert isinstance(result, DurableResponse)
    assert len(result.records) == 1


def test_batch_of_only_invalid_events_waits_for_nothing() -> None:
    result = EventBatchEndpoint(an_edge_that_is(), no_quotas()).handle(
        authenticated_project(), a_request(b'{"events": [{}]}')
    )
    assert isinstance(result, Response)
    missing = {"status": "rejected", "code": "MISSING_PARAMETER", "error": "eventType is required"}
    assert (orjson.loads(result.body)["rejected"], orjson.loads(result.body)["results"]) == (1, [missing])


def test_events_of_a_project_above_its_quota_are_rejected_as_a_whole() -> None:
    project, health = authenticated_project(), an_edge_that_is()
    requests: list[tuple[type[EventEndpoint | EventBatchEndpoint], object]] = [
        (EventEndpoint, EVENT),
        (EventBatchEndpoint, {"events": [EVENT, EVENT]}),
    ]
    for endpoint, document in requests:
        body = orjson.dumps(document)
        used_up = quotas_used_up({project.snapshot.snapshot.project_id: {"events"}})
        with pytest.raises(QuotaUsedUpError):
            endpoint(health, used_up).handle(project, a_request(body))
        assert used_up.rejected == 1
        of_another = quotas_used_up({"proj_other": {"events"}})
        assert isinstance(endpoint(health, of_another).handle(project, a_request(body)), DurableResponse)


def test_disabled_analytics_accept_events_above_a_quota() -> None:
    project = authenticated_project(a_snapshot(analytics_enabled=False))
    quotas = quotas_used_up({project.snapshot.snapshot.project_id: {"events"}})
    result = EventEndpoint(an_edge_that_is(), quotas).handle(project, a_request(orjson.dumps(EVENT)))
    assert isinstance(result, Response)
    assert orjson.loads(result.body)["recorded"] is False
