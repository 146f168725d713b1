"""The work of `onboarding analytics`."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.table import Table
from rich.text import Text
from sqlalchemy import select

from cli.connections import open_database
from cli.console import plural, progress_bars
from cli.errors import CommandError, NotComparedError, ServerUnavailableError
from cli.settings import CommandSettings
from management_api.db.engine import Database
from management_api.db.models.projects import Project
from management_api.rollups.rebuild import Discrepancy, rebuild_project


def recompute_projects(settings: CommandSettings, project_id: str | None, *, repair: bool) -> bool:
    """Recompute one project, or all; print discrepancies, and return whether there were none.

    Raises NotComparedError where the project does not exist, ServerUnavailableError without PostgreSQL.
    """
    console = Console(stderr=True)
    discrepancies: list[Discrepancy] = []
    with _not_compared(), open_database(settings) as database:
        project_ids = _project_ids(database, project_id)
        with progress_bars(console) as progress:
            projects_bar = progress.add_task("projects", total=len(project_ids))
            days_bar = progress.add_task("days", total=None)
            for current in project_ids:
                discrepancies += rebuild_project(
                    database,
                    current,
                    repair=repair,
                    on_day=lambda done, days: progress.update(days_bar, completed=done, total=days),
                )
                progress.advance(projects_bar)
    if discrepancies:
        Console().print(_table(discrepancies))
    counts = f"{plural(len(project_ids), 'project')} recomputed, {plural(len(discrepancies), 'difference')}"
    console.print(f"{counts} {'repaired' if repair else 'found'}.", highlight=False)
    return not discrepancies


@contextmanager
def _not_compared() -> Iterator[None]:
    try:
        yield
    except ServerUnavailableError:
        raise
    except CommandError as error:
        raise NotComparedError(str(error)) from error


def _project_ids(database: Database, project_id: str | None) -> list[str]:
    with database.reading() as session:
        query = select(Project.id).order_by(Project.id)
        project_ids = session.scalars(query if project_id is None else query.where(Project.id == project_id)).all()
    if project_id is not None and not project_ids:
        raise CommandError(f"no project {project_id}")
    return list(project_ids)


def _table(discrepancies: list[Discrepancy]) -> Table:
    table = Table("project", "day", "subject", "stored", "recomputed")
    for found in discrepancies:
        # Names that devices made up are printed as text, without markup.
        cells = (found.project_id, str(found.day or "all"), found.subject, found.stored, found.recomputed)
        table.add_row(*(Text(cell) for cell in cells))
    return table
