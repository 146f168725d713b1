"""The examples of what an operator adds to the gateway: TLS, and proxies in front."""

import ssl
from pathlib import Path

import httpx

from deploy.local.loopback_ports import free_port
from tests.integration.deploy.gateway.scene import Scene
from tests.support.servers.certificates import Authority
from tests.support.servers.gateway import RunningGateway


def test_the_examples_for_tls_and_for_proxies_in_front_work(scene: Scene, tmp_path: Path) -> None:
    examples = Path(__file__).parents[4] / "deploy" / "gateway" / "extras"
    authority, certificate, key = Authority("authority", tmp_path), tmp_path / "certificate.pem", tmp_path / "key.pem"
    authority.sign_address("127.0.0.1", certificate, key)
    port = free_port()
    gateway = RunningGateway(tmp_path / "gateway", scene.edge.address, scene.management.address)
    tls = (examples / "tls.conf.example").read_text()
    tls = tls.replace("/run/secrets/gateway_certificate_key", str(key)).replace(
        "/run/secrets/gateway_certificate", str(certificate)
    )
    (gateway.extras / "tls.conf").write_text(tls.replace("listen 8443", f"listen 127.0.0.1:{port}"))
    proxies = (examples / "real-ip.conf.example").read_text()
    (gateway.extras / "real-ip.conf").write_text(proxies.replace("192.0.2.10", "127.0.0.1"))
    trust = ssl.create_default_context(cafile=str(authority.file))
    with gateway, httpx.Client(base_url=f"https://127.0.0.1:{port}", verify=trust) as client:
        response = client.get("/api/config", headers={"X-Forwarded-For": "198.51.100.1, 203.0.113.7, 127.0.0.1"})
        # The locations of the last ones have headers of their own.
        others = [client.get(path) for path in ("/api/analytics/events", "/health/live", "/health/unknown")]
    for each in (response, *others):
        assert each.headers.get_list("Strict-Transport-Security") == ["max-age=31536000"]
    assert [each.status_code for each in (response, *others)] == [200, 200, 200, 404]
    assert scene.edge.received[0].headers["x-forwarded-for"] == "203.0.113.7"
    assert scene.edge.received[0].headers["x-forwarded-proto"] == "https"
