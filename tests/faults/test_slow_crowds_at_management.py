"""Crowds of slow clients at the management service: the others are served as ever."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.healthy_clients import Asked, answered_p99
from tests.faults.slow_clients import SlowClients
from tests.faults.soak import report, soaked
from tests.integration.management_api.running_service import ServiceProcess, service_environment

CROWD = soaked("CROWD", 150)
REQUESTS = soaked("HEALTHY_REQUESTS", 100)
#: How much slower the slowest hundredth of the healthy may become; measured only where nothing else runs.
MOST_TIMES_SLOWER = soaked("TIMES_SLOWER", 0)
#: Each waits for a thread, which is what a crowd could take away; nobody has to be known for that.
ASKED = Asked("GET", "/api/projects", {}, None, 401)
POST = b"POST /api/projects HTTP/1.1\r\nHost: a\r\n"
#: The short run takes the first.
BEGINNINGS = {
    "dribble their bodies": POST + b"Content-Length: 100000\r\n\r\n",
    "dribble their heads": POST + b"X-Slow: ",
    "say nothing": b"",
}


@pytest.fixture
def service(database_url: str, master_key: str, tmp_path: Path) -> Iterator[ServiceProcess]:
    """Give a running management service."""
    service = ServiceProcess(service_environment(database_url, master_key, tmp_path), tmp_path / "management.log")
    try:
        service.wait_until_ready()
        yield service
    finally:
        service.stop()


@pytest.mark.parametrize("kind", list(BEGINNINGS)[: soaked("KINDS", 1)])
def test_a_crowd_of_slow_clients_cannot_starve_the_others(service: ServiceProcess, kind: str) -> None:
    answered_p99(service.port, ASKED, REQUESTS)
    before = answered_p99(service.port, ASKED, REQUESTS)
    with SlowClients(service.port, CROWD, BEGINNINGS[kind], b"x" if BEGINNINGS[kind] else b""):
        meanwhile = answered_p99(service.port, ASKED, REQUESTS)
    after = answered_p99(service.port, ASKED, REQUESTS)
    assert not MOST_TIMES_SLOWER or meanwhile <= MOST_TIMES_SLOWER * max(before, after)
    figures = {"p99 before": f"{before:.2f} ms", "meanwhile": f"{meanwhile:.2f} ms", "after": f"{after:.2f} ms"}
    report(f"{CROWD} slow clients at the management service who {kind}", figures)
