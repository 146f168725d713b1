"""Crowds of slow clients at the edge: they are closed at their deadlines, and the others are served as ever."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from common.wire.snapshot import Snapshot
from publisher.response_bodies import compress_config
from tests.faults.healthy_clients import Asked, answered_p99
from tests.faults.slow_clients import SlowClients
from tests.faults.soak import report, soaked
from tests.polling import eventually
from tests.snapshots import a_snapshot, publish, sdk_headers
from tests.started_edge import StartedEdge

#: The short run takes the first two.
KINDS = ["dribble their bodies", "never read", "dribble their heads", "say nothing", "idle after an answer"]
CROWD = soaked("CROWD", 150)
REQUESTS = soaked("HEALTHY_REQUESTS", 300)
#: How much slower the slowest hundredth of the healthy may become; measured only where nothing else runs.
MOST_TIMES_SLOWER = soaked("TIMES_SLOWER", 0)
#: For how long a crowd that never reads is waited for; its deadline is not a setting, and longer than a short test.
STALL_PATIENCE = soaked("STALL_PATIENCE", 0)
LONGEST_DEADLINE = 3.0
RESOLVE = "POST /api/onboarding/resolve HTTP/1.1\r\nHost: edge\r\nContent-Type: application/json\r\n"


@pytest.fixture
def snapshot(redis_client: redis.Redis) -> Snapshot:
    """Give a published project whose configuration is large."""
    published = a_snapshot(config=compress_config(b'"' + b"x" * 900_000 + b'"'))
    publish(redis_client, published)
    return published


@pytest.fixture
def edge(redis_url: str, tmp_path: Path) -> Iterator[StartedEdge]:
    """Give an edge of two workers that waits for nobody for long."""
    with StartedEdge(
        redis_url,
        tmp_path,
        workers=2,
        edge_header_timeout_seconds="2",
        edge_body_timeout_seconds="3",
        edge_keep_alive_seconds="3",
    ) as edge:
        yield edge


def head_of(snapshot: Snapshot) -> str:
    """Give the head of a resolve but for its length and its end."""
    return RESOLVE + "".join(f"{name}: {value}\r\n" for name, value in sdk_headers(snapshot).items())


def crowd_of(kind: str, edge: StartedEdge, snapshot: Snapshot) -> SlowClients:
    """Give a crowd that is slow in that way."""
    head = head_of(snapshot)
    keys = "".join(f"{name}: {value}\r\n" for name, value in sdk_headers(snapshot).items())
    whole = f'{head}Content-Length: 21\r\n\r\n{{"deviceId": "phone"}}'
    match kind:
        case "dribble their heads":
            return SlowClients(edge.port, CROWD, (head + "X-Slow: ").encode(), b"x")
        case "dribble their bodies":
            return SlowClients(edge.port, CROWD, (head + "Content-Length: 60000\r\n\r\n{").encode(), b" ")
        case "say nothing":
            return SlowClients(edge.port, CROWD, b"")
        case "idle after an answer":
            return SlowClients(edge.port, CROWD, whole.encode())
        case _:
            asking = f"GET /api/config HTTP/1.1\r\nHost: edge\r\n{keys}\r\n" * 5
            return SlowClients(edge.port, CROWD, asking.encode(), read=False)


def healthy_p99(edge: StartedEdge, snapshot: Snapshot) -> float:
    """Resolve over new connections; gives the milliseconds that the slowest hundredth of answers took."""
    headers = {**sdk_headers(snapshot), "Content-Type": "application/json"}
    asked = Asked("POST", "/api/onboarding/resolve", headers, b'{"deviceId": "phone"}', 200)
    return answered_p99(edge.port, asked, REQUESTS)


@pytest.mark.parametrize("kind", KINDS[: soaked("KINDS", 2)])
def test_a_crowd_of_slow_clients_costs_the_others_nothing_and_is_closed(
    edge: StartedEdge, snapshot: Snapshot, kind: str
) -> None:
    healthy_p99(edge, snapshot)
    before = healthy_p99(edge, snapshot)
    with crowd_of(kind, edge, snapshot) as crowd:
        meanwhile = healthy_p99(edge, snapshot)
        patience = STALL_PATIENCE if kind == "never read" else LONGEST_DEADLINE + 20
        eventually(lambda: crowd.closed == crowd.count or not patience, within=patience)
    after = healthy_p99(edge, snapshot)
    expected = {"dribble their heads": {b"HTTP/1.1 408"}, "dribble their bodies": {b"HTTP/1.1 408"}}
    assert crowd.answers == expected.get(kind, crowd.answers)
    assert not MOST_TIMES_SLOWER or meanwhile <= MOST_TIMES_SLOWER * max(before, after)
    figures = {
        "p99 before": f"{before:.2f} ms",
        "meanwhile": f"{meanwhile:.2f} ms",
        "after": f"{after:.2f} ms",
        "closed": crowd.closed,
    }
    report(f"{CROWD} slow clients at the edge who {kind}", figures)
