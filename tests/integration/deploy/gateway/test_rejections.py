"""Requests that the gateway rejects itself, in the form of the contract."""

import json
import socket

import httpx
import pytest

from common.errors import ErrorCode, PayloadTooLargeError, error_document
from tests.integration.deploy.gateway.scene import Scene, assert_refused


@pytest.mark.parametrize(
    ("path", "size"),
    [("/api/onboarding/resolve", 73 * 1024), ("/api/analytics/events", 1101 * 1024), ("/api/flows", 1101 * 1024)],
)
def test_body_above_all_limits_is_not_forwarded(scene: Scene, client: httpx.Client, path: str, size: int) -> None:
    response = client.post(path, content=b"x" * size, headers={"X-Request-Id": "mine"})
    assert_refused(response, ErrorCode.PAYLOAD_TOO_LARGE, 413)
    assert response.json().keys() == error_document(PayloadTooLargeError(1)).keys()
    assert (scene.edge.received, scene.management.received) == ([], [])


@pytest.mark.parametrize("path", ["/api/onboarding/resolve", "/api/flows"])
def test_body_above_the_limit_of_a_service_is_forwarded(scene: Scene, client: httpx.Client, path: str) -> None:
    client.post(path, content=b"x" * (65 * 1024))
    assert len(scene.edge.received + scene.management.received) == 1


def test_headers_above_all_limits_are_not_forwarded(scene: Scene, client: httpx.Client) -> None:
    response = client.get("/api/config", headers={"X-Request-Id": "mine", "X-Long": "x" * 9000})
    assert (response.status_code, response.json()["code"]) == (400, ErrorCode.INVALID_PARAMETER)
    assert scene.edge.received == []


def test_method_of_no_service_is_405(client: httpx.Client) -> None:
    response = client.request("TRACE", "/api/config", headers={"X-Request-Id": "mine"})
    assert_refused(response, ErrorCode.METHOD_NOT_ALLOWED, 405)
    assert response.headers["Allow"]


@pytest.mark.parametrize("path", ["/health/", "/health/other", "/.gateway/defect", "/.gateway/"])
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
