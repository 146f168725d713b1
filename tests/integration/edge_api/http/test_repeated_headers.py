"""A client that repeats its headers gets the response to its body, and 401 once its key has ended."""

import socket
import time

import httpx
import pytest
import redis

from common.credentials import secret_key_digest
from common.wire.snapshot import SecretKeyDigest, Snapshot
from tests.integration.edge_api.raw_connection import raw_connection, raw_request
from tests.integration.edge_api.request_examples import DEVICE, RESOLVE, without_remaining
from tests.support.data.snapshots import (
    KEY_ID,
    SECRET_KEY,
    a_snapshot,
    an_overriding_flow,
    next_revision,
    publish,
    sdk_headers,
)
from tests.support.polling import eventually

pytestmark = pytest.mark.both_http_ways


def test_repeated_headers_get_the_flow_of_each_body(edge: httpx.Client, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot(overrides=(an_overriding_flow("flow_draft", "qa-01"),))
    publish(redis_client, snapshot)
    headers = sdk_headers(snapshot)
    with raw_connection(edge) as connection:
        for device, flow in [("phone", "flow_default"), ("qa-01", "flow_draft"), ("qa-02", "flow_default")] * 2:
            connection.send(raw_request("POST", RESOLVE, headers, b'{"deviceId": "%b"}' % device.encode()))
            assert connection.response().document["flowId"] == flow


def test_request_cut_at_any_byte_gets_the_same_response(edge: httpx.Client, snapshot: Snapshot) -> None:
    request = raw_request("POST", RESOLVE, sdk_headers(snapshot), DEVICE)
    with raw_connection(edge) as connection:
        connection.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.send(request)
        complete = connection.response()
        for position in range(1, len(request)):
            connection.send(request[:position])
            connection.send(request[position:])
            response = connection.response()
            assert (response.status, response.body) == (complete.status, complete.body)
            assert without_remaining(response.headers) == without_remaining(complete.headers)


def test_same_headers_with_another_length_have_another_body(edge: httpx.Client, snapshot: Snapshot) -> None:
    headers = sdk_headers(snapshot)
    with raw_connection(edge) as connection:
        for body, status in [(DEVICE, 200), (DEVICE + b" ", 200), (DEVICE[:-1], 400), (b"", 400), (DEVICE, 200)] * 2:
            connection.send(raw_request("POST", RESOLVE, headers, body))
            assert connection.response().status == status


def test_health_does_not_return_the_version_of_the_request_before(edge: httpx.Client, snapshot: Snapshot) -> None:
    headers = sdk_headers(snapshot)
    with raw_connection(edge) as connection:
        for path, has_version in [("/api/config", True), ("/health/live", False), ("/api/config", True)]:
            connection.send(raw_request("GET", path, headers))
            assert (b"x-config-version" in connection.response().headers.lower()) is has_version


OTHER_KEY = SecretKeyDigest("key_other", secret_key_digest("other"))
EXPIRING_KEY = SecretKeyDigest(KEY_ID, secret_key_digest(SECRET_KEY), expires_at=1.0)


@pytest.mark.parametrize("left", [(), (OTHER_KEY,), (OTHER_KEY, EXPIRING_KEY)], ids=["revoked", "rotated", "expired"])
def test_repeated_headers_get_401_once_their_key_is_gone(
    edge: httpx.Client, redis_client: redis.Redis, left: tuple[SecretKeyDigest, ...]
) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    request = raw_request("POST", RESOLVE, sdk_headers(snapshot), DEVICE)
    with raw_connection(edge) as connection:

        def status() -> int:
            connection.send(request)
            return connection.response().status

        assert {status() for _ in range(3)} == {200}
        publish(redis_client, next_revision(snapshot, secret_keys=left))
        eventually(lambda: status() == 401)


def test_key_of_a_connection_is_rejected_once_it_expires(edge: httpx.Client, redis_client: redis.Redis) -> None:
    expiring = SecretKeyDigest(KEY_ID, secret_key_digest(SECRET_KEY), expires_at=time.time() + 1)
    snapshot = a_snapshot(secret_keys=(expiring,))
    publish(redis_client, snapshot)
    request = raw_request("POST", RESOLVE, sdk_headers(snapshot), DEVICE)
    with raw_connection(edge) as connection:
        connection.send(request)
        seen = [connection.response().status]

        def is_rejected() -> bool:
            connection.send(request)
            seen.append(connection.response().status)
            return seen[-1] == 401

        eventually(is_rejected)
        assert time.time() >= (expiring.expires_at or 0)
    assert set(seen) <= {200, 401}


@pytest.mark.parametrize(
    ("follower", "status"), [(b"GET /health/live HTTP/1.1\r\nHost: e\r\n\r\n", 200), (b"\x00\x01", 400)]
)
def test_request_behind_repeated_headers_is_parsed(
    edge: httpx.Client, snapshot: Snapshot, follower: bytes, status: int
) -> None:
    request = raw_request("POST", RESOLVE, sdk_headers(snapshot), DEVICE)
    with raw_connection(edge) as connection:
        for _ in range(2):
            connection.send(request)
            assert connection.response().status == 200
        connection.send(request + follower)
        assert connection.response().status == 200
        assert connection.response().status == status
