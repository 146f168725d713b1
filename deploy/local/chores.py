"""The chores of the command line, with their progress on standard error."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import redis
import sqlalchemy.exc
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from common.settings import DatabaseSettings, PublisherSettings
from deploy.local.demo_project import DEMO_EMAIL, seed_demo_project
from deploy.local.development_identity import DevelopmentIdentity
from deploy.local.ready_report import write_demo_file
from deploy.local.stack_errors import StackError
from deploy.local.stack_settings import StackSettings
from deploy.local.state_folder import StateFolder
from management_api.database.migrate import migrate
from publisher.republish import republish_all


def migrate_database(settings: DatabaseSettings) -> None:
    """Apply the missing migrations and name each."""
    console = Console(stderr=True)
    applied: list[str] = []

    def note(revision: str) -> None:
        applied.append(revision)
        console.print(f"applied {revision}", highlight=False)

    with _server_errors_as_one_line(), console.status("Bringing the database to the current schema"):
        migrate(settings, note)
    console.print(f"The schema is current; {len(applied)} revisions applied.", highlight=False)


def republish_projects(settings: PublisherSettings) -> None:
    """Publish every project again, with a bar."""
    console = Console(stderr=True)
    columns = (TextColumn("republishing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with _server_errors_as_one_line(), Progress(*columns, console=console) as progress:
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


@contextmanager
def _server_errors_as_one_line() -> Iterator[None]:
    """Turn the errors of a server that is away or refuses us into what the person at the terminal can use."""
    try:
        yield
    except (sqlalchemy.exc.DBAPIError, psycopg.Error) as error:
        cause = error.orig if isinstance(error, sqlalchemy.exc.DBAPIError) else error
        raise StackError(f"PostgreSQL: {_first_line(cause)}") from error
    except redis.RedisError as error:
        raise StackError(f"Redis: {_first_line(error)}") from error


def _first_line(error: BaseException | None) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
