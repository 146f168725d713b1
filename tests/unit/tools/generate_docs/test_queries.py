"""The queries of the dashboard and of the alerts."""

from collections.abc import Iterator
from pathlib import Path

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
from tools.generate_docs.alerts import ALERTS, runbook
from tools.generate_docs.dashboard import ROWS

ROOT = Path(__file__).parents[4]
LABELS = {series: metric.labels for metric in CATALOGUE.values() for series in metric.series} | {"up": ()}
PANEL_QUERIES = [expression for row in ROWS for panel in row.panels for expression, _ in panel.queries]
QUERIES = [*PANEL_QUERIES, *(alert.expression for alert in ALERTS)]


def errors_of(query: str) -> Iterator[str]:
    """Yield what is wrong with a query: series and labels that do not exist, brackets, functions."""
    selectors = selectors_of(query)
    known = {label for selector in selectors for label in LABELS.get(selector.series, ())} | OWN_LABELS
    yield from ("no series" for _ in range(not selectors))
    yield from (selector.series for selector in selectors if selector.series not in LABELS)
    for selector in selectors:
        labels = {label for label, _, _ in selector.matchers}
        yield from labels - {*LABELS.get(selector.series, ()), *OWN_LABELS}
    yield from grouping_labels_of(query) - known
    yield from ("brackets" for _ in range(not is_balanced(query)))
    yield from calls_of(query) - KNOWN_CALLS


def test_queries_name_existing_metrics_labels_and_functions() -> None:
    found = {query: list(errors_of(query)) for query in QUERIES}
    assert {query: errors for query, errors in found.items() if errors} == {}


def test_dashboard_shows_every_metric() -> None:
    shown = {selector.series for query in PANEL_QUERIES for selector in selectors_of(query)}
    assert [metric.name for metric in CATALOGUE.values() if not shown & set(metric.series)] == []


def test_wrong_query_is_detected() -> None:
    wrongs = (
        "rate(onboarding_nothing_total[5m])",
        'up{x="1"}',
        "sum by (x) (up)",
        "sum(rate(up[5m])",
        "average(up)",
        "1",
    )
    assert [query for query in wrongs if not list(errors_of(query))] == []
    (wrong,) = selectors_of('rate(onboarding_nothing_total{state="x", kind!~"a|b"}[5m])')
    assert wrong.series not in LABELS
    assert wrong.matchers == (("state", "=", "x"), ("kind", "!~", "a|b"))
    assert (wrong.admits({"state": "x"}), wrong.admits({"state": "x", "kind": "a"})) == (True, False)
    assert not is_balanced("sum(rate(up[5m])")
    assert calls_of("average(up)") == {"average"}


def test_alerts_have_runbooks() -> None:
    places = [(alert.name, *runbook(alert).partition("#")[::2]) for alert in ALERTS]
    assert [name for name, path, anchor in places if anchor not in anchors_of((ROOT / path).read_text())] == []


def test_every_runbook_belongs_to_an_alert() -> None:
    text = (ROOT / "docs/operations/alerts.md").read_text()
    named = {line.removeprefix("### ") for line in text.splitlines() if line.startswith("### Onboarding")}
    assert named == {alert.name for alert in ALERTS}


def test_alert_has_a_unique_name_and_a_summary() -> None:
    assert len({alert.name for alert in ALERTS}) == len(ALERTS)
    assert [alert.name for alert in ALERTS if not alert.summary.endswith(".")] == []
