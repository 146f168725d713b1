"""The chores of the command line, with their progress on standard error."""

from pathlib import Path

from rich.console import Console

from cli.plural import counted
from cli.progress_bars import progress_bars
from cli.server_errors import server_errors_as_one_line
from common.settings.shared import DatabaseSettings
from deploy.local.demo_project import DEMO_EMAIL, seed_demo_project
from deploy.local.errors import StackError
from deploy.local.identity import DevelopmentIdentity
from deploy.local.settings import StackSettings
from deploy.local.startup_summary import write_demo_file
from deploy.local.state_folder import StateFolder
from management_api.db.migrate import SchemaFit, migrate
from publisher.main import rebuild_all
from publisher.settings import PublisherSettings


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
        revisions = counted(len(applied), "revision", "revisions")
        console.print(f"The schema is current; {revisions} applied.", highlight=False)


def republish_projects(settings: PublisherSettings) -> None:
    """Publish every project again, with a bar. Raises StackError where some could not be."""
    console = Console(stderr=True)
    tried = 0
    with server_errors_as_one_line(), progress_bars(console) as progress:
        task = progress.add_task("republishing", total=None)

        def note(done: int, total: int) -> None:
            nonlocal tried
            tried = done
            progress.update(task, completed=done, total=total)

        count = rebuild_all(settings, note)
    console.print(f"{counted(count, 'project', 'projects')} republished.", highlight=False)
    if tried > count:
        failed = counted(tried - count, "project", "projects")
        raise StackError(f"{failed} could not be published; `publication.failed` above names each, with the reason")


def seed_demo_into(settings: StackSettings, management_url: str | None, state_dir: Path | None) -> None:
    """Make the demo project where it is missing and write `demo.json`."""
    state = StateFolder(state_dir or settings.state_dir)
    state.make()
    token = DevelopmentIdentity(state).token(DEMO_EMAIL)
    demo = seed_demo_project(management_url or settings.management_url, token)
    write_demo_file(state, settings, demo, token)
    Console(stderr=True).print(f"Demo project {demo.project_id}; its keys are in {state.demo_file}", highlight=False)
