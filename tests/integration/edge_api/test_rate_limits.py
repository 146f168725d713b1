"""Rate limits over HTTP (contract, section 1): the headers on every answer of the edge, and what lies past them."""

from collections.abc import Iterator

import httpx
import pytest
import redis

from tests.hour_clock import HourClock
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.running_server import RunningServer
from tests.snapshots import SECRET_KEY, a_snapshot, publish, sdk_headers

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
    """Give a client of an edge with small limits, which takes the client for its proxy."""
    with running_edge(edge_settings(redis_url, **LIMITS), CLOCK) as client:
        yield client


def standing(response: httpx.Response) -> tuple[str, str]:
    """Give the limit and what remains of it; the window's end must be there too."""
    assert response.headers["X-RateLimit-Reset"] == str(CLOCK.window_end)
    return response.headers["X-RateLimit-Limit"], response.headers["X-RateLimit-Remaining"]


def assert_is_refused(response: httpx.Response) -> None:
    """Check a 429."""
    assert response.status_code == 429
    assert response.json() == {"success": False, "error": "Rate limit exceeded", "code": "RATE_LIMITED", "status": 429}
    assert response.headers["Retry-After"] == str(CLOCK.window_end - int(CLOCK()))
    assert response.headers["X-Request-Id"]
    assert "WWW-Authenticate" not in response.headers


