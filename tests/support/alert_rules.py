"""The alerts of deploy/prometheus, as Prometheus reads them."""

from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parents[2] / "deploy" / "prometheus"
RULE_FILES = ("alerts.yaml", "slo.yaml")
RULES_OF_FILES: dict[str, list[dict[str, Any]]] = {
    name: [rule for group in yaml.safe_load((FOLDER / name).read_text())["groups"] for rule in group["rules"]]
    for name in RULE_FILES
}
RULES = [rule for rules in RULES_OF_FILES.values() for rule in rules]
ALERTS = {rule["alert"]: rule for rule in RULES if "alert" in rule}
EXPRESSIONS: list[str] = [rule["expr"] for rule in RULES]
