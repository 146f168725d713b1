"""Connections as bytes: order, keep-alive, and what is malformed or ambiguous; the same at both doors."""

import socket
import time

import httpx
import pytest
import redis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from common.credentials import secret_key_digest
from common.snapshot import SecretKeyDigest, Snapshot
from tests.integration.edge_api.raw_connection import raw_connection, raw_request
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.polling import eventually
from tests.snapshots import (
    KEY_ID,
    SECRET_KEY,
    a_default_flow,
    a_snapshot,
    an_overriding_flow,
    next_revision,
    publish,
    sdk_headers,
)

RESOLVE = "/api/onboarding/resolve"
DEVICE = b'{"deviceId": "phone"}'
EVENT = b'{"eventType": "flow_started", "deviceId": "phone", "eventId": "mine"}'


@pytest.fixture
def snapshot(redis_client: redis.Redis) -> Snapshot:
    """Give a published project."""
    published = a_snapshot()
    publish(redis_client, published)
    return published


def requests_of(snapshot: Snapshot) -> list[tuple[bytes, int]]:
    """Give requests of every kind, and the status that each has: answered at once, later, by Starlette, refused."""
    headers = sdk_headers(snapshot)
    chunked = {**headers, "Content-Type": "application/json", "Transfer-Encoding": "chunked"}
    return [
        (raw_request("POST", RESOLVE, headers, DEVICE), 200),
        (raw_request("POST", "/api/analytics/event", headers, EVENT), 201),
        (raw_request("GET", "/api/v1/config", headers), 200),
        (raw_request("GET", "/health/live", {}), 200),
        (raw_request("GET", "/api/nothing", {}), 404),
        (raw_request("DELETE", RESOLVE, headers), 405),
        (raw_request("POST", RESOLVE, headers, b"{"), 400),
        (raw_request("POST", RESOLVE, {}, DEVICE), 401),
        (raw_request("POST", RESOLVE, headers, b" " * 70_000), 413),
        (raw_request("POST", RESOLVE, chunked) + b"15\r\n" + DEVICE + b"\r\n0\r\n\r\n", 200),
        (raw_request("GET", "/api/config?x=1", headers), 200),
    ]


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
    for door in ("protocol", "asgi"):
        chosen = edge_settings(redis_url, edge_door=door, rate_limit_secret_key=1_000_000)
        with running_edge(chosen) as edge, raw_connection(edge) as connection:
            connection.send(b"".join(request for request, _ in requests_of(snapshot)))
            answers = [connection.answer() for _ in requests_of(snapshot)]
            said.append([(one.status, _without_counts(one.head), one.body) for one in answers])
    assert said[0] == said[1]


def _without_counts(head: bytes) -> list[bytes]:
    """Leave out how many requests remain: both doors count together."""
    return [line for line in head.splitlines() if not line.startswith(b"x-ratelimit-remaining")]


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
    assert _without_counts(head.head) == _without_counts(get.head)


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


MALFORMED = {
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\n\n",
    "two lengths": b"POST {p} HTTP/1.1\r\nHost: e\r\n{h}Content-Length: 21\r\nContent-Length: 22\r\n\r\n{b}",
    "length, chunks": b"POST {p} HTTP/1.1\r\nHost: e\r\n{h}Content-Length: 21\r\nTransfer-Encoding: chunked\r\n\r\n{b}",
    "chunks, length": b"POST {p} HTTP/1.1\r\nHost: e\r\n{h}Transfer-Encoding: chunked\r\nContent-Length: 21\r\n\r\n{b}",
    "bad chunk size": b"POST {p} HTTP/1.1\r\nHost: e\r\n{h}Transfer-Encoding: chunked\r\n\r\nxyz\r\n{b}\r\n0\r\n\r\n",
    "huge chunk size": b"POST {p} HTTP/1.1\r\nHost: e\r\n{h}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{b}",
    "negative length": b"POST {p} HTTP/1.1\r\nHost: e\r\n{h}Content-Length: -1\r\n\r\n{b}",
    "chunked is not last": b"POST {p} HTTP/1.1\r\nHost: e\r\n{h}Transfer-Encoding: chunked, identity\r\n\r\n{b}",
    "folded header": b"POST {p} HTTP/1.1\r\nHost: e\r\n{h}X-A: b\r\n c\r\nContent-Length: 21\r\n\r\n{b}",
    "NUL in a header": b"POST {p} HTTP/1.1\r\nHost: e\r\n{h}X-A: b\x00c\r\nContent-Length: 21\r\n\r\n{b}",
    "space before the colon": b"POST {p} HTTP/1.1\r\nHost: e\r\n{h}Content-Length : 21\r\n\r\n{b}",
    "bare line feeds": b"POST {p} HTTP/1.1\nHost: e\nContent-Length: 21\n\n{b}",
    "no version": b"POST {p}\r\nHost: e\r\n\r\n",
    "not a path": b"POST \xff\xfe HTTP/1.1\r\nHost: e\r\n\r\n",
}


