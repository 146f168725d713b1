"""The metrics page and its server."""

import functools
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import httpx
import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.metrics_core import Metric as PrometheusMetric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector

from common.settings.shared import MetricsSettings
from common.telemetry.catalogue.complete import CATALOGUE
from common.telemetry.catalogue.former_names import FORMER_NAMES, FORMER_VALUES
from common.telemetry.exporter import families, serve_metrics, serve_process_metrics
from common.telemetry.metrics import Metric, counter, gauge, histogram
from common.telemetry.samples import Sample
from deploy.local.loopback_ports import LOOPBACK, free_port
from tests.support.polling import eventually

THINGS = counter("onboarding_things_total", "Things.", "edge", labels=("kind",))
LEVEL = gauge("onboarding_level", "Level.", "edge")
SECONDS = histogram("onboarding_seconds", "Seconds.", "edge", bounds=(0.1, 2.5))
#: More than a scrape needs on a busy machine. A server that waited for each silent client would take minutes.
_PROMPT_SECONDS = 20.0


def _serve_publisher(port: int) -> AbstractContextManager[None]:
    return serve_process_metrics("publisher", MetricsSettings(), port=port, collectors=())


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    port = free_port()
    with _serve_publisher(port):
        yield port


def _url(port: int, path: str = "/metrics") -> str:
    return f"http://{LOOPBACK}:{port}{path}"


def _is_served(port: int) -> bool:
    try:
        return httpx.get(_url(port)).status_code == 200
    except httpx.TransportError:
        return False


def _can_listen(port: int) -> bool:
    try:
        socket.create_server((LOOPBACK, port)).close()
    except OSError:
        return False
    return True


def _status_line(port: int, sent: bytes) -> bytes:
    with socket.create_connection((LOOPBACK, port), timeout=10) as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        try:
            return b"".join(iter(lambda: connection.recv(65536), b"")).partition(b"\r\n")[0]
        except ConnectionResetError:
            return b""


