"""`onboarding analytics`: whether what is counted agrees with the events that are stored."""

from typing import Annotated

import typer

from common.errors import SettingsError
from common.settings.sources import read_settings

analytics_commands = typer.Typer(
    name="analytics", help="What is counted of events, and whether it agrees with them.", no_args_is_help=True
)

_DIFFERS = 1


@analytics_commands.callback()
def analytics() -> None:
    """Keep `recompute` a command of its own, though it is the only one."""


@analytics_commands.command()
def recompute(
    *,
    project: Annotated[str | None, typer.Option(help="Only this project.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every project.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Compare only, and change nothing.")] = False,
) -> None:
    """Count everything anew from the stored events, report what differs, and put it right.

    Exits with 1 when anything differed, with 2 when it could not be told. It may run while events are being stored.
    """
    from cli.analytics_actions import recompute_projects
    from deploy.local.settings import StackSettings

    if everything == (project is not None):
        raise SettingsError("say what to recompute: either --project or --all")
    if not recompute_projects(read_settings(StackSettings), project, repair=not check):
        raise typer.Exit(_DIFFERS)
