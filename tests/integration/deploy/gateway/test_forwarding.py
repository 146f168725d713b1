"""The parts of requests and responses that the gateway forwards and logs."""

import json

import httpx
import pytest

from tests.integration.deploy.gateway.scene import Scene
from tests.support.polling import eventually
from tests.support.servers.recording_service import Reply


def test_client_address_is_that_of_the_connection(scene: Scene) -> None:
    forged = {"X-Forwarded-For": "203.0.113.7", "Forwarded": "for=203.0.113.7", "X-Real-IP": "203.0.113.7"}
    transport = httpx.HTTPTransport(local_address="127.0.0.9")
    with httpx.Client(base_url=scene.gateway.url, transport=transport, headers=forged) as client:
        client.get("/api/config")
        client.get("/api/projects")
    for received in (*scene.edge.received, *scene.management.received):
        assert received.headers["x-forwarded-for"] == "127.0.0.9"
        assert not {"forwarded", "x-real-ip"} & received.headers.keys()


def test_credentials_traces_and_bodies_are_forwarded(scene: Scene, client: httpx.Client) -> None:
    headers = {
        "X-Project-Id": "proj_1",
        "X-Secret-Key": "obk_sk_1",
        "If-None-Match": '"1"',
        "Idempotency-Key": "once",
        "Authorization": "Bearer x",
        "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    }
    client.post("/api/analytics/event", headers=headers, content=b'{"a": 1}')
    (received,) = scene.edge.received
    assert received.body == b'{"a": 1}'
    assert {name.lower(): value for name, value in headers.items()}.items() <= received.headers.items()


@pytest.mark.parametrize(
    ("sent", "is_kept"),
    [
        ("abc-1", True),
        ("abc.1", True),
        ("with space", False),
        ("x" * 129, False),
        ("", False),
        ("obk_sk_x", False),
        ("eyJ9.e30.c2ln", False),
    ],
)
def test_safe_request_id_is_kept_and_other_replaced(
    scene: Scene, client: httpx.Client, sent: str, *, is_kept: bool
) -> None:
    client.get("/api/config", headers={"X-Request-Id": sent})
    received = scene.edge.received[0].headers["x-request-id"]
    assert (received == sent) is is_kept
    assert len(received) == (len(sent) if is_kept else 32)


def test_responses_are_not_changed(scene: Scene, client: httpx.Client) -> None:
    scene.edge.reply = Reply(404, {"ETag": '"strong"', "X-RateLimit-Remaining": "7"}, b'{"success":false}')
    response = client.get("/api/config", headers={"Accept-Encoding": "gzip"})
    assert (response.status_code, response.content) == (404, b'{"success":false}')
    assert (response.headers["ETag"], response.headers["X-RateLimit-Remaining"]) == ('"strong"', "7")


def test_no_path_query_or_header_is_logged(scene: Scene, client: httpx.Client) -> None:
    headers = {"X-Request-Id": "for-the-log", "X-Secret-Key": "obk_sk_hidden", "Authorization": "Bearer obk_api_hidden"}
    scene.management.reply = None
    client.get("/api/obk_sk_hidden?key=obk_sk_hidden", headers=headers)
    line = eventually(lambda: next((one for one in scene.gateway.log.splitlines() if "for-the-log" in one), None))
    logged = json.loads(line)
    assert (logged["service"], logged["status"], logged["client"]) == ("management", 503, "127.0.0.1")
    assert "hidden" not in scene.gateway.log
