"""`onboarding users`: the users of the dashboard and of API keys."""

from typing import Annotated

import typer

from common.settings.sources import read_settings

user_commands = typer.Typer(name="users", help="The users of the dashboard.", no_args_is_help=True)

_User = Annotated[str, typer.Argument(help="The id, or the e-mail address.")]


@user_commands.command("list")
def show(
    *,
    search: Annotated[str | None, typer.Option(help="A part of the name or of the address, or an id.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="The maximum number of users.")] = 50,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output, for programs.")] = False,
) -> None:
    """List users, the newest first."""
    from cli.connections import open_database
    from cli.console import print_rows
    from cli.settings import CommandSettings
    from management_api.users.operations import list_users

    with open_database(read_settings(CommandSettings)) as database, database.reading() as session:
        rows = list_users(session, search, limit)
    print_rows(rows, "no users", as_json=as_json)


@user_commands.command("deactivate")
def deactivate(
    user: _User,
    *,
    force: Annotated[bool, typer.Option("--force", help="Leave projects without an active owner.")] = False,
) -> None:
    """Stop all sessions and the API key of a user at once, and keep the memberships.

    The last owner of a project is not deactivated without --force.
    """
    from cli.connections import open_database
    from cli.settings import CommandSettings
    from management_api.users.operations import deactivate_user

    with open_database(read_settings(CommandSettings)) as database, database.transaction() as session:
        user_id, alone = deactivate_user(session, user, leave_without_owner=force)
    print(f"deactivated {user_id}")
    for project_id in alone:
        print(f"{project_id} has no active owner: `onboarding projects transfer {project_id} USER` gives it one")


@user_commands.command("reactivate")
def reactivate(user: _User) -> None:
    """Accept the sessions and the API key of a deactivated user again."""
    from cli.connections import open_database
    from cli.settings import CommandSettings
    from management_api.users.operations import reactivate_user

    with open_database(read_settings(CommandSettings)) as database, database.transaction() as session:
        print(f"reactivated {reactivate_user(session, user)}")


@user_commands.command("erase")
def erase(user: _User) -> None:
    """Erase a user: name, address, API key, memberships.

    Remove the user from the identity provider first: a later token makes a new user. The last owner of a project is not
    erased.
    """
    from cli.connections import open_database
    from cli.settings import CommandSettings
    from management_api.users.operations import erase_user

    with open_database(read_settings(CommandSettings)) as database, database.transaction() as session:
        print(f"erased {erase_user(session, user)}")
