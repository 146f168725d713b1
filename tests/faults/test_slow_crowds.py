"""Crowds of slow clients at the edge are closed at their deadlines, and other clients are served as before."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest
import redis

from common.wire.snapshot import Snapshot
from deploy.local.loopback_ports import LOOPBACK
from publisher.compiler import compress_config
from tests.support.data.snapshots import a_snapshot, publish, sdk_headers
from tests.support.faults.healthy_clients import ExpectedRequest, measure_p99
from tests.support.faults.slow_clients import SlowClients
from tests.support.polling import eventually
from tests.support.servers.edge_process import StartedEdge
from tests.support.soak import report, soak_setting

pytestmark = pytest.mark.slow

#: The short run takes the first two.
KINDS = ["drip their bodies", "never read", "drip their headers", "are silent", "idle after a response"]
CROWD = soak_setting("CROWD", 150, 1000)
REQUESTS = soak_setting("HEALTHY_REQUESTS", 300, 10_000)
#: Maximum ratio of the healthy clients' p99 with a crowd to that without; 0, on a busy machine: not checked.
MAX_TIMES_SLOWER = soak_setting("TIMES_SLOWER", 0, 2)
#: Seconds to wait for the end of a crowd that never reads; its deadline is no setting and longer than a short test.
STALL_SECONDS = soak_setting("STALL_SECONDS", 0, 60)
MAX_DEADLINE = 3.0
RESOLVE = "POST /api/onboarding/resolve HTTP/1.1\r\nHost: edge\r\nContent-Type: application/json\r\n"


@pytest.fixture
def snapshot(redis_client: redis.Redis) -> Snapshot:
    published = a_snapshot(config=compress_config(b'"' + b"x" * 900_000 + b'"'))
    publish(redis_client, published)
    return published


@pytest.fixture
def edge(redis_url: str, tmp_path: Path) -> Iterator[StartedEdge]:
    with StartedEdge(
        redis_url,
        tmp_path,
        workers=2,
        edge_header_timeout_seconds="2",
        edge_body_timeout_seconds="3",
        edge_keep_alive_seconds="3",
    ) as edge:
        yield edge


def headers_of(snapshot: Snapshot) -> str:
    """Return the request line and headers of a resolve, without the length and the final line break."""
    return RESOLVE + "".join(f"{name}: {value}\r\n" for name, value in sdk_headers(snapshot).items())


def crowd_of(kind: str, edge: StartedEdge, snapshot: Snapshot) -> SlowClients:
    headers = headers_of(snapshot)
    keys = "".join(f"{name}: {value}\r\n" for name, value in sdk_headers(snapshot).items())
    complete = f'{headers}Content-Length: 21\r\n\r\n{{"deviceId": "phone"}}'
    match kind:
        case "drip their headers":
            return SlowClients(edge.port, CROWD, (headers + "X-Slow: ").encode(), b"x")
        case "drip their bodies":
            return SlowClients(edge.port, CROWD, (headers + "Content-Length: 60000\r\n\r\n{").encode(), b" ")
        case "are silent":
            return SlowClients(edge.port, CROWD, b"")
        case "idle after a response":
            return SlowClients(edge.port, CROWD, complete.encode())
        case _:
            requests = f"GET /api/config HTTP/1.1\r\nHost: edge\r\n{keys}\r\n" * 5
            return SlowClients(edge.port, CROWD, requests.encode(), read=False)


def healthy_p99(edge: StartedEdge, snapshot: Snapshot) -> float:
    """Resolve over new connections and return the 99th percentile of the response times in milliseconds."""
    headers = {**sdk_headers(snapshot), "Content-Type": "application/json"}
    request = ExpectedRequest("POST", "/api/onboarding/resolve", headers, b'{"deviceId": "phone"}', 200)
    return measure_p99(edge.port, request, REQUESTS)


@pytest.mark.parametrize("kind", KINDS[: soak_setting("KINDS", 2, 5)])
def test_crowd_of_slow_clients_is_closed_and_delays_no_other_client(
    edge: StartedEdge, snapshot: Snapshot, kind: str
) -> None:
    healthy_p99(edge, snapshot)
    before = healthy_p99(edge, snapshot)
    with crowd_of(kind, edge, snapshot) as crowd:
        meanwhile = healthy_p99(edge, snapshot)
        wait_seconds = STALL_SECONDS if kind == "never read" else MAX_DEADLINE + 20
        eventually(lambda: crowd.closed == crowd.count or not wait_seconds, within=wait_seconds)
    after = healthy_p99(edge, snapshot)
    expected = {"drip their headers": {b"HTTP/1.1 408"}, "drip their bodies": {b"HTTP/1.1 408"}}
    assert crowd.status_lines == expected.get(kind, crowd.status_lines)
    assert not MAX_TIMES_SLOWER or meanwhile <= MAX_TIMES_SLOWER * max(before, after)
    results = {
        "p99 before": f"{before:.2f} ms",
        "meanwhile": f"{meanwhile:.2f} ms",
        "after": f"{after:.2f} ms",
        "closed": crowd.closed,
    }
    report(f"{CROWD} slow clients at the edge who {kind}", results)


@pytest.mark.parametrize("http", ["fast", "asgi"])
def test_clients_that_never_read_share_the_bytes_of_a_response(
    redis_url: str, tmp_path: Path, snapshot: Snapshot, http: str
) -> None:
    keys = "".join(f"{name}: {value}\r\n" for name, value in sdk_headers(snapshot).items())
    with StartedEdge(redis_url, tmp_path, workers=1, edge_http=http) as edge, ExitStack() as opened:
        (worker,) = edge.workers()
        healthy_p99(edge, snapshot)
        before = psutil.Process(worker).memory_info().rss
        for _ in range(100):
            client = opened.enter_context(socket.socket())
            # More responses than the kernel's buffers hold.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect((LOOPBACK, edge.port))
            client.sendall(f"GET /api/config HTTP/1.1\r\nHost: edge\r\n{keys}\r\n".encode() * 5)
            client.recv(1, socket.MSG_PEEK)
        grown = psutil.Process(worker).memory_info().rss - before
    assert grown < 30_000_000, "100 copies would take 90 MB"
