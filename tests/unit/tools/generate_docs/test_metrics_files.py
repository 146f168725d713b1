"""The generated files of metrics and alerts."""

import json
from typing import Any

import yaml

from common.telemetry.catalogue.complete import CATALOGUE
from tests.support.prometheus_queries import is_balanced, selectors_of
from tools.generate import ROOT, generated_files
from tools.generate_docs.alerts import alert_rules

FILES = generated_files()


def test_every_metric_is_documented_once() -> None:
    lines = FILES["docs/reference/metrics.md"].splitlines()
    rows = [line.split("`")[1] for line in lines if line.startswith("| `onboarding_")]
    assert sorted(rows) == sorted(CATALOGUE)


def test_panels_of_the_dashboard_do_not_overlap() -> None:
    panels: list[dict[str, Any]] = json.loads(FILES["deploy/grafana/dashboard.json"])["panels"]
    places = {
        (x, y)
        for place in (panel["gridPos"] for panel in panels)
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    }
    assert len(places) == sum(panel["gridPos"]["w"] * panel["gridPos"]["h"] for panel in panels)
    assert len({panel["id"] for panel in panels}) == len(panels)


def test_query_of_the_dashboard_names_existing_metrics_of_the_selected_instances() -> None:
    panels = json.loads(FILES["deploy/grafana/dashboard.json"])["panels"]
    expressions = [target["expr"] for panel in panels for target in panel.get("targets", ())]
    known = {series for metric in CATALOGUE.values() for series in metric.series}
    selected = {("job", "=~", "$job"), ("instance", "=~", "$instance")}
    assert expressions
    assert [expression for expression in expressions if not is_balanced(expression)] == []
    for selector in (selector for expression in expressions for selector in selectors_of(expression)):
        assert selector.series in known
        assert selected <= set(selector.matchers)


def test_dashboard_begins_with_current_values_that_have_thresholds() -> None:
    _, *panels = json.loads(FILES["deploy/grafana/dashboard.json"])["panels"]
    stats = [panel for panel in panels if panel["type"] == "stat"]
    assert panels[: len(stats)] == stats
    for steps in (panel["fieldConfig"]["defaults"]["thresholds"]["steps"] for panel in stats):
        assert {step["color"] for step in steps} == {"green", "yellow", "red"}
        assert steps[0]["value"] is None
        assert steps[1]["value"] < steps[2]["value"]


def test_links_to_runbooks_begin_with_the_documentation_url() -> None:
    (group,) = yaml.safe_load(alert_rules("https://example.com/onboarding"))["groups"]
    links = [rule["annotations"]["runbook_url"] for rule in group["rules"]]
    assert {link.partition("#")[0] for link in links} == {"https://example.com/onboarding/docs/operations/alerts.md"}


def test_alert_rules_have_the_form_of_prometheus() -> None:
    (group,) = yaml.safe_load(FILES["deploy/prometheus/alerts.yaml"])["groups"]
    assert all(
        set(rule) == {"alert", "expr", "for", "labels", "annotations"} and rule["labels"]["severity"]
        for rule in group["rules"]
    )


def test_sample_configuration_scrapes_the_port_of_each_process() -> None:
    sample = yaml.safe_load((ROOT / "deploy/prometheus/prometheus.yaml").read_text())
    ports = {
        job["job_name"]: {target.rpartition(":")[2] for target in job["static_configs"][0]["targets"]}
        for job in sample["scrape_configs"]
        if "static_configs" in job
    }
    assert ports == {
        "onboarding-edge": {"9401"},
        "onboarding-management": {"9402"},
        "onboarding-publisher": {"9403"},
        "onboarding-consumer": {"9404"},
    }
    assert sample["rule_files"] == ["alerts.yaml"]
