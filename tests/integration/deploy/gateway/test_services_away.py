"""Services behind the gateway that are away, or of which one stands in for the other."""

import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from common.errors import ErrorCode, UnavailableError, error_document
from common.wire.page_shell import ERROR_SCRIPT
from tests.integration.deploy.gateway.scene import Scene, assert_refused
from tests.support.polling import eventually
from tests.support.servers.gateway import RunningGateway
from tests.support.servers.recording_service import NameServer, RecordingService


@contextmanager
def refusing_address() -> Iterator[str]:
    """Return an address that refuses connections and that no other program can take meanwhile."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{bound.getsockname()[1]}"


def test_unreachable_service_is_503(tmp_path: Path) -> None:
    with (
        refusing_address() as nowhere,
        RunningGateway(tmp_path, nowhere, nowhere) as gateway,
        httpx.Client(base_url=gateway.url) as client,
    ):
        for method, path in (("POST", "/api/onboarding/resolve"), ("GET", "/api/config"), ("GET", "/api/projects")):
            response = client.request(method, path, headers={"X-Request-Id": "mine"})
            assert_refused(response, ErrorCode.UNAVAILABLE, 503)
            assert response.headers.get_list("Retry-After") == ["1"]
            assert response.json() == error_document(UnavailableError("The service does not answer"))
        assert client.get("/health/live").status_code == 200
        assert client.get("/health/ready").status_code == 503
        assert "obk_" not in gateway.log


@pytest.fixture
def two_edges(tmp_path: Path) -> Iterator[tuple[RunningGateway, RecordingService, RecordingService]]:
    with ExitStack() as stack:
        one = stack.enter_context(RecordingService())
        other = stack.enter_context(RecordingService("127.0.0.2", one.port))
        names = stack.enter_context(NameServer("127.0.0.1", "127.0.0.2"))
        edge = f"edge.internal:{one.port}"
        gateway = stack.enter_context(RunningGateway(tmp_path, edge, one.address, names.address))
        eventually(lambda: httpx.get(f"{gateway.url}/api/config").status_code == 200)
        one.received.clear()
        other.received.clear()
        yield gateway, one, other


def test_edges_of_one_name_share_requests_and_replace_each_other(
    two_edges: tuple[RunningGateway, RecordingService, RecordingService],
) -> None:
    gateway, one, other = two_edges
    with httpx.Client(base_url=gateway.url) as client:
        for _ in range(10):
            client.post("/api/analytics/event")
        assert min(len(one.received), len(other.received)) > 0
        one.reply = None
        assert {client.get("/api/config").status_code for _ in range(4)} == {200}


def test_no_post_but_a_resolve_is_sent_twice(
    two_edges: tuple[RunningGateway, RecordingService, RecordingService],
) -> None:
    gateway, one, other = two_edges
    one.reply = other.reply = None
    with httpx.Client(base_url=gateway.url) as client:
        assert client.post("/api/analytics/event", content=b"{}").status_code == 503
        assert len(one.received) + len(other.received) == 1
        assert client.get("/api/config").status_code == 503
        assert len(one.received) + len(other.received) == 3
        other.received.clear()
        one.received.clear()
        # A resolve changes nothing.
        assert client.post("/api/onboarding/resolve", content=b"{}").status_code == 503
        assert (len(one.received), len(other.received)) == (1, 1)


@pytest.mark.parametrize(
    "path", ["/s/ticket/onboarding/flow_1/1", "/onboarding/preview", "/onboarding/assets/a.0a1b2c3d.js"]
)
def test_page_of_an_unreachable_edge_is_html_with_a_way_out(tmp_path: Path, path: str) -> None:
    with (
        refusing_address() as nowhere,
        RunningGateway(tmp_path, nowhere, nowhere) as gateway,
        httpx.Client(base_url=gateway.url) as client,
    ):
        page = client.get(path, headers={"X-Request-Id": "mine"})
        assert (page.status_code, page.headers["Retry-After"]) == (503, "1")
        assert page.headers["Content-Type"] == "text/html; charset=utf-8"
        assert page.headers["X-Request-Id"] == "mine"
        assert 'data-error="503"' in page.text
        assert '<button type="button" data-action="close">Close</button>' in page.text
        (script,) = re.findall(r'src="([^"]+)"', page.text)
        loaded = client.get(script)
        assert (loaded.text, loaded.headers["Content-Type"]) == (ERROR_SCRIPT, "text/javascript; charset=utf-8")
        # Below the same ticket, calls of the page keep the form of the contract.
        call = client.post("/s/ticket/api/analytics/events", headers={"X-Request-Id": "mine"})
        assert_refused(call, ErrorCode.UNAVAILABLE, 503)


def test_page_with_a_body_that_is_too_large_is_html(scene: Scene, client: httpx.Client) -> None:
    page = client.post("/s/ticket/onboarding/flow_1/1", content=b"x" * 1101 * 1024)
    assert (page.status_code, page.headers["Content-Type"]) == (413, "text/html; charset=utf-8")
    assert 'data-error="413"' in page.text
    assert scene.edge.received == []
