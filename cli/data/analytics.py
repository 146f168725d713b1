"""`onboarding analytics`: the rollups, compared with the stored events."""

from typing import Annotated

import typer

from common.errors import SettingsError
from common.settings.sources import read_settings

analytics_commands = typer.Typer(
    name="analytics", help="The rollups, compared with the stored events.", no_args_is_help=True
)

_DIFFERS = 1


@analytics_commands.callback()
def analytics() -> None:
    """Keep `recompute` a subcommand, although it is the only one."""


@analytics_commands.command()
def recompute(
    *,
    project: Annotated[str | None, typer.Option(help="Only this project.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All projects.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Compare only, and change nothing.")] = False,
) -> None:
    """Count the stored events again, report differences to the rollups, and correct the rollups.

    Exits with 1 when there were differences, with 2 when a comparison was not possible, with 3 without PostgreSQL. It
    may run while events are being stored.
    """
    from cli.data.analytics_actions import recompute_projects
    from cli.settings import CommandSettings

    if everything == (project is not None):
        raise SettingsError("say what to recompute: either --project or --all")
    if not recompute_projects(read_settings(CommandSettings), project, repair=not check):
        raise typer.Exit(_DIFFERS)
