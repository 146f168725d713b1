"""CORS: scripts of allowed origins use the public endpoints; preflights need no credential and are not counted."""

from collections.abc import Iterator

import httpx
import pytest
from pydantic import ValidationError

from tests.integration.edge_api.running_edge import edge_settings, running_edge

APP, OTHER = "https://app.example.com", "https://evil.example.com"
EXPOSED = "ETag, Retry-After, X-Config-Version, X-Request-Id"


@pytest.fixture(params=[f"{APP}, http://localhost:5173", "*"], ids=["list", "all"])
def allowed(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def edge(redis_url: str, allowed: str) -> Iterator[httpx.Client]:
    with running_edge(edge_settings(redis_url, edge_cors_origins=allowed, rate_limit_unauthenticated=3)) as client:
        yield client


def _preflight(edge: httpx.Client, path: str, origin: str, method: str = "POST", headers: str = "") -> httpx.Response:
    asked = {"Origin": origin, "Access-Control-Request-Method": method, "Access-Control-Request-Headers": headers}
    # Preflights are no operations of the document.
    return httpx.request("OPTIONS", f"{edge.base_url}{path}", headers=asked)


@pytest.mark.both_http_ways
@pytest.mark.parametrize(
    "path", ["/api/onboarding/resolve", "/api/v1/analytics/events", "/s/ticket/api/analytics/events"]
)
def test_preflight_is_answered_without_a_credential_and_uncounted(edge: httpx.Client, path: str) -> None:
    for _ in range(5):
        answer = _preflight(edge, path, APP, headers="content-type,x-project-id,x-secret-key")
        assert answer.status_code == 200
        assert answer.headers["Access-Control-Allow-Origin"] in {APP, "*"}
        assert answer.headers["Access-Control-Max-Age"] == "7200"
        assert "Origin" in answer.headers["Vary"]
        assert {"POST", "GET"} <= set(answer.headers["Access-Control-Allow-Methods"].split(", "))
        assert answer.headers["X-Request-Id"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    refused = _preflight(edge, path, APP, method="DELETE")
    assert refused.status_code == 400
    assert {name: refused.json()[name] for name in ("success", "code", "status")} == {
        "success": False,
        "code": "INVALID_PARAMETER",
        "status": 400,
    }
    assert refused.headers["X-Request-Id"]


@pytest.mark.both_http_ways
def test_errors_are_shown_to_allowed_origins(edge: httpx.Client, allowed: str) -> None:
    for origin in (APP, OTHER, None):
        named = {} if origin is None else {"Origin": origin}
        answer = edge.post("/api/onboarding/resolve", json={"deviceId": "d"}, headers=named)
        assert answer.status_code == 401
        is_allowed = origin == APP or (origin == OTHER and allowed == "*")
        shown = ("*" if allowed == "*" else origin) if is_allowed else None
        assert answer.headers.get("Access-Control-Allow-Origin") == shown
        if shown is not None:
            assert answer.headers["Access-Control-Expose-Headers"] == EXPOSED
        assert answer.headers["Vary"].split(", ").count("Origin") == 1
    # Without a body and an origin the fast path responds.
    assert edge.get("/api/config").headers["Vary"] == "Origin"


def test_other_paths_have_no_cors(edge: httpx.Client) -> None:
    for path in ("/health/live", "/onboarding/assets/unknown.0a1b2c3d.js"):
        assert "Access-Control-Allow-Origin" not in edge.get(path, headers={"Origin": APP}).headers
    assert _preflight(edge, "/health/live", APP).status_code == 405


@pytest.mark.both_http_ways
def test_without_origins_nothing_is_allowed(redis_url: str) -> None:
    with running_edge(edge_settings(redis_url)) as edge:
        answer = edge.post("/api/onboarding/resolve", json={"deviceId": "d"}, headers={"Origin": APP})
        assert "Access-Control-Allow-Origin" not in answer.headers
        assert _preflight(edge, "/api/onboarding/resolve", APP).status_code == 405


@pytest.mark.parametrize("origins", ["*,https://a.example", "https://a.example/path", "a.example", "null"])
def test_setting_that_names_no_origins_is_refused(origins: str) -> None:
    with pytest.raises(ValidationError):
        edge_settings("redis://127.0.0.1", edge_cors_origins=origins)
