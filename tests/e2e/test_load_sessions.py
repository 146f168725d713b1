"""What the phones of `make load` do, played by a plain client: locust is not in the environment of the tests."""

import random
from collections.abc import Callable

import httpx
import pytest

from loadtests.mobile.phone import Phone
from loadtests.mobile.session import Answer, Request, Script, session
from tests.e2e.addresses import Addresses
from tests.support.servers.local_stack import RunningStack

Ask = Callable[[Request], Answer]


@pytest.fixture
def ask(http: httpx.Client, stack: RunningStack, addresses: Addresses) -> Ask:
    """Return a function that sends a request of a phone to the demo project, and checks the response."""
    credentials = {"X-Project-Id": stack.demo["project_id"], "X-Secret-Key": stack.demo["secret_key"]}

    def ask(request: Request) -> Answer:
        url, headers = f"{addresses.edge_url}{request.path}", {**credentials, **request.headers}
        response = http.request(request.method, url, headers=headers, json=request.body)
        assert response.status_code in request.right, response.text
        document = response.json() if response.content else {}
        return Answer(response.status_code, document, response.headers.get("ETag"))

    return ask


def played(script: Script, ask: Ask) -> list[tuple[Request, Answer]]:
    """Play a session without its pauses."""
    exchanges: list[tuple[Request, Answer]] = []
    request: Request | None = next(script)
    while request is not None:
        exchanges.append((request, ask(request)))
        try:
            request = script.send(exchanges[-1][1])
        except StopIteration:
            request = None
    return exchanges


@pytest.mark.parametrize("seed", range(8))
def test_requests_of_a_load_session_have_the_expected_statuses(ask: Ask, seed: int) -> None:
    chance = random.Random(seed)
    exchanges = played(session(Phone.new(chance), chance), ask)
    assert [request.path for request, _ in exchanges][:2] == ["/api/config", "/api/onboarding/resolve"]
    batches = [answer.document for _, answer in exchanges if "results" in answer.document]
    assert [batch["rejected"] for batch in batches] == [0] * len(batches)
    assert len(exchanges) > 2


def test_a_phone_that_comes_again_has_kept_its_configuration(ask: Ask) -> None:
    chance = random.Random(1)
    phone = Phone.new(chance)
    statuses = [played(session(phone, chance), ask)[0][1].status for _ in range(2)]
    assert statuses == [200, 304]
