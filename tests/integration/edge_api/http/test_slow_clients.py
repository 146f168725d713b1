"""Bounds of clients: time for headers and body, idle connections, their number, unread responses."""

import contextlib
import time
from collections.abc import Iterator

import httpx
import pytest
import redis

from common.telemetry.catalogue import edge as catalogue
from common.telemetry.samples import SampleSet
from common.wire.snapshot import Snapshot
from edge_api.app import Edge
from publisher.compiler import compress_config
from tests.integration.edge_api.raw_connection import RawConnection, raw_connection, raw_request
from tests.integration.edge_api.running_edge import edge_settings, running_edge, serving
from tests.support.data.snapshots import a_snapshot, publish, sdk_headers
from tests.support.polling import eventually

pytestmark = pytest.mark.both_http_ways

RESOLVE = "/api/onboarding/resolve"
DEVICE = b'{"deviceId": "phone"}'
SHORT = 0.4
LONG = 60.0


@contextlib.contextmanager
def impatient_edge(redis_url: str, **bounds: float) -> Iterator[httpx.Client]:
    """Serve with long timeouts, except those that a test sets."""
    chosen = {
        "edge_header_timeout_seconds": LONG,
        "edge_body_timeout_seconds": LONG,
        "edge_keep_alive_seconds": LONG,
        **bounds,
    }
    with running_edge(edge_settings(redis_url, **chosen)) as edge:
        yield edge


def drip(connection: RawConnection, data: bytes) -> None:
    """Send a byte every 30 ms until the server responds or closes, which may only show at a later byte."""
    for position in range(len(data)):
        try:
            connection.send(data[position : position + 1])
        except OSError:
            return
        connection.socket.settimeout(0.03)
        try:
            if connection.peek():
                return
        except TimeoutError:
            pass
        finally:
            connection.socket.settimeout(15)


def test_duration_of_a_request_excludes_its_slow_body(redis_url: str, snapshot: Snapshot, edge_http: str) -> None:
    edge = Edge(edge_settings(redis_url, edge_http=edge_http))
    with serving(edge) as client, raw_connection(client) as connection:
        head, body = raw_request("POST", RESOLVE, sdk_headers(snapshot), DEVICE).split(b"\r\n\r\n")
        connection.send(head + b"\r\n\r\n")
        # 21 bytes take 0.6 s.
        drip(connection, body)
        assert connection.response().status == 200
        connection.send(head + b"\r\n\r\n" + body)
        assert connection.response().status == 200
    samples = SampleSet()
    edge.requests.collect(samples)
    [durations] = [sample for sample in samples.samples if sample.metric == catalogue.REQUEST_SECONDS.name]
    assert durations.value < 0.5


@pytest.mark.parametrize("first", [True, False])
def test_headers_that_drip_are_rejected_in_time(redis_url: str, snapshot: Snapshot, first: bool) -> None:  # noqa: FBT001 - pytest
    with impatient_edge(redis_url, edge_header_timeout_seconds=SHORT) as edge, raw_connection(edge) as connection:
        if not first:
            connection.send(raw_request("POST", RESOLVE, sdk_headers(snapshot), DEVICE))
            assert connection.response().status == 200
        begun = time.monotonic()
        drip(connection, raw_request("POST", RESOLVE, {**sdk_headers(snapshot), "X-Padding": "x" * 2000}, DEVICE))
        rejected = connection.response()
        # The edge checks eight times within that time.
        assert time.monotonic() - begun > SHORT * 3 / 4
        assert (rejected.status, rejected.document["status"]) == (408, 408)
        assert connection.rest() == b""


@pytest.mark.parametrize("path", [RESOLVE, RESOLVE + "?x=1"])
def test_body_that_drips_is_rejected_in_time(redis_url: str, snapshot: Snapshot, path: str) -> None:
    request = raw_request("POST", path, sdk_headers(snapshot), DEVICE + b" " * 2000)
    with impatient_edge(redis_url, edge_body_timeout_seconds=SHORT) as edge, raw_connection(edge) as connection:
        connection.send(request[:-2000])
        drip(connection, request[-2000:])
        assert connection.response().status == 408
        assert connection.rest() == b""


def test_silent_connection_is_closed(redis_url: str) -> None:
    with impatient_edge(redis_url, edge_header_timeout_seconds=SHORT) as edge, raw_connection(edge) as connection:
        assert connection.rest() == b""


def test_idle_connection_is_closed(redis_url: str, snapshot: Snapshot) -> None:
    with impatient_edge(redis_url, edge_keep_alive_seconds=SHORT) as edge, raw_connection(edge) as connection:
        connection.send(raw_request("POST", RESOLVE, sdk_headers(snapshot), DEVICE))
        assert connection.response().status == 200
        assert connection.rest() == b""


def test_connection_above_the_limit_gets_503(redis_url: str, snapshot: Snapshot) -> None:
    request = raw_request("POST", RESOLVE, sdk_headers(snapshot), DEVICE)
    with impatient_edge(redis_url, edge_connections=2) as edge, contextlib.ExitStack() as stack:
        first, second = (stack.enter_context(raw_connection(edge)) for _ in range(2))
        for connection in (first, second):
            connection.send(request)
            assert connection.response().status == 200
        with raw_connection(edge) as third:
            third.send(request)
            rejected = third.response()
            assert (rejected.status, rejected.document["code"]) == (503, "UNAVAILABLE")
            assert b"retry-after: 1" in rejected.headers
            # Its request was not read, so the close may be a reset.
            with contextlib.suppress(ConnectionResetError):
                assert third.rest() == b""
        first.socket.close()
        eventually(lambda: _status(edge, request) == 200)


def _status(edge: httpx.Client, request: bytes) -> int:
    with raw_connection(edge) as connection:
        connection.send(request)
        return connection.response().status


@pytest.mark.slow
def test_unread_responses_of_a_client_are_bounded(redis_url: str, redis_client: redis.Redis) -> None:
    large = a_snapshot(config=compress_config(b"x" * 1_000_000))
    publish(redis_client, large)
    request = raw_request("GET", "/api/config", sdk_headers(large))
    with impatient_edge(redis_url) as edge, raw_connection(edge) as connection:
        connection.socket.settimeout(1.0)
        # The server stops reading long before it has received requests for gigabytes of responses.
        with pytest.raises(TimeoutError):
            connection.send(request * 50_000)
        assert edge.get("/health/live").status_code == 200
        connection.socket.settimeout(15)
        assert {len(connection.response().body) for _ in range(20)} == {1_000_000}
