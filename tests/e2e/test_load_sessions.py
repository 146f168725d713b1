"""The sessions of the phones of `make load`, played by httpx: locust is not in the environment of the tests."""

import random
from collections.abc import Callable

import httpx
import pytest

from loadtests.mobile.phone import Phone
from loadtests.mobile.session import AppResponse, Request, Script, session
from tests.e2e.addresses import Addresses
from tests.support.servers.local_stack import RunningStack

Send = Callable[[Request], AppResponse]


@pytest.fixture
def send(http: httpx.Client, stack: RunningStack, addresses: Addresses) -> Send:
    """Return a function that sends a request of a phone to the demo project, and checks the response."""
    credentials = {"X-Project-Id": stack.demo["project_id"], "X-Secret-Key": stack.demo["secret_key"]}

    def send(request: Request) -> AppResponse:
        url, headers = f"{addresses.edge_url}{request.path}", {**credentials, **request.headers}
        response = http.request(request.method, url, headers=headers, json=request.body)
        assert response.status_code in request.expected_statuses, response.text
        document = response.json() if response.content else {}
        return AppResponse(response.status_code, document, response.headers.get("ETag"))

    return send


def played(script: Script, send: Send) -> list[tuple[Request, AppResponse]]:
    """Play a session without its pauses."""
    exchanges: list[tuple[Request, AppResponse]] = []
    request: Request | None = next(script)
    while request is not None:
        exchanges.append((request, send(request)))
        try:
            request = script.send(exchanges[-1][1])
        except StopIteration:
            request = None
    return exchanges


@pytest.mark.parametrize("seed", range(8))
def test_requests_of_a_load_session_have_the_expected_statuses(send: Send, seed: int) -> None:
    rng = random.Random(seed)
    exchanges = played(session(Phone.new(rng), rng), send)
    assert [request.path for request, _ in exchanges][:2] == ["/api/config", "/api/onboarding/resolve"]
    batches = [response.document for _, response in exchanges if "results" in response.document]
    assert [batch["rejected"] for batch in batches] == [0] * len(batches)
    assert len(exchanges) > 2


def test_a_phone_that_comes_again_has_kept_its_configuration(send: Send) -> None:
    rng = random.Random(1)
    phone = Phone.new(rng)
    statuses = [played(session(phone, rng), send)[0][1].status for _ in range(2)]
    assert statuses == [200, 304]
