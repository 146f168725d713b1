"""The gateway between clients and services that a test plays: what it hands on, what it refuses, what it never does."""

import ipaddress
import json
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from common.error_body import error_document
from common.errors import ErrorCode, PayloadTooLargeError, UnavailableError
from deploy.local.loopback_ports import free_port
from tests.gateway import SDK_PATHS, SHARED_PATHS, RunningGateway
from tests.polling import eventually
from tests.recording_service import NameServer, RecordingService, Reply


@dataclass(frozen=True)
class Scene:
    """A gateway and the two that it calls."""

    gateway: RunningGateway
    edge: RecordingService
    management: RecordingService

    def forget(self) -> None:
        """Begin anew."""
        for service in (self.edge, self.management):
            service.received.clear()
            service.reply = Reply()


@pytest.fixture(scope="module")
def shared_scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """Give a gateway that the tests of this module share."""
    with ExitStack() as stack:
        edge, management = (stack.enter_context(RecordingService()) for _ in range(2))
        folder = tmp_path_factory.mktemp("gateway")
        gateway = stack.enter_context(RunningGateway(folder, edge.address, management.address))
        yield Scene(gateway, edge, management)


@pytest.fixture
def scene(shared_scene: Scene) -> Scene:
    """Give the gateway with nothing received yet."""
    shared_scene.forget()
    return shared_scene


@pytest.fixture(scope="module")
def client(shared_scene: Scene) -> Iterator[httpx.Client]:
    """Give a client of the gateway."""
    with httpx.Client(base_url=shared_scene.gateway.url) as opened:
        yield opened


# --- who is called ---


@pytest.mark.parametrize("path", sorted({*SDK_PATHS} - {*SHARED_PATHS}))
def test_what_sdks_call_goes_to_the_edge(scene: Scene, client: httpx.Client, path: str) -> None:
    methods = ["GET", "POST", "OPTIONS", "DELETE"]
    for method in methods:
        client.request(method, path)
    assert [(one.method, one.target) for one in scene.edge.received] == [(method, path) for method in methods]
    assert scene.management.received == []


@pytest.mark.parametrize("path", SHARED_PATHS)
def test_one_path_is_the_edges_for_post_and_managements_for_all_else(
    scene: Scene, client: httpx.Client, path: str
) -> None:
    for method in ("POST", "GET", "PUT"):
        client.request(method, f"{path}?x=1")
    assert [(one.method, one.target) for one in scene.edge.received] == [("POST", f"{path}?x=1")]
    assert [one.method for one in scene.management.received] == ["GET", "PUT"]


def test_who_asks_what_that_path_allows_is_told_of_both(scene: Scene, client: httpx.Client) -> None:
    scene.management.reply = Reply(405, {"Allow": "GET, HEAD, OPTIONS"})
    refused = client.put("/api/analytics/events")
    assert (refused.status_code, refused.headers.get_list("Allow")) == (405, ["GET, HEAD, OPTIONS, POST"])
    assert "Allow" not in client.post("/api/analytics/events").headers


@pytest.mark.parametrize("path", ["/", "/api/projects", "/api/docs", "/api/v1/openapi.json", "/api/configs", "/metrics",
                                  "/api/v2/config", "/api/config/", "/api//config"])  # fmt: skip
def test_all_the_rest_goes_to_management(scene: Scene, client: httpx.Client, path: str) -> None:
    client.get(path)
    assert [one.target for one in scene.management.received] == [path]
    assert scene.edge.received == []


def test_a_path_and_its_query_arrive_as_they_were_sent(scene: Scene, client: httpx.Client) -> None:
    target = "/api/projects/proj_1/devices/a%2Fb%2F%2F%F0%9F%8E%89%20100%25?x=%2F&y"
    client.delete(target)
    assert scene.management.received[0].target == target


# --- what is handed on ---


def test_a_client_is_what_the_gateway_sees_and_not_what_it_says_it_is(scene: Scene) -> None:
    forged = {"X-Forwarded-For": "203.0.113.7", "Forwarded": "for=203.0.113.7", "X-Real-IP": "203.0.113.7"}
    transport = httpx.HTTPTransport(local_address="127.0.0.9")
    with httpx.Client(base_url=scene.gateway.url, transport=transport, headers=forged) as client:
        client.get("/api/config")
        client.get("/api/projects")
    for received in (*scene.edge.received, *scene.management.received):
        assert received.headers["x-forwarded-for"] == "127.0.0.9"
        assert not {"forwarded", "x-real-ip"} & received.headers.keys()


