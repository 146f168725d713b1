"""What the commands of `onboarding analytics` do: ask the database, and print."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from pydantic import SecretStr
from rich.console import Console
from rich.table import Table
from rich.text import Text
from sqlalchemy import select

from cli.plural import counted
from cli.progress_bars import progress_bars
from cli.server_addresses import database_address
from cli.server_errors import server_errors_as_one_line
from common.settings.shared import DatabaseSettings
from deploy.local.errors import NotComparedError, StackError
from deploy.local.settings import StackSettings
from management_api.db.engine import Database
from management_api.db.models.projects import Project
from management_api.rollups.rebuild import Discrepancy, rebuild_project


def recompute_projects(settings: StackSettings, project_id: str | None, *, repair: bool) -> bool:
    """Recompute one project, or all; tells whether everything agreed, and prints what did not.

    Raises NotComparedError where there is no such project, or PostgreSQL is away.
    """
    console = Console(stderr=True)
    address = SecretStr(database_address(settings))
    with _trouble_as_not_compared(), closing(Database(DatabaseSettings(database_url=address))) as database:
        projects = _projects(database, project_id)
        differences: list[Discrepancy] = []
        with progress_bars(console) as progress:
            whole, one = progress.add_task("projects", total=len(projects)), progress.add_task("days", total=None)
            for each in projects:
                differences += rebuild_project(
                    database,
                    each,
                    repair=repair,
                    on_day=lambda done, days: progress.update(one, completed=done, total=days),
                )
                progress.advance(whole)
    if differences:
        Console().print(_table(differences))
    done = "put right" if repair else "found"
    recomputed = counted(len(projects), "project", "projects")
    differing = counted(len(differences), "difference", "differences")
    console.print(f"{recomputed} recomputed, {differing} {done}.", highlight=False)
    return not differences


@contextmanager
def _trouble_as_not_compared() -> Iterator[None]:
    try:
        with server_errors_as_one_line():
            yield
    except StackError as error:
        raise NotComparedError(str(error)) from error


def _projects(database: Database, project_id: str | None) -> list[str]:
    with database.reading() as session:
        wanted = select(Project.id).order_by(Project.id)
        projects = session.scalars(wanted if project_id is None else wanted.where(Project.id == project_id)).all()
    if project_id is not None and not projects:
        raise StackError(f"no project {project_id}")
    return list(projects)


def _table(differences: list[Discrepancy]) -> Table:
    table = Table("project", "day", "what", "stored", "recomputed")
    for each in differences:
        # What devices made up is shown as it is, without markup.
        cells = (each.project_id, str(each.day or "all"), each.subject, each.stored, each.recomputed)
        table.add_row(*(Text(cell) for cell in cells))
    return table
