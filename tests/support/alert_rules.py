"""The alerts of deploy/prometheus, as Prometheus reads them."""

from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parents[2] / "deploy" / "prometheus"
RULE_FILES = ("alerts.yaml", "slo.yaml")
RULES: list[dict[str, Any]] = [
    rule
    for name in RULE_FILES
    for group in yaml.safe_load((FOLDER / name).read_text())["groups"]
    for rule in group["rules"]
]
ALERTS = {rule["alert"]: rule for rule in RULES if "alert" in rule}
EXPRESSIONS: list[str] = [rule["expr"] for rule in RULES]
