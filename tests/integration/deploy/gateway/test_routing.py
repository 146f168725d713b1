"""Routes of the gateway: the edge for SDKs, management for all other paths, each for its own health."""

import httpx
import pytest

from tests.integration.deploy.gateway.scene import Scene
from tests.support.polling import eventually
from tests.support.servers.gateway import SDK_PATHS, SHARED_PATHS
from tests.support.servers.recording_service import Reply


@pytest.mark.parametrize("path", sorted({*SDK_PATHS} - {*SHARED_PATHS}))
def test_endpoints_of_sdks_go_to_the_edge(scene: Scene, client: httpx.Client, path: str) -> None:
    methods = ["GET", "POST", "OPTIONS", "DELETE"]
    for method in methods:
        client.request(method, path)
    assert [(one.method, one.target) for one in scene.edge.received] == [(method, path) for method in methods]
    assert scene.management.received == []


@pytest.mark.parametrize("path", SHARED_PATHS)
def test_events_path_goes_to_the_edge_for_post_else_to_management(
    scene: Scene, client: httpx.Client, path: str
) -> None:
    for method in ("POST", "GET", "PUT"):
        client.request(method, f"{path}?x=1")
    assert [(one.method, one.target) for one in scene.edge.received] == [("POST", f"{path}?x=1")]
    assert [one.method for one in scene.management.received] == ["GET", "PUT"]


def test_allow_header_of_the_events_path_has_the_methods_of_both(scene: Scene, client: httpx.Client) -> None:
    scene.management.reply = Reply(405, {"Allow": "GET, HEAD, OPTIONS"})
    refused = client.put("/api/analytics/events")
    assert (refused.status_code, refused.headers.get_list("Allow")) == (405, ["GET, HEAD, OPTIONS, POST"])
    assert "Allow" not in client.post("/api/analytics/events").headers


@pytest.mark.parametrize("path", ["/", "/api/projects", "/api/docs", "/api/v1/openapi.json", "/api/configs", "/metrics",
                                  "/api/v2/config", "/api/config/", "/api//config"])  # fmt: skip
def test_all_other_paths_go_to_management(scene: Scene, client: httpx.Client, path: str) -> None:
    client.get(path)
    assert [one.target for one in scene.management.received] == [path]
    assert scene.edge.received == []


def test_a_path_and_its_query_arrive_as_they_were_sent(scene: Scene, client: httpx.Client) -> None:
    target = "/api/projects/proj_1/devices/a%2Fb%2F%2F%F0%9F%8E%89%20100%25?x=%2F&y"
    client.delete(target)
    assert scene.management.received[0].target == target


def test_each_service_has_a_health_path(scene: Scene, client: httpx.Client) -> None:
    assert client.get("/health/live").json() == {"status": "live"}
    assert (scene.edge.received, scene.management.received) == ([], [])
    for path in ("/health/ready", "/health/edge/ready", "/health/management/ready"):
        # The body of the service has details of the installation.
        assert client.get(path).json() == {"status": "ready"}
    for path in ("/health/edge/live", "/health/management/live"):
        assert client.get(path).json() == {}
    assert [one.target for one in scene.edge.received] == ["/health/ready", "/health/ready", "/health/live"]
    assert [one.target for one in scene.management.received] == ["/health/ready", "/health/live"]


@pytest.mark.parametrize(
    "path",
    [
        "/api/global-config?apiKey=obk_sk_x&projectId=proj_1",
        "/api/v1/global-config",
        "/s/ticket/api/onboarding/resolve?projectId=proj_1&deviceId=d",
        "/s/ticket/onboarding/flow_1/1?deviceId=d",
        "/s/ticket",
        "/onboarding/assets/pages.0a1b2c3d.js",
        "/onboarding/preview",
        "/onboarding/",
    ],
)
def test_paths_of_hosted_pages_go_to_the_edge(scene: Scene, client: httpx.Client, path: str) -> None:
    client.get(path)
    client.post(path)
    assert [(request.method, request.target) for request in scene.edge.received] == [("GET", path), ("POST", path)]
    assert scene.management.received == []


def test_edge_gets_the_host_with_its_port_and_no_forged_one(scene: Scene, client: httpx.Client) -> None:
    client.get("/api/global-config", headers={"X-Forwarded-Host": "evil.example.com", "X-Forwarded-Proto": "https"})
    headers = scene.edge.received[0].headers
    assert headers["x-forwarded-host"] == f"127.0.0.1:{scene.gateway.port}"
    assert headers["x-forwarded-proto"] == "http"


def test_log_of_the_gateway_has_no_ticket(scene: Scene, client: httpx.Client) -> None:
    client.get("/s/secret-ticket/onboarding/flow_1/1?deviceId=secret-device", headers={"X-Request-Id": "of-a-ticket"})
    eventually(lambda: "of-a-ticket" in scene.gateway.log)
    assert "secret-" not in scene.gateway.log