def test_an_sdks_answers_count_down_and_then_stop(edge: httpx.Client, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    headers = sdk_headers(snapshot)
    config = edge.get("/api/config", headers=headers)
    answers = [
        config,
        edge.get("/api/config", headers={**headers, "If-None-Match": config.headers["ETag"]}),
        edge.head("/api/v1/config", headers=headers),
        edge.post(RESOLVE, headers=headers, json=DEVICE),
        edge.post(RESOLVE, headers=headers, json={}),
        edge.post(RESOLVE, headers=headers, content=b"x" * 70_000),
        edge.post("/api/analytics/event", headers=headers, json=EVENT),
        edge.post("/api/analytics/events", headers=headers, json={"events": [EVENT]}),
    ]
    assert [answer.status_code for answer in answers] == [200, 304, 200, 200, 400, 415, 201, 200]
    assert [standing(answer) for answer in answers] == [("8", str(left)) for left in range(7, -1, -1)]
    refused = edge.post(RESOLVE, headers=headers, json=DEVICE)
    assert_is_refused(refused)
    assert standing(refused) == ("8", "0")


def test_one_client_does_not_use_up_anothers_requests(edge: httpx.Client, redis_client: redis.Redis) -> None:
    snapshot, other = a_snapshot(), a_snapshot()
    publish(redis_client, snapshot)
    publish(redis_client, other)
    for _ in range(9):
        edge.post(RESOLVE, headers={**sdk_headers(snapshot), "X-Forwarded-For": "203.0.113.1"}, json=DEVICE)
    for project, address, left in ((snapshot, "203.0.113.2", "7"), (other, "203.0.113.1", "7")):
        answer = edge.post(RESOLVE, headers={**sdk_headers(project), "X-Forwarded-For": address}, json=DEVICE)
        assert (answer.status_code, answer.headers["X-RateLimit-Remaining"]) == (200, left)


def test_by_project_all_clients_share_one_count(redis_url: str, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    settings = edge_settings(redis_url, **LIMITS, secret_key_rate_limit_scope="project")
    with running_edge(settings, CLOCK) as edge:
        answers = [
            edge.post(RESOLVE, headers={**sdk_headers(snapshot), "X-Forwarded-For": f"203.0.113.{n}"}, json=DEVICE)
            for n in range(9)
        ]
    assert [answer.status_code for answer in answers] == [200] * 8 + [429]


def test_strangers_and_wrong_credentials_share_the_count_of_their_address(
    edge: httpx.Client, redis_client: redis.Redis
) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    wrong = sdk_headers(snapshot, "obk_sk_wrong")
    answers = [
        edge.post(RESOLVE, json=DEVICE),
        edge.post(RESOLVE, headers=wrong, json=DEVICE),
        edge.get("/api/nothing"),
        edge.get(RESOLVE),
    ]
    assert [answer.status_code for answer in answers] == [401, 401, 404, 405]
    assert [standing(answer) for answer in answers] == [("4", str(left)) for left in (3, 2, 1, 0)]
    for refused in (
        edge.post(RESOLVE, json=DEVICE),
        edge.post(RESOLVE, headers=wrong, json=DEVICE),
        edge.get("/api/nothing"),
        edge.get(RESOLVE),
    ):
        assert_is_refused(refused)
    good = edge.post(RESOLVE, headers=sdk_headers(snapshot), json=DEVICE)
    assert (good.status_code, standing(good)) == (200, ("8", "7"))


def test_a_right_key_is_counted_by_itself_also_where_there_is_nothing(
    edge: httpx.Client, redis_client: redis.Redis
) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    headers = sdk_headers(snapshot)
    asked = [("GET", "/api/nothing"), ("GET", RESOLVE), ("HEAD", RESOLVE), ("POST", "/api/v2/config")]
    answers = [edge.request(method, path, headers=headers) for method, path in asked * 2]
    assert [answer.status_code for answer in answers] == [404, 405, 405, 404] * 2
    assert [standing(answer) for answer in answers] == [("8", str(left)) for left in range(7, -1, -1)]
    refused = edge.get(RESOLVE, headers=headers)
    assert_is_refused(refused)
    assert "Allow" not in refused.headers
    assert standing(edge.get("/api/nothing")) == ("4", "3")


@pytest.mark.parametrize("path", ["/health/live", "/health/ready"])
def test_health_is_neither_counted_nor_refused(edge: httpx.Client, path: str) -> None:
    answers = [edge.get(path) for _ in range(6)] + [edge.delete(path)]
    assert [answer.status_code for answer in answers] == [200] * 6 + [405]
    assert not [name for answer in answers for name in answer.headers if name.startswith("x-ratelimit")]
    assert standing(edge.get("/api/config")) == ("4", "3")


def test_a_forged_address_is_not_believed(redis_url: str) -> None:
    with running_edge(edge_settings(redis_url, **{**LIMITS, "trusted_proxies": ""}), CLOCK) as edge:
        for number in range(4):
            assert edge.get("/api/config", headers={"X-Forwarded-For": f"203.0.113.{number}"}).status_code == 401
        assert_is_refused(edge.get("/api/config", headers={"X-Forwarded-For": "203.0.113.77"}))


def test_switched_off_nothing_is_counted_or_told(redis_url: str) -> None:
    with running_edge(edge_settings(redis_url, **LIMITS, rate_limits_enabled=False)) as edge:
        # Not the edge's own client: it is told by the OpenAPI document to miss the headers.
        answers = [httpx.get(edge.base_url.join("/api/config")) for _ in range(6)]
    assert {answer.status_code for answer in answers} == {401}
    assert "X-RateLimit-Limit" not in answers[-1].headers


def test_what_fails_by_our_fault_is_not_counted_but_tells_how_the_client_stands(
    private_redis_server: RunningServer,
) -> None:
    with running_edge(edge_settings(private_redis_server.url, **LIMITS), CLOCK) as edge:
        private_redis_server.kill()
        for _ in range(6):
            unavailable = edge.post(RESOLVE, headers=sdk_headers(a_snapshot()), json=DEVICE)
            assert (unavailable.status_code, standing(unavailable)) == (503, ("4", "4"))
        assert standing(edge.get("/api/config")) == ("4", "3")


def test_no_key_in_redis_tells_who_was_counted(edge: httpx.Client, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    edge.get("/api/config", headers={**sdk_headers(snapshot), "X-Forwarded-For": "203.0.113.9"})
    names = b" ".join(name for name in redis_client.keys("onboarding:rate:*") if isinstance(name, bytes))
    assert names.count(b"onboarding:rate:") == 1
    assert not {part for part in (b"203.0.113.9", snapshot.project_id.encode(), SECRET_KEY.encode()) if part in names}
