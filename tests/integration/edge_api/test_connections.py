"""Connections as bytes: order, keep-alive, and what arrives in pieces; the same at both doors."""

import httpx
import pytest
import redis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from common.wire.snapshot import Snapshot
from tests.integration.edge_api.raw_connection import raw_connection, raw_request
from tests.integration.edge_api.requests_of_every_kind import DEVICE, EVENT, RESOLVE, requests_of, without_counts
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.snapshots import a_default_flow, a_snapshot, publish, sdk_headers


@pytest.fixture
def edge(lasting_edge: httpx.Client) -> httpx.Client:
    return lasting_edge


@given(data=st.data())
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_answers_come_in_the_order_of_the_requests(edge: httpx.Client, snapshot: Snapshot, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from(requests_of(snapshot)), min_size=1, max_size=8))
    whole = b"".join(request for request, _ in chosen)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(whole)), max_size=5)))
    with raw_connection(edge) as connection:
        for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True):
            connection.send(whole[start:end])
        assert [connection.answer().status for _ in chosen] == [status for _, status in chosen]


def test_both_doors_answer_with_the_same_bytes(redis_url: str, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    said = []
    for door in ("fast", "asgi"):
        chosen = edge_settings(redis_url, edge_http=door, rate_limit_per_secret_key=1_000_000)
        with running_edge(chosen) as edge, raw_connection(edge) as connection:
            connection.send(b"".join(request for request, _ in requests_of(snapshot)))
            answers = [connection.answer() for _ in requests_of(snapshot)]
            said.append([(one.status, without_counts(one.head), one.body) for one in answers])
    assert said[0] == said[1]


def test_clients_behind_one_connection_are_never_given_each_others_project(
    edge: httpx.Client, redis_client: redis.Redis
) -> None:
    known, cold = (a_snapshot(default=a_default_flow(f"flow_{name}")) for name in ("known", "cold"))
    for snapshot in (known, cold):
        publish(redis_client, snapshot)
    asked = [raw_request("POST", RESOLVE, sdk_headers(one), DEVICE) for one in (known, known, cold, known, cold)]
    with raw_connection(edge) as connection:
        flows = []
        # The third is the first of its project and has to wait for the snapshot.
        for request in asked:
            connection.send(request)
            flows.append(connection.answer().document["flowId"])
    assert flows == ["flow_known", "flow_known", "flow_cold", "flow_known", "flow_cold"]


def test_a_request_may_arrive_byte_by_byte(edge: httpx.Client, snapshot: Snapshot) -> None:
    with raw_connection(edge) as connection:
        for request, status in requests_of(snapshot)[:3]:
            for position in range(len(request)):
                connection.send(request[position : position + 1])
            assert connection.answer().status == status


def test_head_gets_the_head_alone(edge: httpx.Client, snapshot: Snapshot) -> None:
    with raw_connection(edge) as connection:
        connection.send(raw_request("HEAD", "/api/config", sdk_headers(snapshot)))
        connection.send(raw_request("GET", "/api/config", sdk_headers(snapshot)))
        head, get = connection.answer(to_head=True), connection.answer()
    assert get.body == snapshot.config.body
    assert without_counts(head.head) == without_counts(get.head)


@pytest.mark.parametrize(
    ("version", "headers"), [("1.1", {"Connection": "close"}), ("1.0", {}), ("1.0", {"Connection": "keep-alive"})]
)
@pytest.mark.parametrize(("path", "body"), [(RESOLVE, DEVICE), ("/api/analytics/event", EVENT)])
def test_a_last_request_is_answered_and_the_connection_closed(
    edge: httpx.Client, snapshot: Snapshot, version: str, headers: dict[str, str], path: str, body: bytes
) -> None:
    request = raw_request("POST", path, {**sdk_headers(snapshot), **headers}, body, version)
    with raw_connection(edge) as connection:
        connection.send(request + request)
        answer = connection.answer()
        assert answer.status in {200, 201}
        assert b"connection: close" in answer.head
        assert connection.rest() == b""


def test_a_client_that_asks_first_is_told_to_continue(edge: httpx.Client, snapshot: Snapshot) -> None:
    request = raw_request("POST", RESOLVE, {**sdk_headers(snapshot), "Expect": "100-continue"}, DEVICE)
    head, body = request[: -len(DEVICE)], request[-len(DEVICE) :]
    with raw_connection(edge) as connection:
        connection.send(head)
        assert connection.answer().status == 100
        connection.send(body)
        assert connection.answer().status == 200


def test_a_client_without_credentials_is_not_told_to_continue(edge: httpx.Client) -> None:
    request = raw_request("POST", RESOLVE, {"Expect": "100-continue"}, DEVICE)
    with raw_connection(edge) as connection:
        connection.send(request[: -len(DEVICE)])
        assert connection.answer().status == 401
        assert connection.rest() == b""


def test_an_upgrade_is_not_taken_and_what_follows_is_not_read(edge: httpx.Client, snapshot: Snapshot) -> None:
    headers = {**sdk_headers(snapshot), "Connection": "Upgrade", "Upgrade": "websocket"}
    with raw_connection(edge) as connection:
        connection.send(raw_request("GET", "/api/config", headers) + raw_request("GET", "/health/live", {}))
        assert connection.answer().status == 200
        assert connection.rest() == b""


@pytest.mark.parametrize("copies", [2, 3, 50])
def test_requests_that_arrive_together_are_all_answered(edge: httpx.Client, snapshot: Snapshot, copies: int) -> None:
    request = raw_request("POST", RESOLVE, sdk_headers(snapshot), DEVICE)
    with raw_connection(edge) as connection:
        for _ in range(3):
            connection.send(request * copies)
            assert {connection.answer().status for _ in range(copies)} == {200}
            connection.send(request)
            assert connection.answer().status == 200


def test_behind_an_event_that_found_no_room_the_connection_serves_on(redis_url: str, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    headers = sdk_headers(snapshot)
    batch = b'{"events": [%b, %b]}' % (EVENT, EVENT.replace(b"mine", b"yours"))
    with (
        running_edge(edge_settings(redis_url, edge_event_buffer_max_events=1)) as edge,
        raw_connection(edge) as connection,
    ):
        for path, body, status in [
            ("/api/analytics/event", EVENT, 201),
            ("/api/analytics/events", batch, 503),
            (RESOLVE, DEVICE, 200),
        ]:
            connection.send(raw_request("POST", path, headers, body))
            assert connection.answer().status == status
