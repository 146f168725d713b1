"""The services behind the gateway: it loses no headers, and no forged address is trusted."""

import concurrent.futures
from collections.abc import Iterator

import httpx
import pytest

from common.errors import ErrorCode
from tests.support.polling import eventually
from tests.support.servers.gateway import RunningGateway
from tests.support.servers.local_stack import RunningStack

#: A path of each service, requested without a credential.
STRANGERS = {"edge": ("POST", "/api/onboarding/resolve"), "management": ("GET", "/api/projects")}
every_service = pytest.mark.parametrize("service", sorted(STRANGERS))


@pytest.fixture
def client(gateway: RunningGateway) -> Iterator[httpx.Client]:
    """Return a client of the gateway."""
    with httpx.Client(base_url=gateway.url, timeout=10) as opened:
        yield opened


def _remaining(gateway: RunningGateway, service: str, address: str, claimed: str = "") -> int:
    method, path = STRANGERS[service]
    headers = {"X-Forwarded-For": claimed} if claimed else {}
    transport = httpx.HTTPTransport(local_address=address)
    with httpx.Client(base_url=gateway.url, transport=transport, headers=headers, timeout=10) as client:
        answer = client.request(method, path)
    assert answer.status_code == 401
    return int(answer.headers["X-RateLimit-Remaining"])


@every_service
def test_client_is_counted_by_its_address_despite_forged_headers(gateway: RunningGateway, service: str) -> None:
    mine = {"edge": "127.0.7.1", "management": "127.0.7.2"}[service]
    others = {"edge": "127.0.7.3", "management": "127.0.7.4"}[service]

    def both_are_counted() -> None:
        first = _remaining(gateway, service, mine)
        second = _remaining(gateway, service, mine, claimed="203.0.113.99")
        third = _remaining(gateway, service, mine, claimed=others)
        assert (first - second, second - third) == (1, 1)
        assert _remaining(gateway, service, others) > third

    # Counting begins again with every hour, perhaps just now.
    eventually(both_are_counted)


@pytest.mark.parametrize("bytes_too_many", [1024, 256 * 1024], ids=["a few", "many"])
@pytest.mark.parametrize(
    ("path", "limit"),
    [("/api/onboarding/resolve", 64 * 1024), ("/api/analytics/events", 1024**2), ("/api/flows", 1024**2)],
)
def test_a_body_that_is_too_large_is_refused_in_the_contracts_form(
    client: httpx.Client, stack: RunningStack, path: str, limit: int, bytes_too_many: int
) -> None:
    headers = {"X-Project-Id": stack.demo["project_id"], "X-Secret-Key": stack.demo["secret_key"]}
    headers |= {"Authorization": f"Bearer {stack.demo['api_key']}", "Content-Type": "application/json"}
    answer = client.post(path, headers=headers, content=b" " * (limit + bytes_too_many))
    assert (answer.status_code, answer.json()["code"]) == (413, ErrorCode.PAYLOAD_TOO_LARGE)
    assert set(answer.json()) == {"success", "error", "code", "status"}
    assert answer.headers["X-Request-Id"]


def test_rejection_reaches_the_client_although_its_body_was_not_read(client: httpx.Client) -> None:
    """A connection that the service closes with unread bytes is reset, and the gateway loses the response."""

    def status(_: int) -> int:
        headers = {"Authorization": "Bearer unknown", "Content-Type": "application/json"}
        return client.post("/api/flows", headers=headers, content=b" " * (900 * 1024)).status_code

    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        assert set(threads.map(status, range(100))) == {401}


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/health/live", {"status": "live"}),
        ("/health/edge/live", {"status": "live"}),
        ("/health/management/live", {"success": True}),
        ("/health/ready", {"status": "ready"}),
        ("/health/edge/ready", {"status": "ready"}),
        ("/health/management/ready", {"status": "ready"}),
    ],
)
def test_gateway_routes_health_of_both_services(client: httpx.Client, path: str, answer: dict[str, object]) -> None:
    told = client.get(path)
    assert (told.status_code, told.json()) == (200, answer)


def test_metrics_are_not_to_be_had(client: httpx.Client) -> None:
    assert client.get("/metrics").status_code == 404


@pytest.mark.parametrize("prefix", ["/api", "/api/v1"])
def test_documentation_page_loads_all_its_files(client: httpx.Client, prefix: str) -> None:
    page = client.get(f"{prefix}/docs")
    assert (page.status_code, page.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    for asset in ("start.js", "swagger-ui-bundle.js", "swagger-ui.css"):
        assert asset in page.text
        assert client.get(f"{prefix}/docs/{asset}").status_code == 200
    assert client.get(f"{prefix}/openapi.json").json()["openapi"].startswith("3.1")


def test_dashboard_keeps_its_settings_and_its_policy_behind_the_gateway(
    client: httpx.Client, stack: RunningStack
) -> None:
    assert client.get("/dashboard/config.json").json()["release"]
    # Without the built files, both have the same 404.
    behind = client.get("/dashboard/")
    direct = httpx.get(f"{stack.management_url}/dashboard/", trust_env=False)
    assert (behind.status_code, behind.headers["Content-Security-Policy"]) == (
        direct.status_code,
        direct.headers["Content-Security-Policy"],
    )


def test_request_keeps_its_id_through_gateway_and_service(client: httpx.Client, gateway: RunningGateway) -> None:
    answer = client.get("/api/config", headers={"X-Request-Id": "all-the-way"})
    assert answer.headers.get_list("X-Request-Id") == ["all-the-way"]
    # nginx writes the line after the response.
    eventually(lambda: "all-the-way" in gateway.log)
