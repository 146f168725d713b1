"""`onboarding keys`: the secrets in the database that the master key encrypts."""

from typing import Annotated

import typer

from common.settings.sources import read_settings

key_commands = typer.Typer(name="keys", help="The secrets that the master key encrypts.", no_args_is_help=True)

_FORMER_KEY_IS_NEEDED = 1


@key_commands.callback()
def keys() -> None:
    """Keep `re-encrypt` a subcommand, although it is the only one."""


@key_commands.command("re-encrypt")
def reencrypt(
    *, check: Annotated[bool, typer.Option("--check", help="Only count secrets under a former key.")] = False
) -> None:
    """Encrypt all secrets in the database with the first key of ONBOARDING_MASTER_KEY.

    It may run beside the service, be interrupted, and be repeated. Exits with 1 while a former key is still needed.
    """
    from cli.data.keys_actions import reencrypt_secrets
    from cli.settings import CommandSettings

    if not reencrypt_secrets(read_settings(CommandSettings), check=check):
        raise typer.Exit(_FORMER_KEY_IS_NEEDED)