@pytest.mark.parametrize("shape", MALFORMED)
@pytest.mark.parametrize("before", [[], [0], [1], [1, 3]])
def test_what_is_malformed_is_refused_once_in_its_place_and_nothing_behind_it_is_read(
    edge: httpx.Client, snapshot: Snapshot, shape: str, before: list[int]
) -> None:
    headers = "".join(f"{name}: {value}\r\n" for name, value in sdk_headers(snapshot).items())
    headers += "Content-Type: application/json\r\n"
    malformed = MALFORMED[shape].replace(b"{p}", RESOLVE.encode()).replace(b"{h}", headers.encode())
    earlier = [requests_of(snapshot)[number] for number in before]
    smuggled = raw_request("GET", "/health/live", {})
    with raw_connection(edge) as connection:
        connection.send(b"".join(request for request, _ in earlier) + malformed.replace(b"{b}", DEVICE) + smuggled)
        assert [connection.answer().status for _ in earlier] == [status for _, status in earlier]
        refused = connection.answer()
        assert refused.status == 400
        assert (refused.document["code"], refused.document["status"]) == ("INVALID_PARAMETER", 400)
        assert b"connection: close" in refused.head
        assert connection.rest() == b""


def test_a_head_of_more_than_16_kib_is_refused(edge: httpx.Client, snapshot: Snapshot) -> None:
    request = raw_request("GET", "/api/config", {**sdk_headers(snapshot), "X-Padding": "x" * 17_000})
    for pieces in ([request], [request[:9000], request[9000:]], [request[:17_100]]):
        with raw_connection(edge) as connection:
            for piece in pieces:
                connection.send(piece)
            refused = connection.answer()
            assert (refused.status, refused.document["code"]) == (400, "INVALID_PARAMETER")
            assert connection.rest() == b""


def test_an_upgrade_is_not_taken_and_what_follows_is_not_read(edge: httpx.Client, snapshot: Snapshot) -> None:
    headers = {**sdk_headers(snapshot), "Connection": "Upgrade", "Upgrade": "websocket"}
    with raw_connection(edge) as connection:
        connection.send(raw_request("GET", "/api/config", headers) + raw_request("GET", "/health/live", {}))
        assert connection.answer().status == 200
        assert connection.rest() == b""


def test_a_client_that_repeats_itself_gets_what_each_body_asks_for(
    edge: httpx.Client, redis_client: redis.Redis
) -> None:
    snapshot = a_snapshot(overrides=(an_overriding_flow("flow_draft", "qa-01"),))
    publish(redis_client, snapshot)
    headers = sdk_headers(snapshot)
    with raw_connection(edge) as connection:
        for device, flow in [("phone", "flow_default"), ("qa-01", "flow_draft"), ("qa-02", "flow_default")] * 2:
            connection.send(raw_request("POST", RESOLVE, headers, b'{"deviceId": "%b"}' % device.encode()))
            assert connection.answer().document["flowId"] == flow


def test_a_request_cut_anywhere_is_answered_as_a_whole_one(edge: httpx.Client, snapshot: Snapshot) -> None:
    request = raw_request("POST", RESOLVE, sdk_headers(snapshot), DEVICE)
    with raw_connection(edge) as connection:
        connection.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.send(request)
        whole = connection.answer()
        for position in range(1, len(request)):
            connection.send(request[:position])
            connection.send(request[position:])
            answer = connection.answer()
            assert (answer.status, answer.body) == (whole.status, whole.body)
            assert _without_counts(answer.head) == _without_counts(whole.head)


