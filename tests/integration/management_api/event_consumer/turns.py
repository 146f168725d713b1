"""The tables of recent ids, whose turns a test changes and fills."""

from datetime import timedelta

from sqlalchemy import text

from common.timestamps import utc_now
from management_api.activity.upkeep import Upkeep
from management_api.database.recent_event_ids import project_key
from management_api.database.transactions import Database

_FILL = """
    INSERT INTO recent_event_ids_{} (project, digest)
    SELECT :project, gen_random_uuid() FROM generate_series(1, :many)
"""


def turn_over(database: Database, *, days: int = 8) -> None:
    """Let so many days pass."""
    Upkeep(database, keep_days=400, now=lambda: utc_now() + timedelta(days=days)).round(is_large=True)


def fill(database: Database, project_id: str, many: int, *tables: str) -> None:
    """Add the ids of so many other events of the project to tables, of which PostgreSQL knows nothing yet."""
    with database.transaction() as session:
        for name in tables:
            session.execute(text(_FILL.format(name)), {"project": project_key(project_id), "many": many})
