"""Generates the documentation of metrics, the alerts and the dashboard (`make metrics`)."""

import sys
from pathlib import Path

from deploy.observability.alerts import alert_rules
from deploy.observability.dashboard import dashboard_text
from deploy.observability.metrics_page import metrics_page


def generated_files() -> dict[str, str]:
    """Return the generated files by their paths in the project."""
    return {
        "docs/reference/metrics.md": metrics_page(),
        "deploy/observability/alerts.yaml": alert_rules(),
        "deploy/observability/dashboard.json": dashboard_text(),
    }


def main() -> None:
    """Write the files into the project folder of the first argument."""
    for path, content in generated_files().items():
        Path(sys.argv[1], path).write_text(content)


if __name__ == "__main__":
    main()
