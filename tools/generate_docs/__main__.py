"""Generates the documents and files that the code demands: `python -m tools.generate_docs FOLDER`."""

import sys
from pathlib import Path

from tools.generate_docs.alerts import alert_rules
from tools.generate_docs.dashboard import dashboard_text
from tools.generate_docs.example_environment import example_environment
from tools.generate_docs.metrics_page import metrics_page
from tools.generate_docs.settings_page import settings_page


def generated_files() -> dict[str, str]:
    """Return the generated files by their paths in the project."""
    return {
        ".env.example": example_environment(),
        "docs/reference/settings.md": settings_page(),
        "docs/reference/metrics.md": metrics_page(),
        "deploy/prometheus/alerts.yaml": alert_rules(),
        "deploy/grafana/dashboard.json": dashboard_text(),
    }


def main() -> None:
    """Write the files into the project folder of the first argument."""
    for path, content in generated_files().items():
        Path(sys.argv[1], path).write_text(content)


if __name__ == "__main__":
    main()
