"""Events: what is promised, what is stored, what is refused."""

import json
import time
from typing import Any

import orjson
import pytest

from common.errors import FlowNotFoundError
from common.wire.stream_records import EventRecord
from edge_api.api.events import EventBatchEndpoint, EventEndpoint
from edge_api.api.response import DurableResponse, Response
from tests.snapshots import KEY_ID, a_snapshot
from tests.unit.edge_api.api.authenticated import authenticated_project

EVENT = {"eventType": "flow_started", "deviceId": "phone"}


def promised(document: dict[str, Any]) -> tuple[EventRecord, dict[str, Any]]:
    """Give what one event stores and answers."""
    outcome = EventEndpoint().handle(authenticated_project(), {}, orjson.dumps(document))
    assert isinstance(outcome, DurableResponse)
    (record,) = outcome.records
    assert isinstance(record, EventRecord)
    assert outcome.response.status == 201
    return record, orjson.loads(outcome.response.body)


def test_an_event_is_answered_once_it_is_durable() -> None:
    record, answer = promised({**EVENT, "eventId": "mine", "flowId": "flow_default", "sessionId": "s"})
    assert answer == {"success": True, "eventId": "mine"}
    assert (record.event_id, record.flow_id, record.session_id, record.secret_key_id) == (
        "mine",
        "flow_default",
        "s",
        KEY_ID,
    )


def test_an_event_without_id_and_time_is_given_both() -> None:
    before = int(time.time() * 1000)
    record, answer = promised(EVENT)
    assert answer["eventId"] == record.event_id
    assert record.event_id.startswith("evt_")
    assert before <= record.occurred_at_ms == record.received_at_ms


@pytest.mark.parametrize("flow_id", ["flow_other", "FLOW_DEFAULT", "flow_default\n1", "\x07", "f" * 60_000])
def test_a_flow_that_the_project_does_not_have_is_not_found_even_with_analytics_off(flow_id: str) -> None:
    project = authenticated_project(a_snapshot(analytics_enabled=False))
    with pytest.raises(FlowNotFoundError):
        EventEndpoint().handle(project, {}, orjson.dumps({**EVENT, "flowId": flow_id}))


def test_with_analytics_off_nothing_is_stored() -> None:
    project = authenticated_project(a_snapshot(analytics_enabled=False))
    outcome = EventEndpoint().handle(project, {}, orjson.dumps({**EVENT, "eventId": "e"}))
    assert isinstance(outcome, Response)
    assert (outcome.status, orjson.loads(outcome.body)) == (200, {"success": True, "eventId": "e", "recorded": False})


@pytest.mark.parametrize(
    "bad",
    [
        None,
        [],
        {**EVENT, "deviceId": "\ud800"},
        {**EVENT, "deviceId": "\0"},
        {**EVENT, "flowId": "flow_other"},
        {**EVENT, "properties": {"a": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}},
        {**EVENT, "timestamp": "1999-12-31T23:59:59Z"},
    ],
)
def test_a_bad_event_of_a_batch_is_rejected_alone_and_in_its_place(bad: object) -> None:
    body = json.dumps({"events": [{**EVENT, "eventId": "1"}, bad, {**EVENT, "eventId": "1"}]}).encode()
    outcome = EventBatchEndpoint().handle(authenticated_project(), {}, body)
    assert isinstance(outcome, DurableResponse)
    assert [record.event_id for record in outcome.records if isinstance(record, EventRecord)] == ["1", "1"]
    answer = orjson.loads(outcome.response.body)
    assert (answer["accepted"], answer["rejected"]) == (2, 1)
    assert [result["status"] for result in answer["results"]] == ["accepted", "rejected", "accepted"]


def test_a_number_outside_a_double_is_one_events_fault() -> None:
    good = b'{"eventType": "a", "deviceId": "d"}'
    bad = b'{"eventType": "a", "deviceId": "d", "properties": {"x": 1e999}}'
    body = b'{"events": [' + good + b", " + bad + b"]}"
    outcome = EventBatchEndpoint().handle(authenticated_project(), {}, body)
    assert isinstance(outcome, DurableResponse)
    assert len(outcome.records) == 1


def test_a_batch_of_only_bad_events_waits_for_nothing() -> None:
    outcome = EventBatchEndpoint().handle(authenticated_project(), {}, b'{"events": [{}]}')
    assert isinstance(outcome, Response)
    assert orjson.loads(outcome.body)["rejected"] == 1
