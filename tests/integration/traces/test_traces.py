"""Traces, from a request to PostgreSQL, as a collector sees them."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import redis
from pydantic import SecretStr

from common.settings.shared import DatabaseSettings
from management_api.database.transactions import Database
from tests.integration.management_api.running_service import ServiceProcess, service_environment
from tests.integration.traces.collector import Collector, collecting
from tests.polling import eventually
from tests.rows import add_project
from tests.snapshots import SECRET_KEY, a_snapshot, publish
from tests.started_edge import StartedEdge
from tests.started_process import StartedProcess

_TRACE = "0af7651916cd43dd8448eb211c80319c"
_TRACEPARENT = f"00-{_TRACE}-b7ad6b7169203331-01"
_EVENT = {"eventType": "flow_started", "deviceId": "device-1"}


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    """Give a collector that all processes of the test are told of."""
    with collecting() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        # Whoever is to send sooner than at its end is told so.
        monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "600000")
        yield collector


@pytest.fixture
def project_id(database_url: str, redis_url: str) -> str:
    """Give a project that edge and consumer know."""
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
        answer = client.post("/api/analytics/event", json=_EVENT, headers=headers)
        assert (answer.status_code, answer.headers["X-Request-Id"]) == (201, "request-1")
        # What is no trace begins one of its own, and hurts nothing.
        odd = client.post("/api/analytics/event", json=_EVENT, headers={"traceparent": "00-" + "f" * 200})
        assert odd.status_code == 201
        stored = eventually(lambda: collector.find("onboarding-consumer", "store events", _TRACE), within=30)
        assert client.get("/health/ready").status_code == 200
        assert (edge.terminate(), consumer.terminate()) == (0, 0)
    asked = collector.find("onboarding-edge", "POST /api/analytics/event", _TRACE)
    [batch] = [span for span in collector.spans if [span.span_id] == stored.links]
    assert asked is not None
    assert (asked.parent_id, stored.parent_id) == ("b7ad6b7169203331", asked.span_id)
    assert asked.attributes == {
        "http.request.method": "POST",
        "http.route": "/api/analytics/event",
        "http.response.status_code": 201,
        "onboarding.request_id": "request-1",
    }
    assert stored.attributes == {"onboarding.request_id": "request-1"}
    assert asked.span_id in batch.links
    names = [span.name for span in collector.spans if span.service == "onboarding-edge"]
    assert names == ["POST /api/analytics/event"] * 2
    assert SECRET_KEY not in str(collector.spans)


def test_every_worker_of_management_sends_its_spans_also_the_last_ones(
    collector: Collector, database_url: str, master_key: str, tmp_path: Path
) -> None:
    settings = {"management_workers": "2", "identity_discovery": "false", "identity_shared_secret": "x" * 32}
    environment = service_environment(database_url, master_key, tmp_path, **settings)
    sending = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, "OTEL_BSP_SCHEDULE_DELAY": "600000"}
    service = ServiceProcess({**environment, **sending}, tmp_path / "management.log")
    service.wait_until_ready()
    assert service.call("GET", "/api/projects")[0] == 401
    sent_before = len(collector.spans)
    assert (sent_before, service.stop()) == (0, 0)
    [span] = collector.spans
    assert (span.service, span.name) == ("onboarding-management", "GET /api/projects")
