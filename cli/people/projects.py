"""`onboarding projects`: the projects of the installation."""

from typing import Annotated

import typer

from common.settings.sources import read_settings

project_commands = typer.Typer(name="projects", help="The projects of the installation.", no_args_is_help=True)


@project_commands.command("list")
def list_projects(
    *,
    search: Annotated[
        str | None, typer.Option(help="A part of the name, an id, or the id or address of an owner.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="The maximum number of projects.")] = 50,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output, for programs.")] = False,
) -> None:
    """List projects with their active owners, the newest first."""
    from cli.people.projects_actions import show_projects
    from cli.settings import CommandSettings

    show_projects(read_settings(CommandSettings), search, limit, as_json=as_json)


@project_commands.command("deleted")
def list_deleted(
    *,
    limit: Annotated[int, typer.Option(min=1, help="The maximum number of projects.")] = 50,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output, for programs.")] = False,
) -> None:
    """List deleted projects, the newest deletion first: who deleted each one, when, and when its data were gone."""
    from cli.people.projects_actions import show_deleted_projects
    from cli.settings import CommandSettings

    show_deleted_projects(read_settings(CommandSettings), limit, as_json=as_json)


@project_commands.command("transfer")
def transfer(
    project: Annotated[str, typer.Argument(help="The id of the project.")],
    user: Annotated[str, typer.Argument(help="The id of the new owner, or the e-mail address.")],
) -> None:
    """Give a project another owner, who need not be a member. Former owners become admins.

    This is for a project that lost its last owner. Owners transfer their projects in the dashboard.
    """
    from cli.people.projects_actions import transfer_to_user
    from cli.settings import CommandSettings

    print(f"{transfer_to_user(read_settings(CommandSettings), project, user)} owns {project}")
