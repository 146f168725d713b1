"""Redis over TLS, by the URL alone: every process uses it, and none connects to a server that it cannot verify."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import httpx
import pytest
from pydantic import SecretStr
from redis.exceptions import RedisError

from cli.doctor.checks.redis_server import check_redis
from cli.doctor.installation import Installation
from cli.doctor.result import Level
from cli.settings import CommandSettings
from common.rate_limit.keys import RateLimitKeys
from common.wire.redis_keys import event_stream_of
from common.wire.stream_records import decode_record
from deploy.local.loopback_ports import LOOPBACK, free_port
from management_api.event_consumer import stream
from management_api.rate_limiter import RateLimiter
from publisher import snapshot_store
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.integration.redis.valkey_node import PASSWORD, started
from tests.support.data.snapshots import a_snapshot, sdk_headers
from tests.support.polling import eventually
from tests.support.servers.certificates import Authority
from tests.support.servers.running_server import RunningServer
from tests.support.servers.tls_proxy import tls_context, tls_proxy

pytestmark = pytest.mark.slow

SERVICE = "onboarding"
ALL_SLOTS = (0, 16_383)


@dataclass(frozen=True)
class TlsFiles:
    """The trusted authority, and the certificate and key of a client."""

    authority: Authority
    certificate: Path
    key: Path

    def options(self) -> dict[str, str]:
        return {
            "ssl_ca_certs": str(self.authority.file),
            "ssl_certfile": str(self.certificate),
            "ssl_keyfile": str(self.key),
        }


@pytest.fixture(scope="module")
def tls_files(tmp_path_factory: pytest.TempPathFactory) -> TlsFiles:
    """Return one certificate for servers and clients, for the loopback address."""
    folder = tmp_path_factory.mktemp("tls_files")
    made = TlsFiles(Authority("trusted", folder), folder / "peer.pem", folder / "peer.key")
    made.authority.sign_address(LOOPBACK, made.certificate, made.key)
    return made


@pytest.fixture(scope="module")
def single(tls_files: TlsFiles, redis_server: RunningServer) -> Iterator[str]:
    """Return the URL, without options, of a server that requires a client certificate."""
    context = tls_context(tls_files.certificate, tls_files.key, clients=tls_files.authority.file)
    with tls_proxy(redis_server.url, context) as url:
        yield url.replace("redis://", "rediss://")


@pytest.fixture(scope="module")
def sentinel(
    tls_files: TlsFiles, redis_server: RunningServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Return the URL of a service whose Sentinel and master require a client certificate."""
    context = tls_context(tls_files.certificate, tls_files.key, clients=tls_files.authority.file)
    password = urlsplit(redis_server.url).password
    with ExitStack() as stack:
        # The Sentinel names the address that it monitors itself, without TLS.
        master = urlsplit(stack.enter_context(tls_proxy(redis_server.url, context, admits_plain=True)))
        node = started(
            tmp_path_factory.mktemp("sentinel") / "node",
            f"sentinel monitor {SERVICE} {LOOPBACK} {master.port} 1",
            f"sentinel auth-pass {SERVICE} {password}",
            is_sentinel=True,
        )
        stack.callback(node.server.kill)
        place = urlsplit(stack.enter_context(tls_proxy(node.node.url, context))).port
        yield f"rediss+sentinel://:{password}@{LOOPBACK}:{place}/{SERVICE}/0?sentinel_password={PASSWORD}"


