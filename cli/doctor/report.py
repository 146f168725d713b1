"""The work of `onboarding doctor`: run all checks and print their results."""

from collections.abc import Sequence

import typer
from rich.console import Console
from rich.text import Text

from cli.console import print_json
from cli.doctor.checks.clocks import check_clocks
from cli.doctor.checks.environment import check_open_files, check_settings
from cli.doctor.checks.events import (
    check_dead_letters,
    check_event_streams,
    check_lost_streams,
    check_maintenance,
    check_quotas,
    check_spool,
)
from cli.doctor.checks.keys import check_assignment_keys, check_master_key
from cli.doctor.checks.media import check_media_store
from cli.doctor.checks.postgresql import check_connections, check_postgresql
from cli.doctor.checks.publishing import check_pages, check_publishers, check_schedules, check_snapshots
from cli.doctor.checks.redis_server import check_event_replicas, check_redis
from cli.doctor.checks.services import check_dashboard, check_services
from cli.doctor.installation import Installation
from cli.doctor.result import Level
from cli.doctor.runner import Check, Report, run_checks
from cli.processes.local_stack import find_local_stack
from cli.settings import CommandSettings

#: In the order of their reports.
CHECKS = (
    Check("settings", check_settings),
    Check("open files", check_open_files),
    Check("PostgreSQL", check_postgresql),
    Check("connections", check_connections),
    Check("Redis", check_redis),
    Check("event replicas", check_event_replicas),
    Check("clocks", check_clocks),
    Check("master key", check_master_key),
    Check("assignment keys", check_assignment_keys),
    Check("publisher", check_publishers),
    Check("schedules", check_schedules),
    Check("snapshots", check_snapshots),
    Check("hosted pages", check_pages),
    Check("event consumer", check_event_streams),
    Check("quotas", check_quotas),
    Check("lost events", check_lost_streams),
    Check("dead letters", check_dead_letters),
    Check("maintenance", check_maintenance),
    Check("spool", check_spool),
    Check("media store", check_media_store),
    Check("services", check_services),
    Check("dashboard", check_dashboard),
)
_STYLES = {Level.OK: "green", Level.NOT_CHECKED: "dim", Level.WARNING: "yellow", Level.ERROR: "bold red"}


def show_reports(
    settings: CommandSettings,
    edge_urls: Sequence[str],
    management_urls: Sequence[str],
    only: Sequence[str],
    *,
    as_json: bool,
) -> bool:
    """Print each report when it is complete, or all as JSON; return whether there is no error.

    Only the checks of the names in `only` run, if there are any.
    """
    if unknown := set(only) - {check.name for check in CHECKS}:
        raise typer.BadParameter(f"no check is called {', '.join(sorted(unknown))}", param_hint="--only")
    checks = [check for check in CHECKS if not only or check.name in only]
    if not edge_urls and not management_urls and settings.database_url is None:
        stack = find_local_stack(settings.state_dir)
        if stack is not None and stack.database_url is not None:
            edge_urls, management_urls = [stack.edge_url], [stack.management_url]
    reports: list[Report] = []
    console = Console(stderr=as_json)
    with console.status("Checking"):
        for report in run_checks(Installation(settings, edge_urls, management_urls), checks):
            reports.append(report)
            if not as_json:
                _print(console, report)
    is_ok = not any(report.has_error for report in reports)
    if as_json:
        print_json({"ok": is_ok, "checks": reports})
    return is_ok


def _print(console: Console, report: Report) -> None:
    for result in report.results:
        # As text, without markup: messages may quote replies of servers.
        line = Text(f"{result.level.value:>11}", style=_STYLES[result.level])
        line.append(f" {report.name}: {result.message}", style="not bold default")
        if result.remedy:
            line.append(f" {result.remedy}", style="bold default")
        # One line each; a terminal breaks long lines itself.
        console.print(line, soft_wrap=True)
