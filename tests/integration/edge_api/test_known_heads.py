"""A client that sends the same head again gets what it asks for now, and nothing that its key no longer opens."""

import socket
import time

import httpx
import pytest
import redis

from common.credentials import secret_key_digest
from common.wire.snapshot import SecretKeyDigest, Snapshot
from tests.integration.edge_api.raw_connection import raw_connection, raw_request
from tests.integration.edge_api.requests_of_every_kind import DEVICE, RESOLVE, without_counts
from tests.polling import eventually
from tests.snapshots import KEY_ID, SECRET_KEY, a_snapshot, an_overriding_flow, next_revision, publish, sdk_headers


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
            assert without_counts(answer.head) == without_counts(whole.head)


def test_the_same_headers_with_another_length_have_another_body(edge: httpx.Client, snapshot: Snapshot) -> None:
    headers = sdk_headers(snapshot)
    with raw_connection(edge) as connection:
        for body, status in [(DEVICE, 200), (DEVICE + b" ", 200), (DEVICE[:-1], 400), (b"", 400), (DEVICE, 200)] * 2:
            connection.send(raw_request("POST", RESOLVE, headers, body))
            assert connection.answer().status == status


def test_where_no_key_is_asked_for_nothing_is_told_of_what_it_opened_before(
    edge: httpx.Client, snapshot: Snapshot
) -> None:
    headers = sdk_headers(snapshot)
    with raw_connection(edge) as connection:
        for path, tells in [("/api/config", True), ("/health/live", False), ("/api/config", True)]:
            connection.send(raw_request("GET", path, headers))
            assert (b"x-config-version" in connection.answer().head.lower()) is tells


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
