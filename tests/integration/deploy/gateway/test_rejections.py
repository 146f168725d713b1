"""Requests that the gateway rejects itself, in the form of the contract."""

import json
import select
import socket
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from common.errors import ErrorCode, PayloadTooLargeError, error_document
from tests.integration.deploy.gateway.scene import Scene, assert_refused
from tests.support.polling import eventually
from tests.support.servers.gateway import RunningGateway
from tests.support.servers.recording_service import RecordingService


def client_from(address: str, scene: Scene) -> httpx.Client:
    """Return a client of the gateway that has one of the addresses of this machine."""
    return httpx.Client(base_url=scene.gateway.url, transport=httpx.HTTPTransport(local_address=address))


@pytest.mark.parametrize(
    ("path", "size"),
    [
        ("/api/onboarding/resolve", 73 * 1024),
        ("/api/config", 73 * 1024),
        ("/s/ticket/api/onboarding/resolve", 73 * 1024),
        ("/api/analytics/events", 1101 * 1024),
        ("/s/ticket/api/analytics/events", 1101 * 1024),
        ("/api/flows", 1101 * 1024),
    ],
)
def test_body_above_all_limits_is_not_forwarded(scene: Scene, client: httpx.Client, path: str, size: int) -> None:
    response = client.post(path, content=b"x" * size, headers={"X-Request-Id": "mine"})
    assert_refused(response, ErrorCode.PAYLOAD_TOO_LARGE, 413)
    assert response.json().keys() == error_document(PayloadTooLargeError(1)).keys()
    assert (scene.edge.received, scene.management.received) == ([], [])


@pytest.mark.parametrize(
    ("path", "size"),
    [
        ("/api/onboarding/resolve", 65 * 1024),
        ("/api/v1/analytics/events", 1025 * 1024),
        ("/s/ticket/api/analytics/events", 1025 * 1024),
        ("/api/flows", 1025 * 1024),
    ],
)
def test_body_above_the_limit_of_a_service_is_forwarded(
    scene: Scene, client: httpx.Client, path: str, size: int
) -> None:
    client.post(path, content=b"x" * size)
    assert len(scene.edge.received + scene.management.received) == 1


def test_requests_of_one_address_are_limited_and_others_served(scene: Scene) -> None:
    unfinished = b"POST /api/analytics/events HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx"
    with ExitStack() as stack:
        for _ in range(60):
            address = ("127.0.0.1", scene.gateway.port)
            slow = stack.enter_context(socket.create_connection(address, source_address=("127.0.0.2", 0)))
            slow.sendall(unfinished)
        crowd = stack.enter_context(client_from("127.0.0.2", scene))
        eventually(lambda: crowd.get("/api/config").status_code == 503)
        response = crowd.get("/api/config", headers={"X-Request-Id": "mine"})
        assert_refused(response, ErrorCode.UNAVAILABLE, 503)
        assert response.headers["Retry-After"] == "1"
        assert stack.enter_context(client_from("127.0.0.3", scene)).get("/api/config").status_code == 200


def test_management_requests_of_one_credential_are_limited_and_others_served(
    scene: Scene, client: httpx.Client
) -> None:
    unfinished = b"POST /api/flows HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nContent-Length: 1000\r\n\r\nx"
    own = {"Authorization": "Bearer a", "X-Request-Id": "mine"}
    with ExitStack() as stack:

        def begin() -> socket.socket:
            slow = stack.enter_context(socket.create_connection(("127.0.0.1", scene.gateway.port)))
            slow.sendall(unfinished)
            return slow

        crowd = [begin() for _ in range(16)]

        def refused() -> httpx.Response | None:
            response = client.get("/api/flows", headers=own)
            if response.status_code == 503:
                return response
            # This request may have taken the place of an unfinished one, which has then been answered: with a refusal.
            answered, _, _ = select.select(crowd, [], [], 0)
            crowd[:] = [begin() if slow in answered else slow for slow in crowd]
            return None

        assert_refused(eventually(refused, within=60), ErrorCode.UNAVAILABLE, 503)
        assert client.get("/api/flows", headers={"Authorization": "Bearer b"}).status_code == 200


def test_body_without_room_in_the_gateway_is_503(tmp_path: Path) -> None:
    with RecordingService() as edge, RunningGateway(tmp_path, edge.address, edge.address) as gateway:
        bodies = tmp_path / "run" / "bodies"
        bodies.rename(tmp_path / "moved")
        bodies.write_text("a file in the place of the folder")
        with httpx.Client(base_url=gateway.url, headers={"X-Request-Id": "mine"}) as client:
            response = client.post("/api/analytics/events", content=b"x" * 300_000)
            assert_refused(response, ErrorCode.UNAVAILABLE, 503)
            assert response.headers["Retry-After"] == "1"


def test_headers_above_all_limits_are_not_forwarded(scene: Scene, client: httpx.Client) -> None:
    response = client.get("/api/config", headers={"X-Request-Id": "mine", "X-Long": "x" * 9000})
    assert (response.status_code, response.json()["code"]) == (400, ErrorCode.INVALID_PARAMETER)
    assert scene.edge.received == []


def test_method_of_no_service_is_405(client: httpx.Client) -> None:
    response = client.request("TRACE", "/api/config", headers={"X-Request-Id": "mine"})
    assert_refused(response, ErrorCode.METHOD_NOT_ALLOWED, 405)
    assert response.headers["Allow"]


@pytest.mark.parametrize("path", ["/health/", "/health/other", "/.gateway/unavailable", "/.gateway/"])
def test_internal_location_is_no_path(client: httpx.Client, path: str) -> None:
    assert_refused(client.get(path, headers={"X-Request-Id": "mine"}), ErrorCode.NOT_FOUND, 404)


@pytest.mark.parametrize(
    "sent",
    [
        b"nonsense",
        b"GET /api/config HTTP/1.1",
        b"GET / HTTP/9.9\r\nHost: x",
        b"POST /api/config HTTP/1.1\r\nHost: x\r\nContent-Length: -1",
        b"POST /api/config HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: strange",
        b"GET /../x HTTP/1.1\r\nHost: x",
        b"GET /%00 HTTP/1.1\r\nHost: x",
    ],
)
def test_invalid_http_is_400(scene: Scene, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", scene.gateway.port), timeout=5) as connection:
        connection.sendall(sent + b"\r\n\r\n")
        response = b"".join(iter(lambda: connection.recv(65536), b""))
    head, _, body = response.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"Content-Type: application/json" in head
    assert json.loads(body)["code"] == ErrorCode.INVALID_PARAMETER
    assert (scene.edge.received, scene.management.received) == ([], [])
