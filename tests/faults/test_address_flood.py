"""A flood of new addresses and unknown projects takes bounded memory, and known projects are served."""

import itertools
import re
import socket
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest
import redis

from common.credentials import KeyPrefix, generate_key
from common.ids import IdPrefix, new_id
from deploy.local.loopback_ports import LOOPBACK
from tests.support.data.snapshots import a_snapshot, mark_complete, publish, sdk_headers
from tests.support.faults.healthy_clients import ExpectedRequest, measure_p99
from tests.support.servers.edge_process import StartedEdge
from tests.support.soak import report, soak_setting

pytestmark = pytest.mark.slow

ADDRESSES = soak_setting("ADDRESSES", 4_000, 100_000)
#: Maximum growth of a worker in any flood: 50,000 local quotas, as many pending returns, and 10,000 unknown ids.
MAX_GROWTH_MB = 80
_AT_ONCE = 50
_CONNECTIONS = 16
_STATUS = re.compile(rb"HTTP/1\.1 (\d{3})")
_KEY = generate_key(KeyPrefix.SECRET)


def flood_request(number: int) -> bytes:
    """Return the request of a new address for a project that does not exist."""
    address = ".".join(str(part) for part in (number + (11 << 24)).to_bytes(4))
    headers = {"X-Project-Id": new_id(IdPrefix.PROJECT), "X-Secret-Key": _KEY, "X-Forwarded-For": address}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"GET /api/config HTTP/1.1\r\nHost: edge\r\n{lines}\r\n".encode()


def flood(port: int, numbers: range) -> Counter[bytes]:
    """Send the requests over several connections, and return the number of responses by status."""
    with ThreadPoolExecutor(_CONNECTIONS) as threads:
        parts = (numbers[part::_CONNECTIONS] for part in range(_CONNECTIONS))
        return sum(threads.map(lambda part: flood_connection(port, part), parts), Counter())


def flood_connection(port: int, numbers: range) -> Counter[bytes]:
    """Send the requests over one connection, many at once."""
    statuses: Counter[bytes] = Counter()
    with socket.create_connection((LOOPBACK, port), timeout=30) as connection:
        waiting = iter(numbers)
        while batch := list(itertools.islice(waiting, _AT_ONCE)):
            connection.sendall(b"".join(flood_request(number) for number in batch))
            received = b""
            # Every response ends with the JSON of its error.
            while received.count(b'"UNAUTHORIZED"') + received.count(b'"UNAVAILABLE"') < len(batch):
                chunk = connection.recv(65536)
                assert chunk, received[-500:]
                received += chunk
            statuses.update(_STATUS.findall(received))
    return statuses


def megabytes_of(edge: StartedEdge) -> float:
    return max(psutil.Process(worker).memory_info().rss for worker in edge.workers()) / 1_000_000


def test_flood_of_addresses_and_unknown_projects_takes_bounded_memory(
    redis_url: str, redis_client: redis.Redis, tmp_path: Path
) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    mark_complete(redis_client)
    with StartedEdge(redis_url, tmp_path, workers=2, trusted_proxies="127.0.0.0/8") as edge:
        before, empty = megabytes_of(edge), redis_client.info("memory")["used_memory"]
        statuses = flood(edge.port, range(ADDRESSES // 2))
        halfway = megabytes_of(edge)
        statuses += flood(edge.port, range(ADDRESSES // 2, ADDRESSES))
        after = megabytes_of(edge)
        assert set(statuses) == {b"401"}
        request = ExpectedRequest("GET", "/api/config", sdk_headers(snapshot), None, 200)
        measure_p99(edge.port, request, 20)
    assert after - before < MAX_GROWTH_MB
    in_redis = (redis_client.info("memory")["used_memory"] - empty) / ADDRESSES
    grown = f"{halfway - before:.0f} MB, then {after - halfway:.0f} MB"
    report(
        "Flood of addresses",
        {"addresses": ADDRESSES, "a worker grew by": grown, "bytes in Redis for each": int(in_redis)},
    )
