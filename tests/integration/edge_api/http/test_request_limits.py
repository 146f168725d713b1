"""The limits of a request: its trailers, its body before and after the credentials are verified, loads of projects."""

import contextlib
import itertools

import httpx
import pytest
import redis

from common.ids import IdPrefix, new_id
from common.wire.snapshot import Snapshot
from tests.integration.edge_api.raw_connection import RawConnection, raw_connection, raw_request
from tests.integration.edge_api.request_examples import DEVICE, EVENT, RESOLVE
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.support.data.snapshots import SECRET_KEY, a_snapshot, mark_complete, publish, sdk_headers
from tests.support.servers.running_server import RunningServer

pytestmark = pytest.mark.both_http_ways

CHUNKED_DEVICE = b"%x\r\n%b\r\n" % (len(DEVICE), DEVICE)
#: More than headers may have, in less than one read of the edge, and in several.
LONG_TRAILERS = [
    b"a:" + b"b" * 40_000,
    b"a:b\r\n" * 10_000,
    b"a:" + b"b" * 2_000_000,
    b"a:b\r\n" * 400_000,
]


@pytest.fixture
def edge(lasting_edge: httpx.Client) -> httpx.Client:
    return lasting_edge


def chunked_headers(snapshot: Snapshot) -> dict[str, str]:
    """Return the headers of a request whose length is not declared."""
    return {**sdk_headers(snapshot), "Content-Type": "application/json", "Transfer-Encoding": "chunked"}


def send_until_closed(connection: RawConnection, data: bytes) -> None:
    """Send data that the edge may not read to its end."""
    with contextlib.suppress(OSError):
        connection.send(data)


def test_trailers_are_discarded(edge: httpx.Client, snapshot: Snapshot) -> None:
    request = raw_request("POST", RESOLVE, chunked_headers(snapshot)) + CHUNKED_DEVICE
    trailers = b"0\r\nX-Secret-Key: wrong\r\nContent-Type: text/plain\r\nX-Other: x\r\n\r\n"
    with raw_connection(edge) as connection:
        for _ in range(2):
            connection.send(request + trailers)
            assert connection.response().status == 200


@pytest.mark.parametrize("trailers", LONG_TRAILERS, ids=["long", "many", "endless", "endlessly many"])
def test_long_trailers_are_rejected(edge: httpx.Client, snapshot: Snapshot, trailers: bytes) -> None:
    request = raw_request("POST", RESOLVE, chunked_headers(snapshot)) + CHUNKED_DEVICE
    with raw_connection(edge) as connection:
        connection.send(request + b"0\r\n")
        send_until_closed(connection, trailers)
        rejection = connection.response()
        assert (rejection.status, rejection.document["code"]) == (400, "INVALID_PARAMETER")
        assert connection.rest() == b""


def test_long_trailers_behind_a_response_end_the_connection(edge: httpx.Client) -> None:
    request = raw_request("POST", RESOLVE, {"Transfer-Encoding": "chunked"}) + CHUNKED_DEVICE
    with raw_connection(edge) as connection:
        connection.send(request)
        assert connection.response().status == 401
        send_until_closed(connection, b"0\r\n" + LONG_TRAILERS[-1])
        with contextlib.suppress(ConnectionResetError):
            assert connection.rest() == b""


@pytest.mark.parametrize("secret_key", ["obk_sk_wrong", None])
def test_request_without_valid_credentials_is_answered_before_its_body(
    edge: httpx.Client, snapshot: Snapshot, secret_key: str | None
) -> None:
    headers = {**sdk_headers(snapshot, secret_key or SECRET_KEY), "Content-Type": "application/json"}
    if secret_key is None:
        del headers["X-Secret-Key"]
    request = raw_request("POST", "/api/analytics/events", headers, b" " * 60_000)
    with raw_connection(edge) as connection:
        connection.send(request[:-50_000])
        assert connection.response().status == 401
        connection.send(request[-50_000:] + raw_request("GET", "/api/config", sdk_headers(snapshot)))
        assert connection.response().status == 200


