"""What dashboard and alerts ask for is there."""

from pathlib import Path

import pytest

from common.telemetry.catalogue.complete import CATALOGUE
from deploy.observability.alert_rules import runbook_of
from deploy.observability.alerts import ALERTS, Alert
from deploy.observability.panels import ROWS
from tests.documents.markdown import anchors_of
from tests.prometheus_queries import KNOWN_CALLS, OWN_LABELS, calls_of, grouping_labels_of, is_balanced, selectors_of

ROOT = Path(__file__).parents[4]
LABELS = {series: metric.labels for metric in CATALOGUE.values() for series in metric.series} | {"up": ()}
PANEL_QUERIES = [expression for row in ROWS for panel in row.panels for expression, _ in panel.queries]
QUERIES = [*PANEL_QUERIES, *(alert.expression for alert in ALERTS)]
each_alert = pytest.mark.parametrize("alert", ALERTS, ids=lambda alert: alert.name)


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_names_metrics_and_labels_that_exist(query: str) -> None:
    selectors = selectors_of(query)
    assert selectors
    assert {one.series for one in selectors} <= LABELS.keys()
    for one in selectors:
        assert {label for label, _, _ in one.matchers} <= {*LABELS[one.series], *OWN_LABELS}
    known = {label for one in selectors for label in LABELS[one.series]}
    assert grouping_labels_of(query) <= known | OWN_LABELS


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_is_well_formed_as_far_as_can_be_told(query: str) -> None:
    assert is_balanced(query)
    assert calls_of(query) <= KNOWN_CALLS


def test_the_dashboard_shows_every_metric() -> None:
    shown = {one.series for query in PANEL_QUERIES for one in selectors_of(query)}
    assert [metric.name for metric in CATALOGUE.values() if not shown & set(metric.series)] == []


def test_queries_that_are_wrong_would_be_found() -> None:
    (wrong,) = selectors_of('rate(onboarding_nothing_total{state="x", kind!~"a|b"}[5m])')
    assert wrong.series not in LABELS
    assert wrong.matchers == (("state", "=", "x"), ("kind", "!~", "a|b"))
    assert (wrong.admits({"state": "x"}), wrong.admits({"state": "x", "kind": "a"})) == (True, False)
    assert not is_balanced("sum(rate(up[5m])")
    assert calls_of("average(up)") == {"average"}


@each_alert
def test_an_alert_has_a_runbook(alert: Alert) -> None:
    path, _, anchor = runbook_of(alert).partition("#")
    assert anchor in anchors_of((ROOT / path).read_text())


def test_there_is_no_runbook_of_no_alert() -> None:
    text = (ROOT / "docs/operations/alerts.md").read_text()
    named = {line.removeprefix("### ") for line in text.splitlines() if line.startswith("### Onboarding")}
    assert named == {alert.name for alert in ALERTS}


def test_an_alert_has_a_name_of_its_own_and_says_something() -> None:
    assert len({alert.name for alert in ALERTS}) == len(ALERTS)
    assert [alert.name for alert in ALERTS if not alert.summary.endswith(".")] == []
