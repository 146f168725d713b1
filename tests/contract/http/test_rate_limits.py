"""Rate limits of the management service (contract, section 1): headers of every response, responses past the limits."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from falcon.testing import Result

from common.credentials import KeyPrefix, generate_key
from deploy.local.loopback_ports import LOOPBACK
from tests.contract.error_shape import assert_is_an_error_of_the_contract
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.support.clients.management import Management, management_service
from tests.support.polling import eventually
from tests.support.rate_limits import HourClock

LIMITS = {
    "rate_limit_per_secret_key": 50,
    "rate_limit_per_api_key": 8,
    "rate_limit_per_jwt": 6,
    "rate_limit_unauthenticated": 4,
    "rate_limit_redis_timeout_ms": 10_000,
}
CLOCK = HourClock()
PROXY = "10.0.0.1"


@pytest.fixture
def management(database_url: str, redis_url: str, master_key: str, tmp_path: Path) -> Iterator[Management]:
    """Return the service with small limits, behind proxies in 10.0.0.0/8."""
    with management_service(
        database_url,
        master_key,
        tmp_path,
        clock=CLOCK,
        redis_url=redis_url,
        trusted_proxies="10.0.0.0/8",
        **LIMITS,
    ) as service:
        yield service


def standing(response: Result) -> tuple[str, str]:
    """Return the limit and what remains of it; the window's end must be there too."""
    assert response.headers["x-ratelimit-reset"] == str(CLOCK.window_end)
    return response.headers["x-ratelimit-limit"], response.headers["x-ratelimit-remaining"]


def assert_is_refused(response: Result) -> None:
    """Check a 429."""
    assert_is_an_error_of_the_contract(response)
    assert response.status_code == 429
    assert response.json == {"success": False, "error": "Rate limit exceeded", "code": "RATE_LIMITED", "status": 429}
    assert response.headers["retry-after"] == str(CLOCK.window_end - int(CLOCK()))
    assert "www-authenticate" not in response.headers
    assert "allow" not in response.headers
    assert response.headers["x-request-id"]
    assert response.headers["x-content-type-options"] == "nosniff"


def test_a_users_answers_count_down_and_then_stop(management: Management) -> None:
    alice = management.user("alice")
    responses = [
        alice.get("/api/user/api-key"),
        alice.post("/api/projects", {"name": "x"}),
        alice.post("/api/projects", {"name": "Sample app"}),
        alice.get("/api/v1/projects/proj_unknown"),
        alice.get("/api/projects", params={"limit": "0"}),
        alice.request("HEAD", "/api/projects"),
    ]
    assert [response.status_code for response in responses] == [200, 400, 201, 404, 400, 200]
    assert [standing(response) for response in responses] == [("6", str(left)) for left in (5, 4, 3, 2, 1, 0)]
    refused = alice.post("/api/projects", {"name": "Another app"})
    assert_is_refused(refused)
    assert standing(refused) == ("6", "0")


def test_costly_request_takes_several_admissions_or_the_rest(management: Management) -> None:
    alice = management.user("alice")
    with_key = management.anonymous(Authorization=f"Bearer {alice.api_key()}")
    path = f"/api/projects/{alice.create_project('Sample app')['id']}/explain"
    body = {"deviceId": "phone"}
    # The limit of a token is 6, of which 4 are left.
    responses = [alice.post(path, body), alice.post(path, body)]
    assert [(response.status_code, standing(response)) for response in responses] == [
        (200, ("6", "0")),
        (429, ("6", "0")),
    ]
    assert standing(with_key.get("/api/projects")) == ("8", "7")


def test_past_the_limit_nothing_is_done(management: Management) -> None:
    alice = management.user("alice")
    key = alice.api_key()
    for _ in range(5):
        alice.get("/api/projects")
    assert_is_refused(alice.post("/api/projects", {"name": "Refused"}))
    with_key = management.anonymous(Authorization=f"Bearer {key}")
    assert with_key.get("/api/projects").json["pagination"]["total"] == 0


def test_a_token_and_a_key_of_one_user_have_limits_of_their_own(management: Management) -> None:
    alice = management.user("alice")
    with_key = management.anonymous(Authorization=f"Bearer {alice.api_key()}")
    assert standing(with_key.get("/api/projects")) == ("8", "7")
    assert standing(alice.get("/api/projects")) == ("6", "4")


