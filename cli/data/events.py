"""`onboarding events`: events between the edge and PostgreSQL, and dead letters."""

from typing import Annotated

import typer

from common.errors import SettingsError
from common.settings.sources import read_settings

event_commands = typer.Typer(
    name="events", help="Events on their way to PostgreSQL, and dead letters.", no_args_is_help=True
)
dead_letter_commands = typer.Typer(
    name="dead-letters", help="Events that could not be stored, with the reason.", no_args_is_help=True
)
event_commands.add_typer(dead_letter_commands)

AsJson = Annotated[bool, typer.Option("--json", help="JSON on standard output, for programs.")]
Reason = Annotated[str | None, typer.Option(help="Only dead letters of this kind, as `status` names it.")]
Project = Annotated[str | None, typer.Option(help="Only dead letters of this project.")]
Everything = Annotated[bool, typer.Option("--all", help="All dead letters.")]
Ids = Annotated[list[int] | None, typer.Option("--id", help="This dead letter; may be repeated.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only count them.")]


@event_commands.command()
def status(
    *,
    as_json: AsJson = False,
    seconds: Annotated[float, typer.Option(min=0.1, max=3600, help="The time over which rates are measured.")] = 1.0,
) -> None:
    """Show the backlog of the streams and its age, rates, pending entries by consumer, dead letters, and the spool."""
    from cli.data.events_actions import show_status
    from cli.settings import CommandSettings

    show_status(read_settings(CommandSettings), seconds, as_json=as_json)


@dead_letter_commands.command("list")
def list_all(
    *,
    reason: Reason = None,
    project: Project = None,
    limit: Annotated[int, typer.Option(min=1, help="The maximum number of dead letters.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List dead letters, the newest first."""
    from cli.data.events_actions import show_dead_letters
    from cli.settings import CommandSettings
    from management_api.event_consumer.dead_letters import DeadLetterFilter

    selected = DeadLetterFilter(kind=reason, project_id=project, include_replayed=True)
    show_dead_letters(read_settings(CommandSettings), selected, limit, as_json=as_json)


@dead_letter_commands.command("show")
def show(dead_letter_id: Annotated[int, typer.Argument(help="The id of the dead letter.")]) -> None:
    """Print one dead letter as JSON, with its record, or with its bytes in base64 if they are no record."""
    from cli.data.events_actions import show_dead_letter
    from cli.settings import CommandSettings

    show_dead_letter(read_settings(CommandSettings), dead_letter_id)


@dead_letter_commands.command("replay")
def replay(
    *,
    everything: Everything = False,
    reason: Reason = None,
    project: Project = None,
    ids: Ids = None,
    again: Annotated[bool, typer.Option("--again", help="Also dead letters that are being replayed.")] = False,
    dry_run: DryRun = False,
) -> None:
    """Put dead letters back into their streams. Each is deleted when its event is stored, or gets a new reason."""
    from cli.data.events_actions import replay_selected
    from cli.settings import CommandSettings
    from management_api.event_consumer.dead_letters import DeadLetterFilter

    _check_selection(everything, ids, reason, project)
    selected = DeadLetterFilter(ids=tuple(ids or ()), kind=reason, project_id=project, include_replayed=again)
    replay_selected(read_settings(CommandSettings), selected, dry_run=dry_run)


@dead_letter_commands.command("delete")
def delete(
    *,
    everything: Everything = False,
    reason: Reason = None,
    project: Project = None,
    ids: Ids = None,
    dry_run: DryRun = False,
) -> None:
    """Delete dead letters that are not being replayed. Their events are lost."""
    from cli.data.events_actions import delete_selected
    from cli.settings import CommandSettings
    from management_api.event_consumer.dead_letters import DeadLetterFilter

    _check_selection(everything, ids, reason, project)
    selected = DeadLetterFilter(ids=tuple(ids or ()), kind=reason, project_id=project)
    delete_selected(read_settings(CommandSettings), selected, dry_run=dry_run)


def _check_selection(everything: object, *filters: object) -> None:
    if any(filters) == bool(everything):
        raise SettingsError("say which dead letters: either --all, or any of --reason, --project and --id")