def test_credentials_traces_and_bodies_are_handed_on(scene: Scene, client: httpx.Client) -> None:
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


@pytest.mark.parametrize(("sent", "is_kept"), [("abc-1", True), ("with space", False), ("x" * 129, False), ("", False)])
def test_a_sane_request_id_is_kept_and_another_is_made(
    scene: Scene, client: httpx.Client, sent: str, *, is_kept: bool
) -> None:
    client.get("/api/config", headers={"X-Request-Id": sent})
    received = scene.edge.received[0].headers["x-request-id"]
    assert (received == sent) is is_kept
    assert len(received) == (len(sent) if is_kept else 32)


def test_answers_arrive_as_they_were_given(scene: Scene, client: httpx.Client) -> None:
    scene.edge.reply = Reply(404, {"ETag": '"strong"', "X-RateLimit-Remaining": "7"}, b'{"success":false}')
    answer = client.get("/api/config", headers={"Accept-Encoding": "gzip"})
    assert (answer.status_code, answer.content) == (404, b'{"success":false}')
    assert (answer.headers["ETag"], answer.headers["X-RateLimit-Remaining"]) == ('"strong"', "7")


# --- health ---


def test_each_part_is_asked_for_its_own_health(scene: Scene, client: httpx.Client) -> None:
    assert client.get("/health/live").json() == {"status": "live"}
    assert (scene.edge.received, scene.management.received) == ([], [])
    for path in ("/health/ready", "/health/edge/live", "/health/edge/ready", "/health/management/live",
                 "/health/management/ready"):  # fmt: skip
        client.get(path)
    assert [one.target for one in scene.edge.received] == ["/health/ready", "/health/live", "/health/ready"]
    assert [one.target for one in scene.management.received] == ["/health/live", "/health/ready"]


# --- what is refused, in the contract's form ---


def _is_refused(answer: httpx.Response, code: ErrorCode, status: int) -> None:
    document = answer.json()
    assert (answer.status_code, document["status"], document["code"], document["success"]) == (
        status,
        status,
        code,
        False,
    )
    assert set(document) == {"success", "error", "code", "status"}
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers.get_list("X-Request-Id") == ["mine"]


@pytest.mark.parametrize(
    ("path", "size"),
    [("/api/onboarding/resolve", 73 * 1024), ("/api/analytics/events", 1101 * 1024), ("/api/flows", 1101 * 1024)],
)
def test_a_body_past_all_bounds_never_arrives(scene: Scene, client: httpx.Client, path: str, size: int) -> None:
    answer = client.post(path, content=b"x" * size, headers={"X-Request-Id": "mine"})
    _is_refused(answer, ErrorCode.PAYLOAD_TOO_LARGE, 413)
    assert answer.json().keys() == error_document(PayloadTooLargeError(1)).keys()
    assert (scene.edge.received, scene.management.received) == ([], [])


@pytest.mark.parametrize("path", ["/api/onboarding/resolve", "/api/flows"])
def test_a_body_that_a_service_would_refuse_itself_does(scene: Scene, client: httpx.Client, path: str) -> None:
    client.post(path, content=b"x" * (65 * 1024))
    assert len(scene.edge.received + scene.management.received) == 1


def test_headers_past_all_bounds_never_arrive(scene: Scene, client: httpx.Client) -> None:
    answer = client.get("/api/config", headers={"X-Request-Id": "mine", "X-Long": "x" * 9000})
    assert (answer.status_code, answer.json()["code"]) == (400, ErrorCode.INVALID_PARAMETER)
    assert scene.edge.received == []


def test_a_method_that_nobody_takes_is_refused(client: httpx.Client) -> None:
    answer = client.request("TRACE", "/api/config", headers={"X-Request-Id": "mine"})
    _is_refused(answer, ErrorCode.METHOD_NOT_ALLOWED, 405)
    assert answer.headers["Allow"]


