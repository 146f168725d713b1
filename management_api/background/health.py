"""The state of each chore, in the database: any process may run a chore, and the doctor runs none.

A chore without a row was never run. Rows of chores that only other releases have are not read.
"""

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

import psycopg

from common.telemetry.catalogue import process as catalogue
from common.telemetry.metrics import Process
from common.telemetry.samples import SampleSet
from management_api.db.engine import Database
from management_api.db.psycopg_connection import driver_cursor

#: A chore that has not succeeded for so long needs an operator.
MAX_FAILING_SECONDS = 1800.0

_RECORD_SUCCESS = b"""
    INSERT INTO maintenance_chores (name, succeeded_at) VALUES (%s, clock_timestamp())
    ON CONFLICT (name) DO UPDATE SET succeeded_at = excluded.succeeded_at, failing_since = NULL, reason = NULL
"""
_RECORD_FAILURE = b"""
    INSERT INTO maintenance_chores AS stored (name, failing_since, reason) VALUES (%s, clock_timestamp(), %s)
    ON CONFLICT (name) DO UPDATE
    SET failing_since = coalesce(stored.failing_since, excluded.failing_since), reason = excluded.reason
"""
_READ_STATES = b"""
    SELECT name, extract(epoch FROM clock_timestamp() - coalesce(succeeded_at, failing_since))::float8, reason
    FROM maintenance_chores WHERE name = ANY(%s) ORDER BY name
"""


class ChoreState(NamedTuple):
    """The seconds since the last success (or, without any, the first failure), and the reason of a failure."""

    name: str
    age_seconds: float
    reason: str | None


def record_success(connection: psycopg.Connection[Any], name: str) -> None:
    """Store the success of a chore."""
    connection.execute(_RECORD_SUCCESS, [name])


def record_failure(connection: psycopg.Connection[Any], name: str, reason: str) -> None:
    """Store the failure of a chore."""
    # PostgreSQL stores no NUL.
    connection.execute(_RECORD_FAILURE, [name, reason.replace("\0", "")])


def chore_states(cursor: psycopg.Cursor[Any], names: Iterable[str]) -> list[ChoreState]:
    """Return the states of these chores, by the clock of PostgreSQL."""
    cursor.execute(_READ_STATES, [list(names)])
    return [ChoreState(name, max(0.0, age_seconds), reason) for name, age_seconds, reason in cursor]


def poll_chores(process: Process, database: Database, names: Collection[str], samples: SampleSet) -> None:
    """Add the time since the last success of each of these chores. Raises UnavailableError."""
    with database.reading() as session:
        chores = chore_states(driver_cursor(session), names)
    for chore in chores:
        samples.add(catalogue.MAINTENANCE_AGE, chore.age_seconds, process, chore.name, chore.name)
