"""`onboarding events`: how events stand between the edge and PostgreSQL, and what to do with dead letters."""

from typing import Annotated

import typer

from common.errors import SettingsError
from common.settings.sources import read_settings

event_commands = typer.Typer(
    name="events", help="How events stand on their way to PostgreSQL; dead letters.", no_args_is_help=True
)
letter_commands = typer.Typer(
    name="dead-letters", help="Events that could not be stored, with the reason.", no_args_is_help=True
)
event_commands.add_typer(letter_commands)

AsJson = Annotated[bool, typer.Option("--json", help="JSON on standard output, for programs.")]
Kind = Annotated[str | None, typer.Option("--reason", help="Only those of this kind, as `status` names it.")]
Project = Annotated[str | None, typer.Option(help="Only those of this project.")]


@event_commands.command()
def status(
    *,
    as_json: AsJson = False,
    seconds: Annotated[float, typer.Option(min=0.1, max=3600, help="For how long rates are measured.")] = 1.0,
) -> None:
    """Show what waits in the streams and for how long, rates, pending entries by consumer, dead letters, spool."""
    from cli.events_actions import show_event_status
    from deploy.local.settings import StackSettings

    show_event_status(read_settings(StackSettings), seconds, as_json=as_json)


@letter_commands.command("list")
def list_letters(
    *,
    reason: Kind = None,
    project: Project = None,
    limit: Annotated[int, typer.Option(min=1, help="How many, the newest first.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List dead letters, the newest first."""
    from cli.events_actions import show_letters
    from deploy.local.settings import StackSettings
    from management_api.event_consumer.dead_letters import DeadLetterFilter

    which = DeadLetterFilter(kind=reason, project_id=project, replayed_too=True)
    show_letters(read_settings(StackSettings), which, limit, as_json=as_json)


@letter_commands.command("show")
def show_letter(letter_id: Annotated[int, typer.Argument(help="The letter's id.")]) -> None:
    """Print one dead letter as JSON, with the record in it, or its bytes in base64 where it cannot be read."""
    from cli.events_actions import show_whole_letter
    from deploy.local.settings import StackSettings

    show_whole_letter(read_settings(StackSettings), letter_id)


@event_commands.command("replay-dead-letters")
def replay_dead_letters(
    *,
    everything: Annotated[bool, typer.Option("--all", help="Every letter.")] = False,
    reason: Kind = None,
    project: Project = None,
    letter_id: Annotated[list[int] | None, typer.Option("--id", help="This letter; may be given again.")] = None,
    again: Annotated[bool, typer.Option("--again", help="Also letters that are on their way already.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how many there are.")] = False,
) -> None:
    """Put dead letters back into their streams; each goes when its event is stored, or comes back with the reason."""
    from cli.events_actions import replay
    from deploy.local.settings import StackSettings
    from management_api.event_consumer.dead_letters import DeadLetterFilter

    named = bool(letter_id or reason or project)
    if named == everything:
        raise SettingsError("say what to replay: either --all, or any of --reason, --project and --id")
    which = DeadLetterFilter(ids=tuple(letter_id or ()), kind=reason, project_id=project, replayed_too=again)
    replay(read_settings(StackSettings), which, dry_run=dry_run)
