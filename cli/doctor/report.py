"""What `onboarding doctor` does: run the checks, and print what they say."""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Console
from rich.text import Text

from cli.doctor.checks.catalogue import CHECKS
from cli.doctor.finding import Level
from cli.doctor.installation import Installation
from cli.doctor.runner import Report, run_checks
from deploy.local.postgresql_server import PostgresqlServer
from deploy.local.settings import StackSettings
from deploy.local.state_folder import StateFolder

_STYLES = {Level.WELL: "green", Level.UNCHECKED: "dim", Level.WARNING: "yellow", Level.WRONG: "bold red"}


def show_reports(
    settings: StackSettings, edge_urls: Sequence[str], management_urls: Sequence[str], *, as_json: bool
) -> bool:
    """Print the reports as they come, or as JSON; tells whether nothing is wrong."""
    if not edge_urls and not management_urls and _is_local(settings):
        edge_urls, management_urls = [settings.edge_url], [settings.management_url]
    reports: list[Report] = []
    console = Console(stderr=as_json)
    with console.status("Looking"):
        for report in run_checks(Installation(settings, edge_urls, management_urls), CHECKS):
            reports.append(report)
            if not as_json:
                _show(console, report)
    all_well = not any(report.is_wrong for report in reports)
    if as_json:
        json.dump({"well": all_well, "checks": [asdict(report) for report in reports]}, sys.stdout, indent=2)
        sys.stdout.write("\n")
    return all_well


def _is_local(settings: StackSettings) -> bool:
    """Tell whether it is the local stack that is looked at."""
    return settings.database_url is None and PostgresqlServer(StateFolder(settings.state_dir)).find()


def _show(console: Console, report: Report) -> None:
    for finding in report.findings:
        # As text: what servers say of themselves may hold anything.
        line = Text(f"{finding.level.value:>11}", style=_STYLES[finding.level])
        line.append(f" {report.name}: {finding.sentence}", style="not bold default")
        if finding.remedy:
            line.append(f" {finding.remedy}", style="bold default")
        # A line each, also where the width is that of no terminal; a terminal breaks it by itself.
        console.print(line, soft_wrap=True)
