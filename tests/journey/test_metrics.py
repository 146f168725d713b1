"""The metrics of a running stack: every one that is declared, with a value, for every query that asks for it."""

import socket

import httpx
import pytest

from common.telemetry.catalogue.complete import CATALOGUE
from deploy.observability.alerts import ALERTS
from deploy.observability.panels import ROWS
from tests.polling import eventually
from tests.prometheus_queries import Selector, selectors_of
from tests.shown_metrics import ShownMetrics
from tests.stack import RunningStack

#: What is asked every few seconds is there after a first round; and a machine that tests may be slow.
_FIRST_ROUND_SECONDS = 30.0


def _pages(stack: RunningStack) -> dict[str, ShownMetrics]:
    return {process: ShownMetrics(port) for process, port in stack.metrics_ports.items()}


@pytest.fixture(scope="module")
def visited(stack: RunningStack) -> RunningStack:
    """Give the stack after a phone, a dashboard and a stranger have been there."""
    demo = stack.demo
    phone = {"X-Project-Id": demo["project_id"], "X-Secret-Key": demo["secret_key"]}
    with httpx.Client(timeout=10) as client:
        client.post(f"{stack.edge_url}/api/v1/onboarding/resolve", json={"deviceId": "d"}, headers=phone)
        event = {"deviceId": "d", "eventType": "flow_started"}
        assert client.post(f"{stack.edge_url}/api/analytics/event", json=event, headers=phone).is_success
        client.get(f"{stack.management_url}/api/user", headers={"Authorization": f"Bearer {demo['api_key']}"})
    with socket.create_connection(("127.0.0.1", int(stack.ports["EDGE_PORT"]))) as stranger:
        stranger.sendall(b"what is this\r\n\r\n")
        assert stranger.recv(1000)
    return stack


def _missing(pages: dict[str, ShownMetrics]) -> list[str]:
    return [
        f"{metric.name} of {process}"
        for metric in CATALOGUE.values()
        for process in metric.processes
        if not {sample.name for sample in pages[process].samples} & set(metric.series)
    ]


def test_every_metric_is_shown_by_each_process_that_it_is_declared_of(visited: RunningStack) -> None:
    eventually(lambda: _missing(_pages(visited)) == [], within=_FIRST_ROUND_SECONDS)


def test_every_query_finds_series_with_the_labels_that_it_names(visited: RunningStack) -> None:
    queries = [query for row in ROWS for panel in row.panels for query, _ in panel.queries]
    asked = {one for query in [*queries, *(alert.expression for alert in ALERTS)] for one in selectors_of(query)}

    def unanswered() -> list[Selector]:
        samples = [sample for page in _pages(visited).values() for sample in page.samples]
        return [
            one
            for one in asked
            # Errors are not made here, and `up` is Prometheus's own.
            if one.series != "up" and not any(label == "status" for label, _, _ in one.matchers)
            if not any(sample.name == one.series and one.admits(sample.labels) for sample in samples)
        ]

    eventually(lambda: unanswered() == [], within=_FIRST_ROUND_SECONDS)


def test_the_figures_are_those_of_what_was_done(visited: RunningStack) -> None:
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
        assert publisher.value("onboarding_publisher_is_well") == 1
        assert consumer.value("onboarding_consumer_events_total", outcome="new") >= 1
        assert consumer.value("onboarding_stream_consumers") >= 4

    eventually(check, within=_FIRST_ROUND_SECONDS)


def test_the_public_ports_show_no_metrics(stack: RunningStack) -> None:
    assert httpx.get(f"{stack.edge_url}/metrics").status_code == 404
    assert httpx.get(f"{stack.management_url}/metrics").status_code == 404


def test_the_stack_says_where_its_metrics_are(stack: RunningStack) -> None:
    port = stack.metrics_ports["edge"]
    assert f"http://127.0.0.1:{port}/metrics (edge)" in stack.log
    targets = (stack.state_folder / "metrics-targets.json").read_text()
    assert all(str(port) in targets for port in stack.metrics_ports.values())
