"""Connections as bytes: order, keep-alive, and requests in pieces; the same with both HTTP implementations."""

import httpx
import pytest
import redis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from common.wire.snapshot import Snapshot
from tests.integration.edge_api.raw_connection import raw_connection, raw_request
from tests.integration.edge_api.request_examples import DEVICE, EVENT, RESOLVE, request_examples, without_remaining
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.support.data.snapshots import a_default_flow, a_snapshot, publish, sdk_headers

pytestmark = pytest.mark.both_http_ways


@pytest.fixture
def edge(lasting_edge: httpx.Client) -> httpx.Client:
    return lasting_edge


@given(data=st.data())
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_pipelined_requests_are_answered_in_order(edge: httpx.Client, snapshot: Snapshot, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from(request_examples(snapshot)), min_size=1, max_size=8))
    data_sent = b"".join(request for request, _ in chosen)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(data_sent)), max_size=5)))
    with raw_connection(edge) as connection:
        for start, end in zip([0, *cuts], [*cuts, len(data_sent)], strict=True):
            connection.send(data_sent[start:end])
        assert [connection.response().status for _ in chosen] == [status for _, status in chosen]


def test_both_http_implementations_send_the_same_bytes(redis_url: str, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    sent = []
    for edge_http in ("fast", "asgi"):
        chosen = edge_settings(redis_url, edge_http=edge_http, rate_limit_per_secret_key=1_000_000)
        with running_edge(chosen) as edge, raw_connection(edge) as connection:
            connection.send(b"".join(request for request, _ in request_examples(snapshot)))
            responses = [connection.response() for _ in request_examples(snapshot)]
            sent.append([(r.status, without_remaining(r.headers), r.body) for r in responses])
    assert sent[0] == sent[1]


def test_requests_of_two_projects_on_a_connection_get_their_own_flows(
    edge: httpx.Client, redis_client: redis.Redis
) -> None:
    known, cold = (a_snapshot(default=a_default_flow(f"flow_{name}")) for name in ("known", "cold"))
    for snapshot in (known, cold):
        publish(redis_client, snapshot)
    requests = [
        raw_request("POST", RESOLVE, sdk_headers(project), DEVICE) for project in (known, known, cold, known, cold)
    ]
    with raw_connection(edge) as connection:
        flows = []
        # The third request is the first of its project and waits for the snapshot.
        for request in requests:
            connection.send(request)
            flows.append(connection.response().document["flowId"])
    assert flows == ["flow_known", "flow_known", "flow_cold", "flow_known", "flow_cold"]


def test_request_in_single_bytes_is_served(edge: httpx.Client, snapshot: Snapshot) -> None:
    with raw_connection(edge) as connection:
        for request, status in request_examples(snapshot)[:3]:
            for position in range(len(request)):
                connection.send(request[position : position + 1])
            assert connection.response().status == status


def test_head_request_gets_the_headers_without_a_body(edge: httpx.Client, snapshot: Snapshot) -> None:
    with raw_connection(edge) as connection:
        connection.send(raw_request("HEAD", "/api/config", sdk_headers(snapshot)))
        connection.send(raw_request("GET", "/api/config", sdk_headers(snapshot)))
        head, get = connection.response(to_head=True), connection.response()
    assert get.body == snapshot.config.body
    assert without_remaining(head.headers) == without_remaining(get.headers)


@pytest.mark.parametrize(
    ("version", "headers"), [("1.1", {"Connection": "close"}), ("1.0", {}), ("1.0", {"Connection": "keep-alive"})]
)
@pytest.mark.parametrize(("path", "body"), [(RESOLVE, DEVICE), ("/api/analytics/event", EVENT)])
def test_last_request_is_served_and_the_connection_closed(
    edge: httpx.Client, snapshot: Snapshot, version: str, headers: dict[str, str], path: str, body: bytes
) -> None:
    request = raw_request("POST", path, {**sdk_headers(snapshot), **headers}, body, version)
    with raw_connection(edge) as connection:
        connection.send(request + request)
        response = connection.response()
        assert response.status in {200, 201}
        assert b"connection: close" in response.headers
        assert connection.rest() == b""


def test_request_that_expects_100_gets_it_before_its_body(edge: httpx.Client, snapshot: Snapshot) -> None:
    request = raw_request("POST", RESOLVE, {**sdk_headers(snapshot), "Expect": "100-continue"}, DEVICE)
    headers, body = request[: -len(DEVICE)], request[-len(DEVICE) :]
    with raw_connection(edge) as connection:
        connection.send(headers)
        assert connection.response().status == 100
        connection.send(body)
        assert connection.response().status == 200


def test_request_that_expects_100_without_credentials_gets_401(edge: httpx.Client) -> None:
    request = raw_request("POST", RESOLVE, {"Expect": "100-continue"}, DEVICE)
    with raw_connection(edge) as connection:
        connection.send(request[: -len(DEVICE)])
        assert connection.response().status == 401
        assert connection.rest() == b""


def test_upgrade_is_ignored_and_the_bytes_behind_it_are_not_read(edge: httpx.Client, snapshot: Snapshot) -> None:
    headers = {**sdk_headers(snapshot), "Connection": "Upgrade", "Upgrade": "websocket"}
    with raw_connection(edge) as connection:
        connection.send(raw_request("GET", "/api/config", headers) + raw_request("GET", "/health/live", {}))
        assert connection.response().status == 200
        assert connection.rest() == b""


@pytest.mark.parametrize("copies", [2, 3, 50])
def test_requests_in_one_packet_are_all_served(edge: httpx.Client, snapshot: Snapshot, copies: int) -> None:
    request = raw_request("POST", RESOLVE, sdk_headers(snapshot), DEVICE)
    with raw_connection(edge) as connection:
        for _ in range(3):
            connection.send(request * copies)
            assert {connection.response().status for _ in range(copies)} == {200}
            connection.send(request)
            assert connection.response().status == 200


def test_connection_serves_after_an_event_that_the_buffer_rejected(
    redis_url: str, redis_client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("edge_api.events.event_store._MAX_PENDING", 1)
    monkeypatch.setattr("edge_api.events.event_store._RECORDS_PER_REQUEST", 1)
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    headers = sdk_headers(snapshot)
    batch = b'{"events": [%b, %b]}' % (EVENT, EVENT.replace(b"mine", b"yours"))
    with (
        running_edge(edge_settings(redis_url)) as edge,
        raw_connection(edge) as connection,
    ):
        for path, body, status in [
            ("/api/analytics/event", EVENT, 201),
            ("/api/analytics/events", batch, 503),
            (RESOLVE, DEVICE, 200),
        ]:
            connection.send(raw_request("POST", path, headers, body))
            assert connection.response().status == status
