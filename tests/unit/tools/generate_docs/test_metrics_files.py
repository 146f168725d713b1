"""The generated files of metrics and alerts."""

import json

import yaml

from common.telemetry.catalogue.complete import CATALOGUE
from tests.support.prometheus_queries import is_balanced, selectors_of
from tools.generate import ROOT, generated_files

FILES = generated_files()


def test_query_of_the_dashboard_names_existing_metrics_of_the_selected_instances() -> None:
    panels = json.loads(FILES["deploy/grafana/dashboard.json"])["panels"]
    expressions = [target["expr"] for panel in panels for target in panel.get("targets", ())]
    known = {series for metric in CATALOGUE.values() for series in metric.series}
    # Recorded series are of all processes.
    selected = {("job", "=~", "$job"), ("instance", "=~", "$instance")}
    assert expressions
    assert [expression for expression in expressions if not is_balanced(expression)] == []
    selectors = [selector for expression in expressions for selector in selectors_of(expression)]
    for selector in (each for each in selectors if not each.series.startswith("onboarding:")):
        assert selector.series in known
        assert selected <= set(selector.matchers)


def test_sample_configuration_scrapes_the_port_of_each_process() -> None:
    sample = yaml.safe_load((ROOT / "deploy/prometheus/prometheus.yaml").read_text())
    ports = {
        job["job_name"]: {target.rpartition(":")[2] for target in job["static_configs"][0]["targets"]}
        for job in sample["scrape_configs"]
        if "static_configs" in job and "metrics_path" not in job
    }
    assert ports == {
        "onboarding-edge": {"9401"},
        "onboarding-management": {"9402"},
        "onboarding-publisher": {"9403"},
        "onboarding-consumer": {"9404"},
    }
    assert sample["rule_files"] == ["alerts.yaml", "slo.yaml"]
