"""The spans of the management service and of the publisher."""

from pathlib import Path

import pytest
import redis
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic import SecretStr

from management_api.http.middleware import TracingMiddleware
from publisher.assets import PageAssetPublisher
from publisher.main import Publisher
from publisher.settings import PublisherSettings
from publisher.snapshot_store import SnapshotStore
from tests.support.clients.management import management_service
from tests.support.telemetry import spans_exported_to

_TRACE = "0af7651916cd43dd8448eb211c80319c"
_TRACEPARENT = f"00-{_TRACE}-b7ad6b7169203331-01"


@pytest.fixture
def kept() -> InMemorySpanExporter:
    return InMemorySpanExporter()


def test_request_has_a_span_named_by_its_route_and_publication_has_one(
    database_url: str, redis_url: str, master_key: str, tmp_path: Path, kept: InMemorySpanExporter
) -> None:
    spans = spans_exported_to(kept)
    settings = PublisherSettings(
        database_url=SecretStr(database_url), redis_url=SecretStr(redis_url), master_key=SecretStr(master_key)
    )
    with management_service(database_url, master_key, tmp_path) as management:
        management.app.add_middleware(TracingMiddleware(spans))
        alice = management.user()
        headers = {"traceparent": _TRACEPARENT, "X-Request-Id": "request-1"}
        project_id = alice.post("/api/projects", {"name": "Shop"}, headers=headers).json["data"]["id"]
        assert alice.get("/api/projects/s3cret", headers={"traceparent": "s3cret"}).status_code == 404
        assert management.anonymous().get("/api/s3cret").status_code == 404
        assert management.anonymous().get("/health/ready").status_code == 200
        with redis.Redis.from_url(redis_url) as client:
            publisher = Publisher(
                settings, management.database, SnapshotStore(client), PageAssetPublisher(client, tmp_path), spans
            )
            assert publisher.publish([project_id]) == []
    created, read, unknown, published = kept.get_finished_spans()
    assert (created.name, f"{created.context.trace_id:032x}") == ("POST /api/projects", _TRACE)
    assert dict(created.attributes or {}) == {
        "http.request.method": "POST",
        "http.route": "/api/projects",
        "http.response.status_code": 201,
        "onboarding.request_id": "request-1",
    }
    assert (read.name, unknown.name) == ("GET /api/projects/{project_id}", "GET")
    assert f"{read.context.trace_id:032x}" != _TRACE
    assert (published.name, dict(published.attributes or {})) == ("publish projects", {"onboarding.projects": 1})
    assert "s3cret" not in "".join(span.to_json() for span in kept.get_finished_spans())
