"""The queries of the dashboard and of the alerts."""

import re
from collections.abc import Iterator
from pathlib import Path

from common.telemetry.catalogue.complete import CATALOGUE
from tests.support.alert_rules import ALERTS, EXPRESSIONS, RULES
from tests.support.prometheus_queries import (
    KNOWN_CALLS,
    OWN_LABELS,
    calls_of,
    grouping_labels_of,
    is_balanced,
    selectors_of,
)
from tools.generate_docs.dashboard import ROWS

ROOT = Path(__file__).parents[4]
LABELS: dict[str, tuple[str, ...]] = {
    **{series: metric.labels for metric in CATALOGUE.values() for series in metric.series},
    **{rule["record"]: ("slo", "status") for rule in RULES if "record" in rule},
    "up": (),
    "probe_success": (),
}
PANEL_QUERIES = [expression for row in ROWS for panel in row.panels for expression, _ in panel.queries]
QUERIES = [*PANEL_QUERIES, *(expression for expression in EXPRESSIONS if not expression.startswith("vector("))]


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


def test_links_to_runbooks_lead_to_a_paragraph_for_each_alert() -> None:
    found = {name: rule["annotations"]["runbook_url"] for name, rule in ALERTS.items()}
    places = {
        name: re.fullmatch(r"\{\{ \$externalLabels\.documentation \}\}(docs/operations/(?:alerts|slo)\.md)#(.+)", link)
        for name, link in found.items()
    }
    assert {name: place[2] for name, place in places.items() if place} == {name: name.lower() for name in ALERTS}
    paths = {place[1] for place in places.values() if place}
    titles = {line.removeprefix("### ") for path in paths for line in (ROOT / path).read_text().splitlines()}
    assert {title for title in titles if title.startswith("Onboarding")} == set(ALERTS)


def test_alert_has_a_summary() -> None:
    assert [name for name, rule in ALERTS.items() if not rule["annotations"]["summary"].endswith(".")] == []
