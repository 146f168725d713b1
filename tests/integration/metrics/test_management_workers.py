"""The metrics of a management service with several workers."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from deploy.local.loopback_ports import free_port
from tests.integration.management_api.running_service import ServiceProcess, service_environment
from tests.support.clients.token_issuer import TokenIssuer
from tests.support.polling import eventually
from tests.support.telemetry import CurrentMetrics

pytestmark = pytest.mark.slow

WORKERS = 2
_REQUESTS = "onboarding_management_requests_total"


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def service(port: int, database_url: str, master_key: str, tmp_path: Path) -> Iterator[ServiceProcess]:
    environment = service_environment(
        database_url,
        master_key,
        tmp_path,
        identity_jwks_file=str(TokenIssuer(tmp_path).jwks_file),
        management_workers=str(WORKERS),
        management_metrics_port=str(port),
        rate_limits_enabled="true",
    )
    service = ServiceProcess(environment, tmp_path / "service.log")
    try:
        service.wait_until_ready()
        eventually(lambda: CurrentMetrics(port).value("onboarding_workers_reporting") == WORKERS, within=30)
        yield service
    finally:
        service.stop()


def test_counters_of_workers_are_summed_by_route_and_survive_a_kill(service: ServiceProcess, port: int) -> None:
    for number in range(8):
        service.call("GET", f"/api/projects/proj_{number}")
        service.call("GET", f"/nothing/{number}")

    def counted(shown: CurrentMetrics) -> tuple[float, float]:
        return (
            shown.value(_REQUESTS, route="/api/projects/{project_id}", method="GET", status="401"),
            shown.value(_REQUESTS, route="other", method="GET", status="404"),
        )

    eventually(lambda: counted(CurrentMetrics(port)) == (8, 8))
    shown = CurrentMetrics(port)
    assert not [sample for sample in shown.samples if any("proj_" in value for value in sample.labels.values())]
    assert shown.value("onboarding_database_pool_size") > 0
    # Without Redis each worker limits locally and reports it (contract, section 1).

    def limits_locally() -> bool:
        # A worker reports it with its first request.
        service.call("GET", "/api/user")
        return CurrentMetrics(port).value("onboarding_rate_limiting_locally_workers") == WORKERS

    eventually(limits_locally, within=30)

    os.kill(min(child.pid for child in psutil.Process(service.pid).children()), signal.SIGKILL)
    eventually(lambda: CurrentMetrics(port).value("onboarding_workers_ended_total") == 1)
    assert counted(CurrentMetrics(port)) == (8, 8)
    eventually(lambda: CurrentMetrics(port).value("onboarding_workers_reporting") == WORKERS, within=60)
    # A worker that was forked while the exporter served must still serve requests.
    assert service.call("GET", "/health/live")[0] == 200
