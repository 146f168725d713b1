"""The limits of requests on a connection: pieces as they arrive, the Host header and the protocol's name."""

from pathlib import Path

import httpx
import pytest

from common.wire.snapshot import Snapshot
from tests.integration.edge_api.raw_connection import RawConnection, raw_connection, raw_request
from tests.support.data.snapshots import sdk_headers
from tests.support.polling import eventually

pytestmark = pytest.mark.both_http_ways

#: Less than the edge reads of headers that do not end.
_FIRST_PIECE_BYTES = 16_000


@pytest.fixture
def edge(lasting_edge: httpx.Client) -> httpx.Client:
    return lasting_edge


def test_rest_of_long_headers_is_parsed_once(edge: httpx.Client, snapshot: Snapshot) -> None:
    padding = "x" * (_FIRST_PIECE_BYTES - 100)
    request = raw_request("GET", "/api/config", {"X-Padding": padding, **sdk_headers(snapshot)})
    next_request = raw_request("GET", "/health/live", {})
    with raw_connection(edge) as connection:
        connection.send(request[:_FIRST_PIECE_BYTES])
        eventually(lambda: _is_read(connection))
        # More than the rest of the limit, and less than the limit.
        connection.send(request[_FIRST_PIECE_BYTES:] + next_request * 10)
        assert [connection.response().status for _ in range(11)] == [200] * 11
        connection.send(next_request)
        assert connection.response().status == 200


@pytest.mark.parametrize("hosts", [("a", "b"), ("a", "a"), ("a", ""), ("", "a"), ("", ""), ()])
@pytest.mark.parametrize("path", ["/api/config", "/health/live"])
def test_request_without_exactly_one_host_is_rejected(
    edge: httpx.Client, snapshot: Snapshot, path: str, hosts: tuple[str, ...]
) -> None:
    lines = [f"GET {path} HTTP/1.1", *(f"Host: {host}" for host in hosts)]
    lines += [f"{name}: {value}" for name, value in sdk_headers(snapshot).items()]
    with raw_connection(edge) as connection:
        connection.send("\r\n".join([*lines, "", ""]).encode())
        rejection = connection.response()
        assert (rejection.status, rejection.document["code"]) == (400, "INVALID_PARAMETER")
        assert connection.rest() == b""


@pytest.mark.parametrize("path", ["/api/config", "/health/live"])
def test_rtsp_is_rejected_as_a_protocol_but_not_in_a_header(edge: httpx.Client, snapshot: Snapshot, path: str) -> None:
    request = raw_request("GET", path, {**sdk_headers(snapshot), "User-Agent": "Player/3.0 RTSP/1.0"})
    with raw_connection(edge) as connection:
        connection.send(request)
        assert connection.response().status == 200
        connection.send(request.replace(b"HTTP/1.1", b"RTSP/1.0"))
        assert connection.response().status == 400
        assert connection.rest() == b""


@pytest.mark.parametrize(
    "path", ["/api/config%0A", "/health/live%0A", "/api/config%0D", "/api/config/", "/api/config%2F"]
)
def test_path_with_more_at_its_end_is_unknown(edge: httpx.Client, snapshot: Snapshot, path: str) -> None:
    with raw_connection(edge) as connection:
        connection.send(raw_request("GET", path, sdk_headers(snapshot)))
        assert connection.response().status == 404


def _is_read(connection: RawConnection) -> bool:
    """Return whether the edge has read all that was sent, by the kernel's queue of its socket."""
    client, edge = (f":{name[1]:04X}" for name in (connection.socket.getsockname(), connection.socket.getpeername()))
    try:
        lines = Path("/proc/net/tcp").read_text().splitlines()
    except OSError:
        return True
    for line in lines[1:]:
        _, local, remote, _, queues, *_ = line.split()
        if local.endswith(edge) and remote.endswith(client):
            return queues.endswith(":00000000")
    return False