def test_endless_body_is_answered_once_and_not_read(edge: httpx.Client, snapshot: Snapshot) -> None:
    request = raw_request("POST", RESOLVE, chunked_headers(snapshot))
    with raw_connection(edge) as connection:
        connection.send(request)
        send_until_closed(connection, (b"10000\r\n" + b" " * 0x10000 + b"\r\n") * 100)
        assert connection.response().status == 413
        with contextlib.suppress(ConnectionResetError):
            assert connection.rest() == b""


def test_slow_senders_of_two_addresses_do_not_refuse_the_batch_of_another(
    redis_url: str, redis_client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    unfinished = raw_request("POST", RESOLVE, sdk_headers(snapshot), DEVICE + b" " * 60_000)[:-1]
    body = b'{"events": [%b]}' % EVENT + b" " * 200_000
    batch = raw_request("POST", "/api/analytics/events", sdk_headers(snapshot), body)
    monkeypatch.setattr("edge_api.http.connection_limits._BODY_BUFFER_BYTES", 1024 * 1024)
    with running_edge(edge_settings(redis_url)) as edge, contextlib.ExitStack() as stack:
        crowds = [
            stack.enter_context(raw_connection(edge, address))
            for _ in range(20)
            for address in ("127.0.0.2", "127.0.0.3")
        ]
        for slow in crowds:
            slow.send(unfinished)
        with raw_connection(edge) as connection:
            for start in range(0, len(batch), 20_000):
                connection.send(batch[start : start + 20_000])
            assert connection.response().status == 200
        # The oldest bodies made room; the newest are received to their ends.
        assert crowds[0].response().status == 503
        assert crowds[0].rest() == b""
        crowds[-1].send(b" ")
        assert crowds[-1].response().status == 200


@pytest.mark.parametrize("silent", [True, False])
def test_connections_above_the_limit_are_rejected_and_others_served(
    redis_url: str,
    snapshot: Snapshot,
    silent: bool,  # noqa: FBT001 - pytest
) -> None:
    request = raw_request("POST", RESOLVE, sdk_headers(snapshot), DEVICE)
    with running_edge(edge_settings(redis_url, edge_connections=3)) as edge, contextlib.ExitStack() as stack:
        established, *others = (stack.enter_context(raw_connection(edge)) for _ in range(3))
        for connection in (established, *(() if silent else others)):
            connection.send(request)
            assert connection.response().status == 200
        for _ in range(5):
            with raw_connection(edge) as rejected:
                assert rejected.response().status == 503
                assert rejected.rest() == b""
            established.send(request)
            assert established.response().status == 200


def test_unknown_projects_are_not_loaded_for_an_address_over_its_limit(private_redis_server: RunningServer) -> None:
    """The server is its own: the lasting edges of other tests compare their projects with the common one."""

    def statuses(edge: httpx.Client, requests: int) -> set[int]:
        headers = ({"X-Project-Id": new_id(IdPrefix.PROJECT), "X-Secret-Key": SECRET_KEY} for _ in itertools.count())
        return {edge.get("/api/config", headers=next(headers)).status_code for _ in range(requests)}

    url = private_redis_server.url
    settings = edge_settings(url, rate_limit_unauthenticated=4, rate_limit_redis_timeout_ms=10_000)
    with redis.Redis.from_url(url) as redis_client, running_edge(settings) as edge:
        mark_complete(redis_client)
        assert statuses(edge, 4) == {401}
        assert statuses(edge, 1) == {429}
        redis_client.config_resetstat()
        assert statuses(edge, 20) == {429}
        assert "cmdstat_hget" not in redis_client.info("commandstats")


@pytest.mark.parametrize("size", [100_000, 200_000, 900_000])
def test_rejected_body_ends_the_connection_only_if_the_response_says_so(
    edge: httpx.Client, snapshot: Snapshot, size: int
) -> None:
    with raw_connection(edge) as connection:
        connection.send(raw_request("POST", RESOLVE, sdk_headers(snapshot), b"[" * size))
        rejection = connection.response()
        assert rejection.status == 413
        if b"connection: close" in rejection.headers:
            assert connection.rest() == b""
        else:
            connection.send(raw_request("POST", RESOLVE, sdk_headers(snapshot), DEVICE))
            assert connection.response().status == 200