def test_the_same_headers_with_another_length_have_another_body(edge: httpx.Client, snapshot: Snapshot) -> None:
    headers = sdk_headers(snapshot)
    with raw_connection(edge) as connection:
        for body, status in [(DEVICE, 200), (DEVICE + b" ", 200), (DEVICE[:-1], 400), (b"", 400), (DEVICE, 200)] * 2:
            connection.send(raw_request("POST", RESOLVE, headers, body))
            assert connection.answer().status == status


@pytest.mark.parametrize("copies", [2, 3, 50])
def test_requests_that_arrive_together_are_all_answered(edge: httpx.Client, snapshot: Snapshot, copies: int) -> None:
    request = raw_request("POST", RESOLVE, sdk_headers(snapshot), DEVICE)
    with raw_connection(edge) as connection:
        for _ in range(3):
            connection.send(request * copies)
            assert {connection.answer().status for _ in range(copies)} == {200}
            connection.send(request)
            assert connection.answer().status == 200


OTHER_KEY = SecretKeyDigest("key_other", secret_key_digest("other"))
DYING_KEY = SecretKeyDigest(KEY_ID, secret_key_digest(SECRET_KEY), expires_at=1.0)


@pytest.mark.parametrize("left", [(), (OTHER_KEY,), (OTHER_KEY, DYING_KEY)], ids=["revoked", "rotated", "expired"])
def test_a_known_head_opens_nothing_once_its_key_is_gone(
    edge: httpx.Client, redis_client: redis.Redis, left: tuple[SecretKeyDigest, ...]
) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    request = raw_request("POST", RESOLVE, sdk_headers(snapshot), DEVICE)
    with raw_connection(edge) as connection:

        def status() -> int:
            connection.send(request)
            return connection.answer().status

        assert {status() for _ in range(3)} == {200}
        publish(redis_client, next_revision(snapshot, secret_keys=left))
        eventually(lambda: status() == 401)


def test_a_key_dies_at_its_moment_on_a_connection_that_knows_it(edge: httpx.Client, redis_client: redis.Redis) -> None:
    dying = SecretKeyDigest(KEY_ID, secret_key_digest(SECRET_KEY), expires_at=time.time() + 1)
    snapshot = a_snapshot(secret_keys=(dying,))
    publish(redis_client, snapshot)
    request = raw_request("POST", RESOLVE, sdk_headers(snapshot), DEVICE)
    with raw_connection(edge) as connection:
        connection.send(request)
        seen = [connection.answer().status]

        def is_dead() -> bool:
            connection.send(request)
            seen.append(connection.answer().status)
            return seen[-1] == 401

        eventually(is_dead)
        assert time.time() >= (dying.expires_at or 0)
    assert set(seen) <= {200, 401}


def test_behind_an_event_that_found_no_room_the_connection_serves_on(redis_url: str, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    headers = sdk_headers(snapshot)
    batch = b'{"events": [%b, %b]}' % (EVENT, EVENT.replace(b"mine", b"yours"))
    with running_edge(edge_settings(redis_url, edge_pending_events=1)) as edge, raw_connection(edge) as connection:
        for path, body, status in [
            ("/api/analytics/event", EVENT, 201),
            ("/api/analytics/events", batch, 503),
            (RESOLVE, DEVICE, 200),
        ]:
            connection.send(raw_request("POST", path, headers, body))
            assert connection.answer().status == status


@pytest.mark.parametrize(
    ("follower", "status"), [(b"GET /health/live HTTP/1.1\r\nHost: e\r\n\r\n", 200), (b"\x00\x01", 400)]
)
def test_behind_a_known_head_everything_is_parsed(
    edge: httpx.Client, snapshot: Snapshot, follower: bytes, status: int
) -> None:
    request = raw_request("POST", RESOLVE, sdk_headers(snapshot), DEVICE)
    with raw_connection(edge) as connection:
        for _ in range(2):
            connection.send(request)
            assert connection.answer().status == 200
        connection.send(request + follower)
        assert connection.answer().status == 200
        assert connection.answer().status == status
