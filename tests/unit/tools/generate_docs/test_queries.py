"""The queries of the dashboard and of the alerts."""

from pathlib import Path

import pytest

from common.telemetry.catalogue.complete import CATALOGUE
from tests.docs.markdown import anchors_of
from tests.support.prometheus_queries import (
    KNOWN_CALLS,
    OWN_LABELS,
    calls_of,
    grouping_labels_of,
    is_balanced,
    selectors_of,
)
from tools.generate_docs.alerts import ALERTS, Alert, runbook
from tools.generate_docs.dashboard import ROWS

ROOT = Path(__file__).parents[4]
LABELS = {series: metric.labels for metric in CATALOGUE.values() for series in metric.series} | {"up": ()}
PANEL_QUERIES = [expression for row in ROWS for panel in row.panels for expression, _ in panel.queries]
QUERIES = [*PANEL_QUERIES, *(alert.expression for alert in ALERTS)]
each_alert = pytest.mark.parametrize("alert", ALERTS, ids=lambda alert: alert.name)


@pytest.mark.parametrize("query", QUERIES)
def test_query_names_existing_metrics_and_labels(query: str) -> None:
    selectors = selectors_of(query)
    assert selectors
    assert {selector.series for selector in selectors} <= LABELS.keys()
    for selector in selectors:
        assert {label for label, _, _ in selector.matchers} <= {*LABELS[selector.series], *OWN_LABELS}
    known = {label for selector in selectors for label in LABELS[selector.series]}
    assert grouping_labels_of(query) <= known | OWN_LABELS


@pytest.mark.parametrize("query", QUERIES)
def test_query_has_balanced_brackets_and_known_functions(query: str) -> None:
    assert is_balanced(query)
    assert calls_of(query) <= KNOWN_CALLS


def test_dashboard_shows_every_metric() -> None:
    shown = {selector.series for query in PANEL_QUERIES for selector in selectors_of(query)}
    assert [metric.name for metric in CATALOGUE.values() if not shown & set(metric.series)] == []


def test_wrong_query_is_detected() -> None:
    (wrong,) = selectors_of('rate(onboarding_nothing_total{state="x", kind!~"a|b"}[5m])')
    assert wrong.series not in LABELS
    assert wrong.matchers == (("state", "=", "x"), ("kind", "!~", "a|b"))
    assert (wrong.admits({"state": "x"}), wrong.admits({"state": "x", "kind": "a"})) == (True, False)
    assert not is_balanced("sum(rate(up[5m])")
    assert calls_of("average(up)") == {"average"}


@each_alert
def test_alert_has_a_runbook(alert: Alert) -> None:
    path, _, anchor = runbook(alert).partition("#")
    assert anchor in anchors_of((ROOT / path).read_text())


def test_every_runbook_belongs_to_an_alert() -> None:
    text = (ROOT / "docs/operations/alerts.md").read_text()
    named = {line.removeprefix("### ") for line in text.splitlines() if line.startswith("### Onboarding")}
    assert named == {alert.name for alert in ALERTS}


def test_alert_has_a_unique_name_and_a_summary() -> None:
    assert len({alert.name for alert in ALERTS}) == len(ALERTS)
    assert [alert.name for alert in ALERTS if not alert.summary.endswith(".")] == []
