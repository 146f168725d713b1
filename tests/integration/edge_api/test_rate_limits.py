"""Rate limits over HTTP (contract, section 1): headers on every response of the edge, and 429."""

from collections.abc import Iterator

import httpx
import pytest
import redis

from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.support.data.pages import a_page, preview_of, ticket_of
from tests.support.data.snapshots import SECRET_KEY, a_snapshot, publish, sdk_headers
from tests.support.polling import eventually
from tests.support.rate_limits import HourClock
from tests.support.servers.running_server import RunningServer

RESOLVE = "/api/onboarding/resolve"
CLOCK = HourClock()
LIMITS = {
    "rate_limit_per_secret_key": 8,
    "rate_limit_unauthenticated": 4,
    "rate_limit_redis_timeout_ms": 10_000,
    "trusted_proxies": "127.0.0.0/8",
}
DEVICE = {"deviceId": "phone"}
EVENT = {"eventType": "flow_started", "deviceId": "phone"}


@pytest.fixture
def edge(redis_url: str) -> Iterator[httpx.Client]:
    """Return a client of an edge with small limits, which trusts the client as a proxy."""
    with running_edge(edge_settings(redis_url, **LIMITS), CLOCK) as client:
        yield client


def limit_and_remaining(response: httpx.Response) -> tuple[str, str]:
    """Return the limit and the remaining requests, and check the end of the window."""
    assert response.headers["X-RateLimit-Reset"] == str(CLOCK.window_end)
    return response.headers["X-RateLimit-Limit"], response.headers["X-RateLimit-Remaining"]


def assert_is_rejected(response: httpx.Response) -> None:
    """Check a 429."""
    assert response.status_code == 429
    assert response.json() == {"success": False, "error": "Rate limit exceeded", "code": "RATE_LIMITED", "status": 429}
    assert response.headers["Retry-After"] == str(CLOCK.window_end - int(CLOCK()))
    assert response.headers["X-Request-Id"]
    assert "WWW-Authenticate" not in response.headers


