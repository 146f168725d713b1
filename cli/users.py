"""`onboarding users`: the users of the dashboard and of API keys."""

from typing import Annotated

import typer

from common.settings.sources import read_settings

user_commands = typer.Typer(name="users", help="The users of the dashboard.", no_args_is_help=True)


@user_commands.callback()
def users() -> None:
    """Keep `erase` a subcommand, although it is the only one."""


@user_commands.command("erase")
def erase(user: Annotated[str, typer.Argument(help="The id, or the e-mail address.")]) -> None:
    """Erase a user: name, address, API key, memberships.

    Remove the user from the identity provider first: a later token makes a new user. The last owner of a project is not
    erased.
    """
    from cli.connections import open_database
    from cli.settings import CommandSettings
    from management_api.users.erasure import erase_user

    with open_database(read_settings(CommandSettings)) as database, database.transaction() as session:
        print(f"erased {erase_user(session, user)}")
