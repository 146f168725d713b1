"""The rules of deploy/prometheus, judged by promtool: each alert fires on bad samples and on no good ones."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.alert_rules import ALERTS, FOLDER, RULE_FILES, RULES_OF_FILES

_SAMPLES: dict[str, dict[str, list[str]]] = yaml.safe_load((Path(__file__).parent / "samples.yaml").read_text())


def _promtool(*arguments: str) -> str:
    """Run promtool, which must succeed; return its output."""
    found = shutil.which("promtool", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
    if found is None:
        pytest.skip("promtool is not installed: `make programs` takes it from the packages of Debian")
    ended = subprocess.run([found, *arguments], capture_output=True, text=True, check=False)  # noqa: S603 - a tool
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def _case(alert: str, series: list[str], expected: str) -> dict[str, Any]:
    values = [_series(one)["values"].split() for one in series]
    minutes = max(sum(int(part.partition("x")[2] or 0) + 1 for part in each) for each in values)
    firing = f'ALERTS{{alertname="{alert}", alertstate="firing"}}'
    return {
        "name": f"{alert}: {expected}",
        "interval": "1m",
        "input_series": [_series(one) for one in series],
        "promql_expr_test": [
            {"expr": f"count({firing}) > bool 0", "eval_time": f"{minute}m", "exp_samples": samples}
            for minute, samples in (
                [(minutes - 1, [{"labels": "{}", "value": 1}])]
                if expected == "fires"
                else [(minute, []) for minute in range(0, minutes, max(1, minutes // 10))]
            )
        ],
    }


def _series(text: str) -> dict[str, str]:
    name, _, values = text.rpartition("} ") if "} " in text else text.partition(" ")
    return {"series": f"{name}}}" if "{" in name else name, "values": values}


def test_every_alert_has_samples() -> None:
    assert set(_SAMPLES) == set(ALERTS)


@pytest.mark.slow
# The objectives have windows of hours, so they are evaluated less often, and without the other rules.
@pytest.mark.parametrize(("file", "minutes"), [("alerts.yaml", 1), ("slo.yaml", 5)])
def test_every_alert_fires_on_bad_samples_and_not_on_good_ones(tmp_path: Path, file: str, minutes: int) -> None:
    cases = [
        _case(alert, series, "fires" if kind == "bad" else "is silent")
        for alert, samples in _SAMPLES.items()
        if ALERTS[alert] in RULES_OF_FILES[file]
        for kind, series in samples.items()
    ]
    _judge(cases, tmp_path, [file], minutes)


def test_budget_left_is_the_unused_share_of_the_allowed_errors(tmp_path: Path) -> None:
    # One probe of 10,000 fails, and five may.
    left = {"labels": '{slo="gateway"}', "value": 0.8}
    case = {
        "interval": "1m",
        "input_series": [_series('probe_success{job="onboarding-gateway"} 0.9999x100')],
        "promql_expr_test": [
            {"expr": "round(onboarding:slo_budget_left:ratio30d, 0.01)", "eval_time": "100m", "exp_samples": [left]}
        ],
    }
    _judge([case], tmp_path)


def test_link_to_a_runbook_begins_with_the_external_label(tmp_path: Path) -> None:
    name = "OnboardingManagementGone"
    link = f"https://docs.example.com/docs/operations/slo.md#{name.lower()}"
    raised = {
        "exp_labels": {"severity": "critical"},
        "exp_annotations": {"summary": ALERTS[name]["annotations"]["summary"], "runbook_url": link},
    }
    case = {
        "interval": "1m",
        "external_labels": {"documentation": "https://docs.example.com/"},
        "input_series": [_series('up{job="onboarding-edge"} 1x10')],
        "alert_rule_test": [{"eval_time": "9m", "alertname": name, "exp_alerts": [raised]}],
    }
    _judge([case], tmp_path)


def _judge(cases: list[dict[str, Any]], folder: Path, rules: Sequence[str] = RULE_FILES, minutes: int = 1) -> None:
    file = folder / "tests.yaml"
    files = [str(FOLDER / name) for name in rules]
    file.write_text(yaml.safe_dump({"rule_files": files, "evaluation_interval": f"{minutes}m", "tests": cases}))
    _promtool("test", "rules", str(file))


def test_sample_configuration_is_valid_and_loads_all_rules() -> None:
    _promtool("check", "config", str(FOLDER / "prometheus.yaml"))
    configuration = yaml.safe_load((FOLDER / "prometheus.yaml").read_text())
    assert configuration["rule_files"] == list(RULE_FILES)