@pytest.fixture(scope="module")
def cluster(tls_files: TlsFiles, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the URL of a Cluster of one node, which announces its TLS port."""
    context = tls_context(tls_files.certificate, tls_files.key, clients=tls_files.authority.file)
    node = started(tmp_path_factory.mktemp("cluster") / "node", "cluster-enabled yes", f"cluster-port {free_port()}")
    try:
        node.ask("CLUSTER ADDSLOTSRANGE", *ALL_SLOTS)
        with tls_proxy(node.node.url, context) as url:
            port = urlsplit(url).port
            node.ask("CONFIG SET", "cluster-announce-port", int(port or 0))
            eventually(lambda: node.ask("CLUSTER INFO")["cluster_state"] == "ok")
            yield f"rediss+cluster://:{PASSWORD}@{LOOPBACK}:{port}"
    finally:
        node.server.kill()


def with_options(url: str, options: dict[str, str]) -> str:
    return f"{url}{'&' if '?' in url else '?'}{urlencode(options)}"


@pytest.mark.parametrize("topology", ["single", "sentinel", "cluster"])
def test_every_process_uses_redis_over_tls(topology: str, tls_files: TlsFiles, request: pytest.FixtureRequest) -> None:
    url = with_options(request.getfixturevalue(topology), tls_files.options())
    snapshot = a_snapshot()
    with snapshot_store.connect(url) as client:
        assert snapshot_store.SnapshotStore(client).write([snapshot]) == [1]
    # None of the servers here has a replica.
    settings = edge_settings(url, rate_limit_redis_timeout_ms=5000, edge_event_replicas=0)
    with running_edge(settings) as edge:
        headers = sdk_headers(snapshot)
        event = {"eventType": "flow_started", "deviceId": "phone", "eventId": "one"}
        # An edge waits a second for Redis, which may be too short for a handshake on a busy machine.
        eventually(lambda: edge.get("/api/config", headers=headers).status_code == 200, within=30)
        eventually(lambda: edge.post("/api/analytics/event", headers=headers, json=event).status_code == 201, within=30)
    with stream.connect(url) as client:
        group = stream.EventStream(client, event_stream_of(snapshot.project_id, "phone"), "consumer")
        group.create_group()
        records = [decode_record(entry.body) for entry in group.read_new(1000, block_ms=10)]
        assert snapshot.project_id in {record.project_id for record in records}
    limits = RateLimiter.from_settings(settings, SecretStr(url))
    limits.acquire(RateLimitKeys(settings).of_address("somewhere"))
    assert limits.redis_available
    limits.close()
    doctor = check_redis(Installation(CommandSettings(redis_url=SecretStr(url))))
    assert next(doctor).level is Level.OK


@pytest.mark.parametrize("topology", ["single", "sentinel", "cluster"])
def test_failed_verification_is_reported_with_its_reason(
    topology: str, tls_files: TlsFiles, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url: str = request.getfixturevalue(topology)
    unknown = Authority("unknown", tmp_path)
    other_authority = {**tls_files.options(), "ssl_ca_certs": str(unknown.file)}
    reasons = {
        with_options(url, other_authority): "certificate verify failed",
        with_options(url.replace(f"@{LOOPBACK}", "@localhost"), tls_files.options()): "not valid for 'localhost'",
        with_options(url, {"ssl_ca_certs": str(tls_files.authority.file)}): "Redis cannot be queried",
    }
    for wrong, reason in reasons.items():
        with snapshot_store.connect(wrong) as client, pytest.raises(RedisError):
            client.ping()
        [result] = check_redis(Installation(CommandSettings(redis_url=SecretStr(wrong))))
        assert (result.level, reason in result.message) == (Level.ERROR, True), result
        assert str(urlsplit(wrong).password) not in result.message
    limits = RateLimiter.from_settings(edge_settings(url), SecretStr(with_options(url, other_authority)))
    limits.acquire(RateLimitKeys(edge_settings(url)).of_address("somewhere"))
    assert not limits.redis_available
    limits.close()


@pytest.mark.parametrize("topology", ["single", "sentinel", "cluster"])
def test_edge_serves_no_snapshot_of_an_unverified_redis(
    topology: str, tls_files: TlsFiles, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url: str = request.getfixturevalue(topology)
    options = {**tls_files.options(), "ssl_ca_certs": str(Authority("unknown", tmp_path).file)}
    with running_edge(edge_settings(with_options(url, options))) as edge:
        response = edge.get("/api/config", headers=sdk_headers(a_snapshot()))
        assert (response.status_code, ready(edge)) == (503, 503)


def ready(edge: httpx.Client) -> int:
    return edge.get("/health/ready").status_code
