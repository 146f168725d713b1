"""The state of each maintenance chore, in the database: any consumer may run a chore, and the doctor runs in none.

A chore without a row was never run.
"""

from datetime import datetime
from typing import Any, NamedTuple

import psycopg
from sqlalchemy.orm import Mapped, mapped_column

from management_api.db.models.base import Model

#: A chore that has not succeeded for so long needs an operator. Most chores run every ten minutes.
MAX_FAILING_SECONDS = 1800.0

#: Where the state cannot be written, for a lock or in an outage, the next run of the chore writes it.
_NOTE_SUCCESS = """
    INSERT INTO maintenance_chores (name, succeeded_at) VALUES (%s, clock_timestamp())
    ON CONFLICT (name) DO UPDATE SET succeeded_at = excluded.succeeded_at, failing_since = NULL, reason = NULL
"""
_NOTE_FAILURE = """
    INSERT INTO maintenance_chores AS stored (name, failing_since, reason) VALUES (%s, clock_timestamp(), %s)
    ON CONFLICT (name) DO UPDATE
    SET failing_since = coalesce(stored.failing_since, excluded.failing_since), reason = excluded.reason
"""
_STATES = """
    SELECT name, extract(epoch FROM clock_timestamp() - coalesce(succeeded_at, failing_since))::float8, reason
    FROM maintenance_chores ORDER BY name
"""


class MaintenanceChore(Model):
    """A chore of the event consumers; `failing_since` and `reason` are null after a success."""

    __tablename__ = "maintenance_chores"

    name: Mapped[str] = mapped_column(primary_key=True)
    succeeded_at: Mapped[datetime | None]
    failing_since: Mapped[datetime | None]
    reason: Mapped[str | None]


class ChoreState(NamedTuple):
    """The seconds since the last success (or, without any, the first failure), and the reason of a failure."""

    name: str
    age_seconds: float
    reason: str | None


def record_success(connection: psycopg.Connection[Any], name: str) -> None:
    """Store the success of a chore."""
    connection.execute(_NOTE_SUCCESS, [name])


def record_failure(connection: psycopg.Connection[Any], name: str, reason: str) -> None:
    """Store the failure of a chore."""
    # PostgreSQL stores no NUL.
    connection.execute(_NOTE_FAILURE, [name, reason.replace("\0", "")])


def chore_states(cursor: psycopg.Cursor[Any]) -> list[ChoreState]:
    """Return the states of all chores, by the clock of PostgreSQL."""
    return [
        ChoreState(name, max(0.0, age_seconds), reason)
        for name, age_seconds, reason in cursor.execute(_STATES).fetchall()
    ]
