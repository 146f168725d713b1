"""The copies of snapshots on the disk of an edge, read and damaged by tests."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from edge_api.snapshots.disk_store import DATABASE_NAME


def copied_revisions(folder: Path) -> dict[str, int]:
    """Return the revision of each copy that has a body; nothing while there is no database."""
    try:
        with _database(folder) as connection:
            return dict(connection.execute("SELECT project_id, revision FROM copies WHERE body IS NOT NULL"))
    except sqlite3.OperationalError:
        return {}


def synced_at(folder: Path) -> float | None:
    """Return the time at which the copies were last known to be as new as Redis."""
    with _database(folder) as connection:
        row = connection.execute("SELECT synced_at FROM sync").fetchone()
    return None if row is None else float(row[0])


def stored_position(folder: Path) -> tuple[bytes | None, tuple[int, int]] | None:
    """Return the epoch and the position of the change stream that the copies have reached."""
    with _database(folder) as connection:
        row = connection.execute("SELECT epoch, milliseconds, sequence FROM position").fetchone()
    return None if row is None else (row[0], (row[1], row[2]))


def age_sync(folder: Path, *, hours: int) -> None:
    """Set the time of the last synchronisation back."""
    with _database(folder) as connection:
        connection.execute("UPDATE sync SET synced_at = synced_at - ?", (hours * 3_600,))


def change_body(folder: Path, project_id: str, body: bytes) -> None:
    """Replace the body of a copy, without its checksum."""
    with _database(folder) as connection:
        connection.execute("UPDATE copies SET body = ? WHERE project_id = ?", (body, project_id))


def body_of(folder: Path, project_id: str) -> bytes | None:
    """Return the body of a copy, damaged or not."""
    with _database(folder) as connection:
        row = connection.execute("SELECT body FROM copies WHERE project_id = ?", (project_id,)).fetchone()
    return None if row is None else row[0]


@contextmanager
def _database(folder: Path) -> Iterator[sqlite3.Connection]:
    path = folder / DATABASE_NAME
    with closing(sqlite3.connect(f"file:{path}?mode=rw", uri=True, timeout=10)) as connection, connection:
        yield connection