def _values(
    samples: list[Sample], declared: Sequence[Metric] = (THINGS, LEVEL, SECONDS)
) -> dict[tuple[str, str], float]:
    class _Samples(Collector):
        def collect(self) -> Iterator[PrometheusMetric]:
            return iter(families(declared, samples))

    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Samples())
    return {
        (sample.name, ",".join(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(generate_latest(registry).decode())
        for sample in family.samples
    }


def test_page_has_former_names_of_metrics_and_of_values() -> None:
    events, healthy = CATALOGUE["onboarding_edge_events_total"], CATALOGUE["onboarding_consumer_healthy"]
    samples = [Sample(events.name, ("rejected",), 3), Sample(events.name, ("stored",), 2), Sample(healthy.name, (), 1)]
    assert _values(samples, (events, healthy)) == {
        (events.name, "rejected"): 3,
        (events.name, "refused"): 3,
        (events.name, "stored"): 2,
        (healthy.name, ""): 1,
        ("onboarding_consumer_is_well", ""): 1,
    }


@pytest.mark.parametrize("name", [*FORMER_NAMES, *(name for name, _ in FORMER_VALUES)])
def test_former_name_is_of_a_metric_that_exists(name: str) -> None:
    assert name in CATALOGUE
    assert FORMER_NAMES.get(name) not in CATALOGUE


def test_page_has_every_sample_with_cumulative_buckets() -> None:
    samples = [
        Sample(THINGS.name, ("odd",), 3),
        Sample(LEVEL.name, (), 0.5),
        Sample(SECONDS.name, (), 9.5, (4, 2, 1)),
    ]
    assert _values(samples) == {
        ("onboarding_things_total", "odd"): 3,
        ("onboarding_level", ""): 0.5,
        ("onboarding_seconds_bucket", "0.1"): 4,
        ("onboarding_seconds_bucket", "2.5"): 6,
        ("onboarding_seconds_bucket", "+Inf"): 7,
        ("onboarding_seconds_count", ""): 7,
        ("onboarding_seconds_sum", ""): 9.5,
    }


def test_label_with_special_characters_is_escaped() -> None:
    assert _values([Sample(THINGS.name, ('"\n\\',), 1)]) == {("onboarding_things_total", '"\n\\'): 1}


def test_page_shows_the_process_in_the_text_format_of_prometheus(port: int) -> None:
    response = httpx.get(_url(port))
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/plain")
    assert 'onboarding_build_info{process="publisher"' in response.text
    assert 'onboarding_cpu_seconds_total{process="publisher"}' in response.text
    assert 'onboarding_metrics_age_seconds{process="publisher"} 0.0' in response.text


def test_client_that_accepts_openmetrics_gets_it(port: int) -> None:
    response = httpx.get(_url(port), headers={"Accept": "application/openmetrics-text; version=1.0.0"})
    assert response.headers["content-type"].startswith("application/openmetrics-text")
    assert response.content.endswith(b"# EOF\n")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_methods_other_than_get_are_rejected(port: int, method: str) -> None:
    assert httpx.request(method, _url(port), content=b"anything").status_code == 405


@pytest.mark.parametrize(
    "junk", [b"", b"\r\n\r\n", b"\x00\xff\r\n\r\n", b"GET /metrics" * 2000, b"GET " + b"x" * 70000]
)
def test_junk_is_rejected_and_does_not_stop_the_server(port: int, junk: bytes) -> None:
    assert b" 200 " not in _status_line(port, junk)
    assert _is_served(port)


def test_silent_clients_are_disconnected_and_delay_no_other_client(port: int) -> None:
    silent = [socket.create_connection((LOOPBACK, port), timeout=30) for _ in range(50)]
    try:
        assert httpx.get(_url(port), timeout=_PROMPT_SECONDS).status_code == 200
        assert [connection.recv(1) for connection in silent] == [b""] * len(silent)
    finally:
        for connection in silent:
            connection.close()


def test_busy_port_is_served_as_soon_as_it_is_free() -> None:
    busy = socket.create_server((LOOPBACK, 0))
    port = busy.getsockname()[1]
    with _serve_publisher(port):
        busy.close()
        eventually(functools.partial(_is_served, port))


def test_port_is_free_after_the_block() -> None:
    port = free_port()
    with _serve_publisher(port):
        assert _is_served(port)
    assert _can_listen(port)


def test_defect_of_a_collector_is_500_without_its_text(capfd: pytest.CaptureFixture[str]) -> None:
    def fail() -> list[Sample]:
        raise RuntimeError("s3cret")

    port = free_port()
    with serve_metrics(MetricsSettings(), port, fail):
        response = httpx.get(_url(port))
    assert (response.status_code, "s3cret" in response.text) == (500, False)
    assert "s3cret" in capfd.readouterr().err


_FORKING_PARENT = """
import os, sys
from common.settings.shared import MetricsSettings
from common.telemetry.catalogue.complete import CATALOGUE
from common.telemetry.catalogue.former_names import FORMER_NAMES, FORMER_VALUES
from common.telemetry.exporter import serve_process_metrics

child_waits, end_child = os.pipe()
with serve_process_metrics("edge", MetricsSettings(), port=int(sys.argv[1]), collectors=()):
    child = os.fork()
    if child == 0:
        os.close(end_child)
        os.read(child_waits, 1)
        os._exit(0)
    print("forked", flush=True)
    sys.stdin.readline()
print("left", flush=True)
sys.stdin.readline()
os.close(end_child)
os.waitpid(child, 0)
"""


def test_forked_worker_does_not_keep_the_port() -> None:
    port = free_port()
    with subprocess.Popen(  # noqa: S603 - our own code
        [sys.executable, "-c", _FORKING_PARENT, str(port)],
        cwd=Path(__file__).parents[4],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as parent:
        assert parent.stdin is not None
        assert parent.stdout is not None
        assert parent.stdout.readline() == "forked\n"
        assert _is_served(port)
        parent.stdin.write("\n")
        assert parent.stdout.readline() == "left\n"
        # The child still runs.
        assert _can_listen(port)
        parent.stdin.write("\n")
    assert parent.returncode == 0