def test_responses_of_an_sdk_count_down_to_429(edge: httpx.Client, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    headers = sdk_headers(snapshot)
    config = edge.get("/api/config", headers=headers)
    responses = [
        config,
        edge.get("/api/config", headers={**headers, "If-None-Match": config.headers["ETag"]}),
        edge.head("/api/v1/config", headers=headers),
        edge.post(RESOLVE, headers=headers, json=DEVICE),
        edge.post(RESOLVE, headers=headers, json={}),
        edge.post(RESOLVE, headers=headers, content=b"x" * 70_000),
        edge.post("/api/analytics/event", headers=headers, json=EVENT),
        edge.post("/api/analytics/events", headers=headers, json={"events": [EVENT]}),
    ]
    assert [response.status_code for response in responses] == [200, 304, 200, 200, 400, 415, 201, 200]
    assert [limit_and_remaining(response) for response in responses] == [
        ("8", str(remaining)) for remaining in range(7, -1, -1)
    ]
    rejected = edge.post(RESOLVE, headers=headers, json=DEVICE)
    assert_is_rejected(rejected)
    assert limit_and_remaining(rejected) == ("8", "0")


def test_client_does_not_use_up_the_requests_of_another(edge: httpx.Client, redis_client: redis.Redis) -> None:
    snapshot, other = a_snapshot(), a_snapshot()
    publish(redis_client, snapshot)
    publish(redis_client, other)
    for _ in range(9):
        edge.post(RESOLVE, headers={**sdk_headers(snapshot), "X-Forwarded-For": "203.0.113.1"}, json=DEVICE)
    for project, address, remaining in ((snapshot, "203.0.113.2", "7"), (other, "203.0.113.1", "7")):
        response = edge.post(RESOLVE, headers={**sdk_headers(project), "X-Forwarded-For": address}, json=DEVICE)
        assert (response.status_code, response.headers["X-RateLimit-Remaining"]) == (200, remaining)


def test_clients_of_a_project_share_a_count_with_the_project_scope(redis_url: str, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    settings = edge_settings(redis_url, **LIMITS, secret_key_rate_limit_scope="project")
    with running_edge(settings, CLOCK) as edge:
        responses = [
            edge.post(RESOLVE, headers={**sdk_headers(snapshot), "X-Forwarded-For": f"203.0.113.{n}"}, json=DEVICE)
            for n in range(9)
        ]
    assert [response.status_code for response in responses] == [200] * 8 + [429]


def test_anonymous_and_wrong_credentials_share_the_count_of_their_address(
    edge: httpx.Client, redis_client: redis.Redis
) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    wrong = sdk_headers(snapshot, "obk_sk_wrong")
    responses = [
        edge.post(RESOLVE, json=DEVICE),
        edge.post(RESOLVE, headers=wrong, json=DEVICE),
        edge.get("/api/nothing"),
        edge.get(RESOLVE),
    ]
    assert [response.status_code for response in responses] == [401, 401, 404, 405]
    assert [limit_and_remaining(response) for response in responses] == [
        ("4", str(remaining)) for remaining in (3, 2, 1, 0)
    ]
    for rejected in (
        edge.post(RESOLVE, json=DEVICE),
        edge.post(RESOLVE, headers=wrong, json=DEVICE),
        edge.get("/api/nothing"),
        edge.get(RESOLVE),
    ):
        assert_is_rejected(rejected)
    authenticated = edge.post(RESOLVE, headers=sdk_headers(snapshot), json=DEVICE)
    assert (authenticated.status_code, limit_and_remaining(authenticated)) == (200, ("8", "7"))


def test_valid_key_is_counted_by_itself_at_unknown_paths_and_methods(
    edge: httpx.Client, redis_client: redis.Redis
) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    headers = sdk_headers(snapshot)
    requests = [("GET", "/api/nothing"), ("GET", RESOLVE), ("HEAD", RESOLVE), ("POST", "/api/v2/config")]
    responses = [edge.request(method, path, headers=headers) for method, path in requests * 2]
    assert [response.status_code for response in responses] == [404, 405, 405, 404] * 2
    assert [limit_and_remaining(response) for response in responses] == [
        ("8", str(remaining)) for remaining in range(7, -1, -1)
    ]
    rejected = edge.get(RESOLVE, headers=headers)
    assert_is_rejected(rejected)
    assert "Allow" not in rejected.headers
    assert limit_and_remaining(edge.get("/api/nothing")) == ("4", "3")


@pytest.mark.parametrize("path", ["/health/live", "/health/ready"])
def test_health_is_neither_counted_nor_rejected(edge: httpx.Client, path: str) -> None:
    responses = [edge.get(path) for _ in range(6)] + [edge.delete(path)]
    assert [response.status_code for response in responses] == [200] * 6 + [405]
    assert not [name for response in responses for name in response.headers if name.startswith("x-ratelimit")]
    assert limit_and_remaining(edge.get("/api/config")) == ("4", "3")


def test_forwarded_address_without_trusted_proxies_is_ignored(redis_url: str) -> None:
    with running_edge(edge_settings(redis_url, **{**LIMITS, "trusted_proxies": ""}), CLOCK) as edge:
        for number in range(4):
            assert edge.get("/api/config", headers={"X-Forwarded-For": f"203.0.113.{number}"}).status_code == 401
        assert_is_rejected(edge.get("/api/config", headers={"X-Forwarded-For": "203.0.113.77"}))


def test_disabled_rate_limits_count_nothing_and_send_no_headers(redis_url: str) -> None:
    with running_edge(edge_settings(redis_url, **LIMITS, rate_limits_enabled=False)) as edge:
        # The validated client would fail without the headers that the OpenAPI document requires.
        responses = [httpx.get(edge.base_url.join("/api/config")) for _ in range(6)]
    assert {response.status_code for response in responses} == {401}
    assert "X-RateLimit-Limit" not in responses[-1].headers


def test_readiness_names_the_counts_that_decide(private_redis_server: RunningServer) -> None:
    def state(edge: httpx.Client) -> tuple[str, str]:
        # A request that is counted.
        edge.get("/api/config")
        health = edge.get("/health/ready").json()
        return health["status"], health["rate_limits"]

    with running_edge(edge_settings(private_redis_server.url)) as edge:
        eventually(lambda: state(edge) == ("ready", "shared"))
        private_redis_server.kill()
        eventually(lambda: state(edge) == ("degraded", "local"))
        private_redis_server.start()
        eventually(lambda: state(edge) == ("ready", "shared"))
    with running_edge(edge_settings(private_redis_server.url, rate_limits_enabled=False)) as edge:
        assert edge.get("/health/ready").json()["rate_limits"] == "off"


def test_unavailable_response_is_not_counted_and_has_the_headers(
    private_redis_server: RunningServer,
) -> None:
    with running_edge(edge_settings(private_redis_server.url, **LIMITS), CLOCK) as edge:
        private_redis_server.kill()
        for _ in range(6):
            unavailable = edge.post(RESOLVE, headers=sdk_headers(a_snapshot()), json=DEVICE)
            assert (unavailable.status_code, limit_and_remaining(unavailable)) == (503, ("4", "4"))
        assert limit_and_remaining(edge.get("/api/config")) == ("4", "3")


def test_project_that_an_incomplete_redis_lacks_counts_against_the_address(private_redis_server: RunningServer) -> None:
    with running_edge(edge_settings(private_redis_server.url, **LIMITS), CLOCK) as edge:
        responses = [edge.post(RESOLVE, headers=sdk_headers(a_snapshot()), json=DEVICE) for _ in range(5)]
        again = edge.post(RESOLVE, headers=sdk_headers(a_snapshot()), json=DEVICE)
    assert [response.status_code for response in responses] == [503] * 4 + [429]
    assert limit_and_remaining(responses[3]) == ("4", "0")
    assert_is_rejected(again)


def test_key_in_redis_contains_no_address_project_or_secret(edge: httpx.Client, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    edge.get("/api/config", headers={**sdk_headers(snapshot), "X-Forwarded-For": "203.0.113.9"})
    # The edge reports a moment after its response.
    stored = eventually(lambda: redis_client.keys("onboarding:rate:*"))
    names = b" ".join(name for name in stored if isinstance(name, bytes))
    assert names.count(b"onboarding:rate:") == 1
    assert not {part for part in (b"203.0.113.9", snapshot.project_id.encode(), SECRET_KEY.encode()) if part in names}


def test_preview_link_is_counted_by_its_client_in_the_scope_of_the_project(
    redis_url: str, redis_client: redis.Redis
) -> None:
    snapshot = a_snapshot(pages=(a_page(preview=True),))
    publish(redis_client, snapshot)
    path = f"/s/{preview_of(snapshot, draft=False)}/onboarding/flow_default/1"
    settings = edge_settings(redis_url, **LIMITS, secret_key_rate_limit_scope="project")
    with running_edge(settings, CLOCK) as edge:
        responses = [edge.get(path, headers={"X-Forwarded-For": "203.0.113.1"}) for _ in range(9)]
        assert [response.status_code for response in responses] == [200] * 8 + [429]
        assert edge.get(path, headers={"X-Forwarded-For": "203.0.113.2"}).status_code == 200
        assert edge.get("/api/config", headers=sdk_headers(snapshot)).status_code == 200


def test_ticket_is_counted_like_its_secret_key(edge: httpx.Client, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot(pages=(a_page(),))
    publish(redis_client, snapshot)
    query = {"projectId": snapshot.project_id, "deviceId": "phone"}
    ticket = f"/s/{ticket_of(snapshot)}"
    responses = [
        edge.get("/api/config", headers=sdk_headers(snapshot)),
        edge.get("/api/global-config", params={"apiKey": SECRET_KEY, "projectId": snapshot.project_id}),
        edge.get(f"{ticket}/api/onboarding/resolve", params=query),
        edge.get(f"{ticket}/onboarding/flow_default/1"),
        edge.get(f"{ticket}/onboarding/unknown/1"),
        edge.post(f"{ticket}/api/analytics/events", json={"events": [EVENT]}),
        edge.get(f"{ticket}/nothing"),
        edge.delete(f"{ticket}/onboarding/flow_default/1"),
    ]
    assert [response.status_code for response in responses] == [200, 200, 200, 200, 404, 200, 404, 405]
    assert [limit_and_remaining(response) for response in responses] == [
        ("8", str(remaining)) for remaining in range(7, -1, -1)
    ]
    rejected = edge.get(f"{ticket}/onboarding/flow_default/1")
    assert (rejected.status_code, rejected.headers["Content-Type"]) == (429, "text/html; charset=utf-8")
    assert rejected.headers["Retry-After"] == str(CLOCK.window_end - int(CLOCK()))
    assert_is_rejected(edge.get(f"{ticket}/api/onboarding/resolve", params=query))


def test_page_without_a_valid_ticket_is_counted_by_the_address(edge: httpx.Client, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot(pages=(a_page(),))
    publish(redis_client, snapshot)
    paths = ("/s/junk/onboarding/flow_default/1", f"/s/{ticket_of(snapshot, 'key_other')}/onboarding/flow_default/1")
    responses = [edge.get(path) for path in (*paths, "/onboarding/nothing", "/api/global-config")]
    assert [response.status_code for response in responses] == [401, 401, 404, 401]
    assert [limit_and_remaining(response) for response in responses] == [("4", str(left)) for left in (3, 2, 1, 0)]
    assert edge.get(paths[0]).status_code == 429


def test_assets_and_preview_are_not_counted(edge: httpx.Client) -> None:
    for path in ("/onboarding/assets/pages.0a1b2c3d.js", "/onboarding/preview", "/onboarding/assets/junk") * 3:
        response = edge.get(path)
        assert response.status_code in (404, 503)
        assert "X-RateLimit-Limit" not in response.headers


def test_address_of_pages_follows_trusted_proxies(edge: httpx.Client, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    query = {"apiKey": SECRET_KEY, "projectId": snapshot.project_id}
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "apps.example.com:8443"}
    found = edge.get("/api/global-config", params=query, headers=headers).json()["backendDomain"]
    assert found.startswith("https://apps.example.com:8443/s/")
