"""Resolve and config over HTTP, from snapshots in a real Valkey."""

import httpx
import pytest
import redis

from tests.support.data.snapshots import a_snapshot, a_targeted_flow, publish, sdk_headers

pytestmark = pytest.mark.both_http_ways

RESOLVE = "/api/onboarding/resolve"


@pytest.fixture
def edge(lasting_edge: httpx.Client) -> httpx.Client:
    return lasting_edge


@pytest.mark.parametrize("path", [RESOLVE, "/api/v1/onboarding/resolve"])
def test_device_gets_the_published_flow_at_both_paths(edge: httpx.Client, redis_client: redis.Redis, path: str) -> None:
    snapshot = a_snapshot(revision=42, targeted=(a_targeted_flow("flow_chosen", rollout_buckets=9_999),))
    publish(redis_client, snapshot)
    response = edge.post(path, headers=sdk_headers(snapshot), json={"deviceId": "phone"})
    assert response.status_code == 200
    assert response.json()["flowId"] == "flow_chosen"
    assert response.headers["X-Config-Version"] == "42"
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["X-Request-Id"]


def test_credentials_are_checked_before_the_body(edge: httpx.Client, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    anonymous = edge.post(RESOLVE, content=b"not json")
    wrong = edge.post(RESOLVE, content=b"not json", headers=sdk_headers(snapshot, "obk_sk_wrong"))
    assert (anonymous.status_code, anonymous.json()) == (
        401,
        {"success": False, "error": "Authentication required", "code": "UNAUTHORIZED", "status": 401},
    )
    assert (wrong.status_code, wrong.json()) == (
        401,
        {"success": False, "error": "Invalid project credentials", "code": "UNAUTHORIZED"},
    )
    assert wrong.headers["WWW-Authenticate"].startswith("SecretKey")


@pytest.mark.parametrize(
    ("content", "media_type", "status", "code"),
    [
        (b"{}", "application/json", 400, "MISSING_PARAMETER"),
        (b"[]", "application/json", 400, "INVALID_PARAMETER"),
        (b"{", "application/json", 400, "INVALID_PARAMETER"),
        (b'{"deviceId": "d"}', "text/plain", 415, "UNSUPPORTED_MEDIA_TYPE"),
        (b'{"deviceId": "' + b"x" * 70_000 + b'"}', "application/json", 413, "PAYLOAD_TOO_LARGE"),
    ],
)
def test_invalid_body_is_rejected_as_in_the_contract(
    edge: httpx.Client, redis_client: redis.Redis, content: bytes, media_type: str, status: int, code: str
) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    headers = {**sdk_headers(snapshot), "Content-Type": media_type}
    response = edge.post(RESOLVE, content=content, headers=headers)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert response.headers["X-Config-Version"] == "1"


def test_chunked_body_is_counted_while_it_is_read(edge: httpx.Client, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    headers = {**sdk_headers(snapshot), "Content-Type": "application/json; charset=utf-8"}
    small = edge.post(RESOLVE, content=iter([b'{"deviceId":', b' "d"}']), headers=headers)
    large = edge.post(RESOLVE, content=iter([b" " * 40_000, b" " * 40_000]), headers=headers)
    assert small.status_code == 200
    assert large.status_code == 413


@pytest.mark.parametrize("path", ["/", "/api/v2/config", "/api/config/", "/api/onboarding", "/api/v1"])
def test_uncached_path_is_not_found(edge: httpx.Client, path: str) -> None:
    response = edge.get(path)
    assert (response.status_code, response.json()["code"]) == (404, "NOT_FOUND")
    assert response.headers["X-Request-Id"]


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [("GET", RESOLVE, "POST"), ("POST", "/api/config", "GET, HEAD"), ("DELETE", "/health/live", "GET, HEAD")],
)
def test_other_method_gets_405_with_the_allowed_ones(edge: httpx.Client, method: str, path: str, allow: str) -> None:
    response = edge.request(method, path)
    assert (response.status_code, response.json()["code"]) == (405, "METHOD_NOT_ALLOWED")
    assert response.headers["Allow"] == allow


def test_config_has_a_tag_and_an_encoding_that_the_client_accepts(
    edge: httpx.Client, redis_client: redis.Redis
) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    headers = sdk_headers(snapshot)
    plain = edge.get("/api/config", headers={**headers, "Accept-Encoding": "identity"})
    zipped = edge.get("/api/config", headers={**headers, "Accept-Encoding": "gzip"})
    packed = edge.get("/api/config", headers={**headers, "Accept-Encoding": "gzip, deflate, br"})
    encodings = (plain, zipped, packed)
    assert [response.content for response in encodings] == [snapshot.config.body] * 3
    assert [response.headers.get("Content-Encoding") for response in encodings] == [None, "gzip", "br"]
    assert len({response.headers["ETag"] for response in encodings}) == 3
    for response in encodings:
        assert response.headers["Cache-Control"] == "private, max-age=60"
        cached = edge.get("/api/config", headers={**headers, "If-None-Match": response.headers["ETag"]})
        assert (cached.status_code, cached.content) == (304, b"")
        assert cached.headers["ETag"] == response.headers["ETag"]
        assert response.headers["Vary"] == cached.headers["Vary"] == "Accept-Encoding"
        assert cached.headers["X-Config-Version"] == "1"


def test_head_of_config_has_the_length_of_each_encoding(edge: httpx.Client, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    config = snapshot.config
    for coding, body in (("identity", config.body), ("gzip", config.gzip), ("br", config.brotli)):
        response = edge.head("/api/config", headers={**sdk_headers(snapshot), "Accept-Encoding": coding})
        assert (response.status_code, response.content) == (200, b"")
        assert response.headers["Content-Length"] == str(len(body))
