"""The services behind the gateway: it loses no headers, and no forged address is trusted."""

import concurrent.futures
from collections.abc import Iterator

import httpx
import pytest

from tests.support.polling import eventually
from tests.support.servers.gateway import RunningGateway

#: A path of each service, requested without a credential.
STRANGERS = {"edge": ("POST", "/api/onboarding/resolve"), "management": ("GET", "/api/projects")}
every_service = pytest.mark.parametrize("service", sorted(STRANGERS))


@pytest.fixture
def client(gateway: RunningGateway) -> Iterator[httpx.Client]:
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


def test_rejection_reaches_the_client_although_its_body_was_not_read(client: httpx.Client) -> None:
    """A connection that the service closes with unread bytes is reset, and the gateway loses the response."""

    def status(_: int) -> int:
        headers = {"Authorization": "Bearer unknown", "Content-Type": "application/json"}
        return client.post("/api/flows", headers=headers, content=b" " * (900 * 1024)).status_code

    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        assert set(threads.map(status, range(100))) == {401}
