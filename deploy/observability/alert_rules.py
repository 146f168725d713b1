"""The alerts as Prometheus reads them."""

import json
from collections.abc import Iterator

from deploy.observability.alerts import ALERTS, Alert

_HEAD = """# Made of deploy/observability/alerts.py by `make metrics`: change it there.
groups:
  - name: onboarding
    rules:
"""


def alert_rules() -> str:
    """Give the file of rules. A JSON string is a YAML string too, whatever is in it."""
    return _HEAD + "".join(line for alert in ALERTS for line in _rule(alert))


def runbook_of(alert: Alert) -> str:
    """Give where the paragraph is that says what to do."""
    return f"docs/operations/alerts.md#{alert.name.lower()}"


def _rule(alert: Alert) -> Iterator[str]:
    yield f"      - alert: {alert.name}\n"
    yield f"        expr: {json.dumps(alert.expression)}\n"
    yield f"        for: {alert.lasting}\n"
    yield f"        labels: {{severity: {alert.severity}}}\n"
    yield "        annotations:\n"
    yield f"          summary: {json.dumps(alert.summary)}\n"
    yield f"          runbook_url: {json.dumps(runbook_of(alert))}\n"
