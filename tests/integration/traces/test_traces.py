"""Traces of requests up to PostgreSQL, as a collector receives them."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
import redis
from pydantic import SecretStr

from common.settings.shared import DatabaseSettings
from deploy.local.loopback_ports import free_port
from management_api.db.engine import Database
from tests.integration.management_api.running_service import ServiceProcess, service_environment
from tests.integration.traces.collector import Collector, collecting
from tests.support.data.pages import a_page, ticket_of
from tests.support.data.rows import add_project
from tests.support.data.snapshots import SECRET_KEY, a_snapshot, publish
from tests.support.polling import eventually
from tests.support.servers.edge_process import StartedEdge
from tests.support.servers.service_process import StartedProcess

pytestmark = pytest.mark.slow

_TRACE = "0af7651916cd43dd8448eb211c80319c"
_TRACEPARENT = f"00-{_TRACE}-b7ad6b7169203331-01"
_EVENT = {"eventType": "flow_started", "deviceId": "device-1"}


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    """Return a collector whose address is in the environment of all processes of the test."""
    with collecting() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        # Processes send at their end, unless a test sets a shorter delay.
        monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "600000")
        yield collector


@pytest.fixture
def project_id(database_url: str, redis_url: str) -> str:
    database = Database(DatabaseSettings(database_url=SecretStr(database_url)))
    with database.transaction() as session:
        project_id = add_project(session).id
    database.close()
    with redis.Redis.from_url(redis_url) as client:
        publish(client, a_snapshot(project_id=project_id))
    return project_id


def test_one_trace_joins_edge_and_consumer(
    collector: Collector, project_id: str, database_url: str, redis_url: str, tmp_path: Path
) -> None:
    environment = {
        "ONBOARDING_DATABASE_URL": database_url,
        "ONBOARDING_REDIS_URL": redis_url,
        "OTEL_BSP_SCHEDULE_DELAY": "100",
    }
    with (
        StartedEdge(redis_url, tmp_path, workers=2) as edge,
        StartedProcess(
            "management_api.event_consumer.main", "ConsumerSettings", environment, tmp_path / "log"
        ) as consumer,
        httpx.Client(base_url=edge.url, headers={"X-Project-Id": project_id, "X-Secret-Key": SECRET_KEY}) as client,
    ):
        headers = {"traceparent": _TRACEPARENT, "X-Request-Id": "request-1"}
        response = client.post("/api/analytics/event", json=_EVENT, headers=headers)
        assert (response.status_code, response.headers["X-Request-Id"]) == (201, "request-1")
        # An invalid trace context starts a new trace.
        untraced = client.post("/api/analytics/event", json=_EVENT, headers={"traceparent": "00-" + "f" * 200})
        assert untraced.status_code == 201
        stored = eventually(lambda: collector.find("onboarding-consumer", "store events", _TRACE), within=30)
        assert client.get("/health/ready").status_code == 200
        assert (edge.terminate(), consumer.terminate()) == (0, 0)
    received = collector.find("onboarding-edge", "POST /api/analytics/event", _TRACE)
    [batch] = [span for span in collector.spans if [span.span_id] == stored.links]
    assert received is not None
    assert (received.parent_id, stored.parent_id) == ("b7ad6b7169203331", received.span_id)
    assert received.attributes == {
        "http.request.method": "POST",
        "http.route": "/api/analytics/event",
        "http.response.status_code": 201,
        "onboarding.request_id": "request-1",
    }
    assert stored.attributes == {"onboarding.request_id": "request-1"}
    assert received.span_id in batch.links
    names = [span.name for span in collector.spans if span.service == "onboarding-edge"]
    assert names == ["POST /api/analytics/event"] * 2
    assert SECRET_KEY not in str(collector.spans)


def test_management_workers_send_their_last_spans_at_a_stop(
    collector: Collector, database_url: str, master_key: str, tmp_path: Path
) -> None:
    settings = {"management_workers": "2", "identity_discovery": "false", "identity_shared_secret": "x" * 32}
    environment = service_environment(database_url, master_key, tmp_path, **settings)
    telemetry = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, "OTEL_BSP_SCHEDULE_DELAY": "600000"}
    service = ServiceProcess({**environment, **telemetry}, tmp_path / "management.log")
    service.wait_until_ready()
    assert service.call("GET", "/api/projects")[0] == 401
    sent_before = len(collector.spans)
    assert (sent_before, service.stop()) == (0, 0)
    [span] = collector.spans
    assert (span.service, span.name) == ("onboarding-management", "GET /api/projects")


@pytest.mark.parametrize("is_traced", [True, False])
def test_neither_logs_nor_spans_nor_metrics_have_tickets_or_queries(
    request: pytest.FixtureRequest, redis_url: str, tmp_path: Path, *, is_traced: bool
) -> None:
    collector = request.getfixturevalue("collector") if is_traced else None
    snapshot = a_snapshot(pages=(a_page(),))
    with redis.Redis.from_url(redis_url) as client:
        publish(client, snapshot)
    port = free_port()
    settings = {"log_level": "debug", "edge_metrics_port": str(port)}
    ticket, query = ticket_of(snapshot), {"projectId": snapshot.project_id, "deviceId": "secret-device"}
    with StartedEdge(redis_url, tmp_path, workers=1, **settings) as edge, httpx.Client(base_url=edge.url) as client:
        global_config = client.get(
            "/api/global-config", params={"apiKey": SECRET_KEY, "projectId": snapshot.project_id}
        )
        given = urlsplit(global_config.json()["backendDomain"]).path.removeprefix("/s/")
        statuses = [
            client.get(f"/s/{ticket}/api/onboarding/resolve", params=query).status_code,
            client.get(f"/s/{ticket}/onboarding/flow_default/1", params=query).status_code,
            client.post(f"/s/{ticket}/api/analytics/events", json={"events": [_EVENT]}).status_code,
            client.get(f"/s/{ticket}/unknown", params=query).status_code,
            client.get(f"//s/{ticket}/onboarding/flow_default/1", params=query).status_code,
            client.get(f"/S/{ticket}x/onboarding/flow_default/1", params=query).status_code,
            client.get(f"/s/{ticket}x/onboarding/flow_default/1", params=query).status_code,
            client.put(f"/s/{ticket}/onboarding/flow_default/1", params=query).status_code,
        ]
        assert statuses == [200, 200, 200, 404, 404, 404, 401, 405]
        route = 'route="/s/{ticket}/onboarding/{flow_id}/{number}"'
        metrics = eventually(lambda: route in (text := httpx.get(f"http://127.0.0.1:{port}/metrics").text) and text)
        assert edge.terminate() == 0
        written = edge.log + str(metrics) + ("" if collector is None else str(collector.spans))
    assert "/s/{ticket}/onboarding/{flow_id}/{number}" in edge.log
    for secret in (ticket, given, "secret-device", SECRET_KEY):
        assert secret not in written
    if collector is not None:
        assert {"GET /s/{ticket}/onboarding/{flow_id}/{number}", "POST /s/{ticket}/api/analytics/events"} <= {
            span.name for span in collector.spans
        }
