"""`onboarding keys`: what stands sealed in the database, and under which master key."""

from typing import Annotated

import typer

from common.settings.sources import read_settings

key_commands = typer.Typer(name="keys", help="What the master key has sealed, and its rotation.", no_args_is_help=True)

_FORMER_KEY_IS_NEEDED = 1


@key_commands.callback()
def keys() -> None:
    """Keep `reseal` a command of its own, though it is the only one."""


@key_commands.command("reseal")
def reseal_keys(
    *, check: Annotated[bool, typer.Option("--check", help="Only count what is still under a former key.")] = False
) -> None:
    """Seal everything in the database anew under the first of ONBOARDING_MASTER_KEY.

    It may run while the service does, be interrupted, and be repeated. Exits with 1 while a former key is still needed.
    """
    from cli.keys_actions import reseal_everything
    from deploy.local.settings import StackSettings

    if not reseal_everything(read_settings(StackSettings), check=check):
        raise typer.Exit(_FORMER_KEY_IS_NEEDED)