def test_users_are_counted_apart_from_one_address(management: Management) -> None:
    for _ in range(6):
        management.user("alice").get("/api/projects")
    assert_is_refused(management.user("alice").get("/api/projects"))
    assert standing(management.user("bob").get("/api/projects")) == ("6", "5")


def test_anonymous_clients_and_wrong_credentials_share_the_count_of_their_address(management: Management) -> None:
    anonymous = management.anonymous()
    wrong = management.anonymous(Authorization=f"Bearer {generate_key(KeyPrefix.API)}")
    responses = [
        anonymous.get("/api/projects"),
        wrong.get("/api/projects"),
        anonymous.get("/api/nothing"),
        anonymous.request("PATCH", "/api/projects"),
    ]
    assert [response.status_code for response in responses] == [401, 401, 404, 405]
    assert [standing(response) for response in responses] == [("4", str(left)) for left in (3, 2, 1, 0)]
    for client, method, path in (
        (anonymous, "GET", "/api/projects"),
        (wrong, "GET", "/api/projects"),
        (anonymous, "GET", "/nothing"),
        (anonymous, "PATCH", "/api/projects"),
        (anonymous, "OPTIONS", "/api/projects"),
    ):
        assert_is_refused(client.request(method, path))
    assert management.user("alice").get("/api/projects").status_code == 200


def test_valid_credential_is_counted_by_its_user_also_at_unknown_paths(management: Management) -> None:
    alice = management.user("alice")
    asked = [("GET", "/api/nothing"), ("PATCH", "/api/projects"), ("OPTIONS", "/api/projects")]
    responses = [alice.request(method, path) for method, path in asked * 2]
    assert [response.status_code for response in responses] == [404, 405, 204] * 2
    assert [standing(response) for response in responses] == [("6", str(left)) for left in (5, 4, 3, 2, 1, 0)]
    assert_is_refused(alice.request("PATCH", "/api/projects"))
    assert standing(management.anonymous().get("/api/nothing")) == ("4", "3")


@pytest.mark.parametrize("path", ["/health/live", "/health/ready"])
def test_health_is_neither_counted_nor_refused(management: Management, path: str) -> None:
    anonymous = management.anonymous()
    responses = [anonymous.get(path) for _ in range(6)]
    assert 429 not in {response.status_code for response in responses}
    assert not [name for name in responses[-1].headers if name.startswith("x-ratelimit")]
    assert standing(anonymous.get("/api/projects")) == ("4", "3")


def test_forged_address_is_not_trusted(management: Management) -> None:
    for number in range(4):
        forger = management.anonymous(**{"X-Forwarded-For": f"198.51.100.{number}"})
        forger.get("/api/projects", remote_addr="203.0.113.9")
    forger = management.anonymous(**{"X-Forwarded-For": "198.51.100.77"})
    assert_is_refused(forger.get("/api/projects", remote_addr="203.0.113.9"))


def test_a_proxy_header_counts_its_clients_apart(management: Management) -> None:
    first = management.anonymous(**{"X-Forwarded-For": "1.1.1.1, 203.0.113.1"})
    second = management.anonymous(**{"X-Forwarded-For": "203.0.113.2"})
    for _ in range(4):
        first.get("/api/projects", remote_addr=PROXY)
    assert_is_refused(first.get("/api/projects", remote_addr=PROXY))
    assert standing(second.get("/api/projects", remote_addr=PROXY)) == ("4", "3")


def test_both_services_share_the_count_of_an_anonymous_client(management: Management, redis_url: str) -> None:
    anonymous = management.anonymous()
    with (
        running_edge(edge_settings(redis_url, **LIMITS), CLOCK) as edge,
        redis.Redis.from_url(redis_url) as redis_client,
    ):
        assert edge.get("/api/config").headers["X-RateLimit-Remaining"] == "3"
        # The edge reports a moment after its response.
        eventually(lambda: redis_client.keys("onboarding:rate:*"))
        left = [standing(anonymous.get("/api/projects", remote_addr=LOOPBACK))[1] for _ in range(3)]
        assert left == ["2", "1", "0"]
        assert_is_refused(anonymous.get("/api/projects", remote_addr=LOOPBACK))
        # One on credit, until the edge has the count of management.
        assert edge.get("/api/config").status_code == 401
        eventually(lambda: edge.get("/api/config").status_code == 429)
