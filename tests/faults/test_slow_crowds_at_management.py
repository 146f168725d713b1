"""Crowds of slow clients of management at the gateway: other clients are served as before."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.management_api.running_service import ServiceProcess, service_environment
from tests.support.faults.healthy_clients import ExpectedRequest, measure_p99
from tests.support.faults.slow_clients import SlowClients
from tests.support.servers.gateway import RunningGateway
from tests.support.soak import report, soak_setting

pytestmark = pytest.mark.slow

CROWD = soak_setting("CROWD", 150, 1000)
REQUESTS = soak_setting("HEALTHY_REQUESTS", 100, 10_000)
#: Maximum ratio of the healthy clients' p99 with a crowd to that without; 0, on a busy machine: not checked.
MAX_TIMES_SLOWER = soak_setting("TIMES_SLOWER", 0, 2)
#: A request that needs a thread, which a crowd could occupy, and no credentials.
REQUEST = ExpectedRequest("GET", "/api/projects", {}, None, 401)
POST = b"POST /api/projects HTTP/1.1\r\nHost: a\r\n"
#: The short run takes the first.
BEGINNINGS = {
    "drip their bodies": POST + b"Content-Length: 100000\r\n\r\n",
    "drip their headers": POST + b"X-Slow: ",
    "are silent": b"",
}


@pytest.fixture
def gateway(database_url: str, master_key: str, tmp_path: Path) -> Iterator[RunningGateway]:
    """Return a running gateway with a management service behind it, and no edge."""
    service = ServiceProcess(service_environment(database_url, master_key, tmp_path), tmp_path / "management.log")
    try:
        service.wait_until_ready()
        # The crowd and the measured client have one address.
        with RunningGateway(
            tmp_path / "gateway", "127.0.0.1:1", f"127.0.0.1:{service.port}", address_requests=CROWD + 10
        ) as gateway:
            yield gateway
    finally:
        service.stop()


@pytest.mark.parametrize("kind", list(BEGINNINGS)[: soak_setting("KINDS", 1, 5)])
def test_crowd_of_slow_clients_delays_no_other_client(gateway: RunningGateway, kind: str) -> None:
    measure_p99(gateway.port, REQUEST, REQUESTS)
    before = measure_p99(gateway.port, REQUEST, REQUESTS)
    with SlowClients(gateway.port, CROWD, BEGINNINGS[kind], b"x" if BEGINNINGS[kind] else b""):
        meanwhile = measure_p99(gateway.port, REQUEST, REQUESTS)
    after = measure_p99(gateway.port, REQUEST, REQUESTS)
    assert not MAX_TIMES_SLOWER or meanwhile <= MAX_TIMES_SLOWER * max(before, after)
    results = {"p99 before": f"{before:.2f} ms", "meanwhile": f"{meanwhile:.2f} ms", "after": f"{after:.2f} ms"}
    report(f"{CROWD} slow clients of management, at the gateway, who {kind}", results)
