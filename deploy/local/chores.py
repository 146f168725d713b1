"""The chores of the command line, with their progress on standard error."""

from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from common.settings import DatabaseSettings, PublisherSettings
from deploy.local.demo_project import DEMO_EMAIL, seed_demo_project
from deploy.local.development_identity import DevelopmentIdentity
from deploy.local.ready_report import write_demo_file
from deploy.local.server_failures import server_errors_as_one_line
from deploy.local.stack_settings import StackSettings
from deploy.local.state_folder import StateFolder
from management_api.database.migrate import migrate
from management_api.database.schema_compatibility import SchemaFit
from publisher.republish import republish_all


def migrate_database(settings: DatabaseSettings) -> None:
    """Apply the missing migrations and name each."""
    console = Console(stderr=True)
    applied: list[str] = []

    def note(revision: str) -> None:
        applied.append(revision)
        console.print(f"applied {revision}", highlight=False)

    with server_errors_as_one_line(), console.status("Bringing the database to the current schema"):
        fit = migrate(settings, note)
    if fit is SchemaFit.NEWER:
        console.print(
            "The schema is that of a newer release and serves this one too; nothing was done.", highlight=False
        )
    else:
        console.print(f"The schema is current; {len(applied)} revisions applied.", highlight=False)


def republish_projects(settings: PublisherSettings) -> None:
    """Publish every project again, with a bar."""
    console = Console(stderr=True)
    columns = (TextColumn("republishing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with server_errors_as_one_line(), Progress(*columns, console=console) as progress:
        task = progress.add_task("republishing", total=None)
        count = republish_all(settings, lambda done, total: progress.update(task, completed=done, total=total))
    console.print(f"{count} projects republished.", highlight=False)


def seed_demo_into(settings: StackSettings, management_url: str | None, state_dir: Path | None) -> None:
    """Make the demo project where it is missing and write `demo.json`."""
    state = StateFolder(state_dir or settings.state_dir)
    state.make()
    token = DevelopmentIdentity(state).token(DEMO_EMAIL)
    demo = seed_demo_project(management_url or settings.management_url, token)
    write_demo_file(state, settings, demo, token)
    Console(stderr=True).print(f"Demo project {demo.project_id}; its keys are in {state.demo_file}", highlight=False)