@pytest.mark.parametrize("path", ["/health/", "/health/other", "/.gateway/defect", "/.gateway/"])
def test_what_is_the_gateways_own_is_no_path(client: httpx.Client, path: str) -> None:
    _is_refused(client.get(path, headers={"X-Request-Id": "mine"}), ErrorCode.NOT_FOUND, 404)


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
def test_what_is_no_http_is_told_so(scene: Scene, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", scene.gateway.port), timeout=5) as connection:
        connection.sendall(sent + b"\r\n\r\n")
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"Content-Type: application/json" in head
    assert json.loads(body)["code"] == ErrorCode.INVALID_PARAMETER
    assert (scene.edge.received, scene.management.received) == ([], [])


# --- services that are away ---


def test_a_service_that_is_away_is_said_to_be(tmp_path: Path) -> None:
    nowhere = f"127.0.0.1:{free_port()}"
    with RunningGateway(tmp_path, nowhere, nowhere) as gateway, httpx.Client(base_url=gateway.url) as client:
        for method, path in (("POST", "/api/onboarding/resolve"), ("GET", "/api/config"), ("GET", "/api/projects")):
            answer = client.request(method, path, headers={"X-Request-Id": "mine"})
            _is_refused(answer, ErrorCode.UNAVAILABLE, 503)
            assert answer.headers.get_list("Retry-After") == ["1"]
            assert answer.json() == error_document(UnavailableError("The service does not answer"))
        assert client.get("/health/live").status_code == 200
        assert client.get("/health/ready").status_code == 503
        assert "obk_" not in gateway.log


@pytest.fixture
def two_edges(tmp_path: Path) -> Iterator[tuple[RunningGateway, RecordingService, RecordingService]]:
    """Give a gateway to two edges behind one name."""
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


def test_edges_behind_one_name_share_the_work_and_each_stands_in_for_the_other(
    two_edges: tuple[RunningGateway, RecordingService, RecordingService],
) -> None:
    gateway, one, other = two_edges
    with httpx.Client(base_url=gateway.url) as client:
        for _ in range(10):
            client.post("/api/analytics/event")
        assert min(len(one.received), len(other.received)) > 0
        one.reply = None
        assert {client.get("/api/config").status_code for _ in range(4)} == {200}


def test_a_post_is_never_sent_twice(two_edges: tuple[RunningGateway, RecordingService, RecordingService]) -> None:
    gateway, one, other = two_edges
    one.reply = other.reply = None
    with httpx.Client(base_url=gateway.url) as client:
        assert client.post("/api/analytics/event", content=b"{}").status_code == 503
        assert len(one.received) + len(other.received) == 1
        assert client.get("/api/config").status_code == 503
        assert len(one.received) + len(other.received) == 3


# --- logs ---


def test_no_path_query_or_header_is_logged(scene: Scene, client: httpx.Client) -> None:
    headers = {"X-Request-Id": "for-the-log", "X-Secret-Key": "obk_sk_hidden", "Authorization": "Bearer obk_api_hidden"}
    scene.management.reply = None
    client.get("/api/obk_sk_hidden?key=obk_sk_hidden", headers=headers)
    line = eventually(lambda: next((one for one in scene.gateway.log.splitlines() if "for-the-log" in one), None))
    logged = json.loads(line)
    assert (logged["service"], logged["status"], logged["client"]) == ("management", 503, "127.0.0.1")
    assert "hidden" not in scene.gateway.log


# --- the examples of what an operator adds ---


def _certificate(folder: Path) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "gateway")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    files = folder / "certificate.pem", folder / "key.pem"
    files[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return files


def test_the_examples_for_tls_and_for_proxies_in_front_work(scene: Scene, tmp_path: Path) -> None:
    examples = Path(__file__).parents[3] / "deploy" / "gateway" / "extras"
    certificate, key = _certificate(tmp_path)
    port = free_port()
    gateway = RunningGateway(tmp_path / "gateway", scene.edge.address, scene.management.address)
    tls = (examples / "tls.conf.example").read_text()
    tls = tls.replace("/run/secrets/gateway_certificate_key", str(key)).replace(
        "/run/secrets/gateway_certificate", str(certificate)
    )
    (gateway.extras / "tls.conf").write_text(tls.replace("listen 8443", f"listen 127.0.0.1:{port}"))
    proxies = (examples / "real-ip.conf.example").read_text()
    (gateway.extras / "real-ip.conf").write_text(proxies.replace("10.0.0.0/8", "127.0.0.1"))
    trust = ssl.create_default_context(cafile=str(certificate))
    with gateway, httpx.Client(base_url=f"https://127.0.0.1:{port}", verify=trust) as client:
        answer = client.get("/api/config", headers={"X-Forwarded-For": "198.51.100.1, 203.0.113.7, 127.0.0.1"})
    assert (answer.status_code, answer.headers["Strict-Transport-Security"]) == (200, "max-age=31536000")
    assert scene.edge.received[0].headers["x-forwarded-for"] == "203.0.113.7"
    assert scene.edge.received[0].headers["x-forwarded-proto"] == "https"
