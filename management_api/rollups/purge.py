"""Purges deleted projects: most rows in portions, then the project itself with the rest.

A portion is a transaction of its own with a pause behind it, so a project of any size is purged beside ingestion, and
an interrupted purge goes on where it was. Consumers of release 0.2.0 store events of the project until its row is gone,
and a batch may have begun before the deletion. So the last transaction owns the project, and the triggers of its row
remove what was stored meanwhile.
"""

import time
from typing import Any

import psycopg
import structlog
from sqlalchemy import func, select

from management_api.db.engine import Database, allow_long_statements
from management_api.db.models.deleted_projects import DeletedProject
from management_api.db.models.event_ids import project_key
from management_api.db.project_locks import own_deleted_project
from management_api.db.psycopg_connection import driver_cursor
from management_api.rollups.pacing import rest_since
from management_api.rollups.storage import ROLLUP_TABLES

log = structlog.stdlib.get_logger(__name__)

#: Seconds for one project in a round, so that others get their turn and a stop waits for no purge.
PROJECT_SECONDS = 5.0
#: Rows of a portion; documents of versions have up to a megabyte.
PORTION, VERSIONS_PORTION = 10_000, 50
STATEMENT_MINUTES = 10

_OF_PROJECT = "project_id = %(project)s"
#: The tables that grow without a quota, each with the condition of its rows and the size of a portion. Unfinished
#: erasures come first, because they write rollups.
_PORTIONS = (
    ("pending_erasures", _OF_PROJECT, PORTION),
    ("uncounted_batches", _OF_PROJECT, PORTION),
    ("events", _OF_PROJECT, PORTION),
    ("event_ids", "project = %(key)s", PORTION),
    ("exposures", _OF_PROJECT, PORTION),
    ("devices", _OF_PROJECT, PORTION),
    *((table, _OF_PROJECT, PORTION) for table in ROLLUP_TABLES),
    ("erased_devices", _OF_PROJECT, PORTION),
    ("dead_letters", _OF_PROJECT, PORTION),
    ("flow_versions", "flow_id IN (SELECT id FROM flows WHERE project_id = %(project)s)", VERSIONS_PORTION),
    ("theme_versions", "theme_id IN (SELECT id FROM themes WHERE project_id = %(project)s)", VERSIONS_PORTION),
    ("audit_entries", _OF_PROJECT, PORTION),
)
#: Rows are found by their place, which is unique in one table, so partitions are purged one by one.
_LEAVES = "SELECT relid::regclass::text FROM pg_partition_tree(%s::regclass) WHERE isleaf ORDER BY 1"
_DELETE = "DELETE FROM {table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM {table} WHERE {condition} LIMIT {limit}))"

#: Projects with rollups that are in no table of projects: a compaction of release 0.2.0 that ran beside the deletion
#: has left them. Each step finds the next project by one look into the index.
_FIND_ORPHANS = """
    WITH RECURSIVE counted (project_id) AS (
        (SELECT project_id FROM {table} ORDER BY project_id LIMIT 1)
        UNION ALL
        SELECT (SELECT project_id FROM {table} WHERE project_id > counted.project_id ORDER BY project_id LIMIT 1)
        FROM counted WHERE project_id IS NOT NULL
    )
    SELECT project_id FROM counted
    WHERE project_id IS NOT NULL AND NOT EXISTS (SELECT FROM projects WHERE id = counted.project_id)
"""

Cursor = psycopg.Cursor[Any]


def unpurged_projects(database: Database) -> list[tuple[str]]:
    """Return the deleted projects of which something is left, in another order each time."""
    with database.transaction() as session:
        found = select(DeletedProject.project_id).where(DeletedProject.purged_at.is_(None)).order_by(func.random())
        return [(project_id,) for project_id in session.scalars(found)]


def purge_project(
    database: Database, project_id: str, *, seconds: float = PROJECT_SECONDS, portion: int = PORTION
) -> None:
    """Delete rows of a deleted project for so many seconds, and its row at the end."""
    deadline = time.monotonic() + seconds
    values = {"project": project_id, "key": project_key(project_id)}
    for table, condition, largest in _PORTIONS:
        limit = min(portion, largest)
        for leaf in _leaves(database, table):
            statement = _DELETE.format(table=leaf, condition=condition, limit=limit)
            began = time.monotonic()
            while _execute(database, statement, values) == limit:
                rest_since(began)
                began = time.monotonic()
                if began >= deadline:
                    return
    with database.transaction() as session, driver_cursor(session) as cursor:
        allow_long_statements(session, minutes=STATEMENT_MINUTES)
        own_deleted_project(cursor, project_id)
        cursor.execute("DELETE FROM projects WHERE id = %s", [project_id])
        cursor.execute("UPDATE deleted_projects SET purged_at = clock_timestamp() WHERE project_id = %s", [project_id])
    log.info("project.purged", project_id=project_id)


def purge_orphans(database: Database) -> None:
    """Delete rollups without a project."""
    for table in ROLLUP_TABLES:
        with database.transaction() as session:
            allow_long_statements(session, minutes=STATEMENT_MINUTES)
            orphans = driver_cursor(session).execute(_FIND_ORPHANS.format(table=table).encode()).fetchall()
        for (project_id,) in orphans:
            rows = _execute(database, f"DELETE FROM {table} WHERE project_id = %(project)s", {"project": project_id})  # noqa: S608 - a constant
            log.warning("rollups.orphans_deleted", project_id=project_id, table=table, rows=rows)


def _leaves(database: Database, table: str) -> list[str]:
    """Return the partitions of a table, or the table itself if it has none."""
    with database.transaction() as session:
        found = driver_cursor(session).execute(_LEAVES, [table]).fetchall()
        return [name for (name,) in found] or [table]


def _execute(database: Database, statement: str, values: dict[str, object]) -> int:
    """Execute a statement in a transaction of its own, and return the number of its rows."""
    with database.transaction() as session, driver_cursor(session) as cursor:
        allow_long_statements(session, minutes=STATEMENT_MINUTES)
        cursor.execute(statement.encode(), values)
        return cursor.rowcount
