"""The page on its port: bounded, whoever asks."""

import socket
from collections.abc import Iterator

import httpx
import pytest

from common.settings.shared import MetricsSettings
from common.telemetry.exporter import serve_metrics
from common.telemetry.metrics_source import ProcessMetricsSource
from common.telemetry.process_metrics import ProcessFigures
from common.telemetry.samples import Sample, take_report
from deploy.local.loopback_ports import LOOPBACK, free_port
from tests.polling import eventually


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    board, port = ProcessMetricsSource("publisher"), free_port()
    board.post(take_report([ProcessFigures("publisher").collect]))
    with serve_metrics(MetricsSettings(), port, board):
        yield port


def _url(port: int, path: str = "/metrics") -> str:
    return f"http://{LOOPBACK}:{port}{path}"


def _raw(port: int, sent: bytes) -> bytes:
    with socket.create_connection((LOOPBACK, port), timeout=10) as connection:
        connection.sendall(sent)
        try:
            return b"".join(iter(lambda: connection.recv(65536), b""))
        except ConnectionResetError:
            return b""


def _shows_it(port: int) -> bool:
    try:
        return httpx.get(_url(port)).status_code == 200
    except httpx.TransportError:
        return False


def test_it_shows_what_is_on_the_board(port: int) -> None:
    answer = httpx.get(_url(port))
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    assert 'onboarding_build_info{process="publisher"' in answer.text
    assert 'onboarding_cpu_seconds_total{process="publisher"}' in answer.text


def test_head_gives_the_length_and_no_page(port: int) -> None:
    answer = httpx.head(_url(port))
    assert (answer.status_code, answer.content) == (200, b"")
    assert int(answer.headers["content-length"]) > 100


@pytest.mark.parametrize("path", ["/", "/metrics/", "/health/live", "/api/projects"])
def test_there_is_nothing_else(port: int, path: str) -> None:
    assert httpx.get(_url(port, path)).status_code == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_it_can_only_be_read(port: int, method: str) -> None:
    answer = httpx.request(method, _url(port), content=b"anything")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("junk", [b"\r\n\r\n", b"\x00\xff\r\n\r\n", b"GET\r\n\r\n", b"GET /metrics" * 2000])
def test_junk_gets_a_refusal_or_nothing(port: int, junk: bytes) -> None:
    assert b" 200 " not in _raw(port, junk).partition(b"\r\n")[0]
    assert httpx.get(_url(port)).status_code == 200


def test_whoever_says_nothing_keeps_nobody_from_reading(port: int) -> None:
    silent = [socket.create_connection((LOOPBACK, port)) for _ in range(20)]
    try:
        assert httpx.get(_url(port)).status_code == 200
    finally:
        for connection in silent:
            connection.close()


def test_a_crowd_beyond_the_bound_is_sent_away_and_the_page_comes_back(port: int) -> None:
    silent = [socket.create_connection((LOOPBACK, port)) for _ in range(40)]
    try:
        # Those beyond the bound are closed at once, without a word.
        silent[-1].settimeout(10)
        assert silent[-1].recv(1) == b""
    finally:
        for connection in silent:
            connection.close()
    eventually(lambda: _shows_it(port))


def test_a_port_that_is_taken_is_served_as_soon_as_it_is_free() -> None:
    taken = socket.create_server((LOOPBACK, 0))
    port = taken.getsockname()[1]
    with serve_metrics(MetricsSettings(), port, ProcessMetricsSource("publisher")):
        taken.close()
        eventually(lambda: _shows_it(port))


def test_port_0_serves_nowhere() -> None:
    with serve_metrics(MetricsSettings(), 0, ProcessMetricsSource("publisher")):
        pass


def test_a_defect_of_the_board_is_500_and_says_nothing() -> None:
    class _Broken:
        def readings(self) -> list[Sample]:
            raise RuntimeError("s3cret")

    port = free_port()
    with serve_metrics(MetricsSettings(), port, _Broken()):
        answer = httpx.get(_url(port))
    assert (answer.status_code, "s3cret" in answer.text) == (500, False)
