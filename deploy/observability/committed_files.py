"""The files that are made of metrics and alerts: written by `make metrics`, held to the code by a test."""

import sys
from pathlib import Path

from deploy.observability.alert_rules import alert_rules
from deploy.observability.dashboard import dashboard_text
from deploy.observability.metrics_page import metrics_page


def demanded_files() -> dict[str, str]:
    """Give each file that the code demands, by its path in the project; the same code gives the same text."""
    return {
        "docs/metrics.md": metrics_page(),
        "deploy/observability/alerts.yaml": alert_rules(),
        "deploy/observability/dashboard.json": dashboard_text(),
    }


def main() -> None:
    """Write them into the project whose folder is named."""
    for path, content in demanded_files().items():
        Path(sys.argv[1], path).write_text(content)


if __name__ == "__main__":
    main()
