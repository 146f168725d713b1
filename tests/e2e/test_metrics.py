"""The metrics of a running stack: every declared metric has a value, and every query finds series."""

import socket

import httpx
import pytest

from common.telemetry.catalogue.complete import CATALOGUE
from tests.support.alert_rules import EXPRESSIONS
from tests.support.polling import eventually
from tests.support.prometheus_queries import Selector, selectors_of
from tests.support.servers.local_stack import RunningStack
from tests.support.telemetry import CurrentMetrics
from tools.generate_docs.dashboard import ROWS

#: The first poll of the servers takes some seconds, more on a slow machine.
_FIRST_POLL_SECONDS = 30.0


def _pages(stack: RunningStack) -> dict[str, CurrentMetrics]:
    return {process: CurrentMetrics(port) for process, port in stack.metrics_ports.items()}


@pytest.fixture(scope="module")
def visited(stack: RunningStack) -> RunningStack:
    """Return the stack after requests of a phone, of a dashboard and of a client that speaks no HTTP."""
    demo = stack.demo
    phone = {"X-Project-Id": demo["project_id"], "X-Secret-Key": demo["secret_key"]}
    with httpx.Client(timeout=10) as client:
        client.post(f"{stack.edge_url}/api/v1/onboarding/resolve", json={"deviceId": "d"}, headers=phone)
        event = {"deviceId": "d", "eventType": "flow_started"}
        assert client.post(f"{stack.edge_url}/api/analytics/event", json=event, headers=phone).is_success
        client.get(f"{stack.edge_url}/onboarding/preview")
        client.get(f"{stack.management_url}/api/user", headers={"Authorization": f"Bearer {demo['api_key']}"})
    with socket.create_connection(("127.0.0.1", int(stack.ports["EDGE_PORT"]))) as connection:
        connection.sendall(b"no request\r\n\r\n")
        assert connection.recv(1000)
    return stack


def _missing(pages: dict[str, CurrentMetrics]) -> list[str]:
    return [
        f"{metric.name} of {process}"
        for metric in CATALOGUE.values()
        for process in metric.processes
        if not {sample.name for sample in pages[process].samples} & set(metric.series)
    ]


def test_process_has_every_metric_that_is_declared_for_it(visited: RunningStack) -> None:
    eventually(lambda: _missing(_pages(visited)) == [], within=_FIRST_POLL_SECONDS)


def test_query_finds_series_with_its_labels(visited: RunningStack) -> None:
    queries = [query for row in ROWS for panel in row.panels for query, _ in panel.queries]
    expressions = [*queries, *EXPRESSIONS]
    selectors = {selector for expression in expressions for selector in selectors_of(expression)}

    def without_series() -> list[Selector]:
        samples = [sample for page in _pages(visited).values() for sample in page.samples]
        return [
            selector
            for selector in selectors
            # No request fails here, and Prometheus itself has or records the others.
            if selector.series.startswith("onboarding_")
            and not any(label == "status" for label, _, _ in selector.matchers)
            if not any(sample.name == selector.series and selector.admits(sample.labels) for sample in samples)
        ]

    eventually(lambda: without_series() == [], within=_FIRST_POLL_SECONDS)


def test_values_match_the_requests(visited: RunningStack) -> None:
    def check() -> None:
        pages = _pages(visited)
        edge, publisher, consumer = pages["edge"], pages["publisher"], pages["consumer"]
        assert edge.value("onboarding_edge_requests_total", route="/api/onboarding/resolve", status="200") >= 1
        assert edge.value("onboarding_edge_requests_total", route="/api/analytics/event", status="201") >= 1
        assert edge.value("onboarding_edge_unreadable_requests_total", status="400") >= 1
        assert edge.value("onboarding_edge_propagation_seconds_count") >= 1
        assert edge.value("onboarding_rate_limit_decisions_total", decision="admitted", scope="shared") >= 2
        assert pages["management"].value("onboarding_management_requests_total", route="/api/user", status="200") >= 1
        assert publisher.value("onboarding_publisher_delay_seconds_count") >= 1
        assert publisher.value("onboarding_publisher_healthy") == 1
        assert consumer.value("onboarding_consumer_events_total", outcome="new") >= 1
        assert consumer.value("onboarding_stream_consumers") >= 4

    eventually(check, within=_FIRST_POLL_SECONDS)


def test_public_ports_have_no_metrics(stack: RunningStack) -> None:
    assert httpx.get(f"{stack.edge_url}/metrics").status_code == 404
    assert httpx.get(f"{stack.management_url}/metrics").status_code == 404


def test_stack_prints_and_writes_the_addresses_of_its_metrics(stack: RunningStack) -> None:
    port = stack.metrics_ports["edge"]
    assert f"http://127.0.0.1:{port}/metrics (edge)" in stack.log
    targets = (stack.state_folder / "metrics-targets.json").read_text()
    assert all(str(port) in targets for port in stack.metrics_ports.values())
