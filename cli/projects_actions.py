"""The work of `onboarding projects`."""

from rich.console import Console
from rich.table import Table
from rich.text import Text
from sqlalchemy import select

from cli.connections import open_database
from cli.console import print_json
from cli.settings import CommandSettings
from management_api.db.models.deleted_projects import DeletedProject

_COLUMNS = (
    DeletedProject.project_id,
    DeletedProject.name,
    DeletedProject.deleted_by,
    DeletedProject.deleted_at,
    DeletedProject.purged_at,
)


def show_deleted_projects(settings: CommandSettings, limit: int, *, as_json: bool) -> None:
    """Print the newest deletions, one a line."""
    newest = select(*_COLUMNS).order_by(DeletedProject.deleted_at.desc()).limit(limit)
    with open_database(settings) as database, database.reading() as session:
        rows = [row._asdict() for row in session.execute(newest)]
    if as_json:
        print_json(rows)
        return
    table = Table(*(column.key for column in _COLUMNS) if rows else ("no deleted projects",))
    for row in rows:
        # As text, because a name may have markup.
        table.add_row(*(Text("" if value is None else str(value)) for value in row.values()))
    Console().print(table)
