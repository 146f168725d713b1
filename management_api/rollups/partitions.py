"""The partitions of the events, by month of receipt, and of their ids, by week: created ahead and dropped when old.

Nothing here makes ingestion wait for longer than LOCK_TIMEOUT; a chore without its lock is tried again later. Rows
without a partition lie in the default partition until theirs is created, or until they are too old.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

import psycopg
from psycopg import sql

from management_api.db.models.event_ids import WEEK, week_of

#: Nor may a process that is stopped in the middle keep the locks that it has.
LOCK_TIMEOUT = "SET LOCAL lock_timeout = '500ms'; SET LOCAL idle_in_transaction_session_timeout = '2s'"
#: Partitions exist for the present period and the next ones.
PERIODS_AHEAD = 2

#: The partitions but the default one, and the end of each.
BOUNDS = """
    SELECT child.relname,
        substring(pg_get_expr(child.relpartbound, child.oid) FROM $$TO \\('(.*)'\\)$$)::timestamptz
    FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
    WHERE inhparent = %s::regclass AND pg_get_expr(child.relpartbound, child.oid) <> 'DEFAULT'
    ORDER BY 2
"""
#: Made apart and attached, which unlike CREATE TABLE ... PARTITION OF does not lock the whole table.
MAKE = "CREATE TABLE {name} (LIKE {table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)"
#: Until the commit, so that no row comes to the default partition between the two statements that follow.
LOCK_DEFAULT = "LOCK TABLE {default} IN ACCESS EXCLUSIVE MODE"
FILL = """
    WITH moved AS (DELETE FROM {default} WHERE {column} >= {start} AND {column} < {end} RETURNING *)
    INSERT INTO {name} SELECT * FROM moved
"""
ATTACH = "ALTER TABLE {table} ATTACH PARTITION {name} FOR VALUES FROM ({start}) TO ({end})"
#: Not CONCURRENTLY, which PostgreSQL refuses beside a default partition.
DETACH = "ALTER TABLE {table} DETACH PARTITION {name}"
DROP = "DROP TABLE {name}"
REMOVE_STRAYS = """
    DELETE FROM {default} WHERE ctid IN (SELECT ctid FROM {default} WHERE {column} < {oldest} LIMIT 10000)
"""
NOTE_DROPPED = "UPDATE event_storage SET complete_from = greatest(complete_from, %s)"

Connection = psycopg.Connection[Any]


@dataclass(frozen=True, slots=True)
class PartitionedTable:
    """A table in partitions by time."""

    name: str
    column: str
    #: Of the names of its partitions.
    suffix: str
    #: Returns the first moment of the period of a moment.
    start_of: Callable[[datetime], datetime]
    #: Longer than any period, and shorter than two.
    more_than_period: timedelta

    def identifiers(self) -> dict[str, sql.Composable]:
        """Return the parts of the statements above."""
        return {
            "table": sql.Identifier(self.name),
            "default": sql.Identifier(f"{self.name}_default"),
            "column": sql.Identifier(self.column),
        }


def _month_of(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)


def _start_of_week(moment: datetime) -> datetime:
    return datetime.combine(week_of(moment), datetime.min.time(), UTC)


EVENTS = PartitionedTable("events", "received_at", "%Y_%m", _month_of, timedelta(days=32))
EVENT_IDS = PartitionedTable("event_ids", "week", "%Y_%m_%d", _start_of_week, WEEK)

#: Partitions of ids are kept for this week and so many before it.
KEPT_WEEKS = 2


def first_kept_day(complete_from: datetime) -> date:
    """Return the first day of which no event was dropped, if those received before a moment were.

    An event is received at the earliest a day before its own time.
    """
    return (complete_from.astimezone(UTC) + timedelta(days=2)).date()


def make_partitions(connection: Connection, now: datetime, table: PartitionedTable = EVENTS) -> list[str]:
    """Create missing partitions of this period and the next ones; return the names of the new ones."""
    created = []
    start = table.start_of(now)
    for _ in range(PERIODS_AHEAD + 1):
        end = table.start_of(start + table.more_than_period)
        with connection.transaction():
            connection.execute(LOCK_TIMEOUT)
            bounds = connection.execute(BOUNDS, [table.name]).fetchall()
            # The partition of the rows from before the partitioning ends with some month.
            if not any(bound >= end for _, bound in bounds):
                name = f"{table.name}_{start.strftime(table.suffix)}"
                parts = {
                    **table.identifiers(),
                    "name": sql.Identifier(name),
                    "start": sql.Literal(start.isoformat()),
                    "end": sql.Literal(end.isoformat()),
                }
                for statement in (MAKE, LOCK_DEFAULT, FILL, ATTACH):
                    connection.execute(sql.SQL(statement).format(**parts))
                created.append(name)
        start = end
    return created


def drop_partitions(connection: Connection, now: datetime, *, keep_days: int) -> list[str]:
    """Drop the partitions of events that are all too old, and return their names."""
    return _drop_before(connection, EVENTS, now - timedelta(days=keep_days), [NOTE_DROPPED])


def drop_id_partitions(connection: Connection, now: datetime) -> list[str]:
    """Drop the partitions of ids that are three weeks old, and return their names."""
    return _drop_before(connection, EVENT_IDS, _start_of_week(now) - KEPT_WEEKS * WEEK, [])


def _drop_before(
    connection: Connection, table: PartitionedTable, oldest: datetime, end_statements: list[str]
) -> list[str]:
    """Drop partitions that end before a moment; each statement of `end_statements` is executed with the end of each."""
    dropped = []
    for name, end in connection.execute(BOUNDS, [table.name]).fetchall():
        if end > oldest:
            continue
        with connection.transaction():
            connection.execute(LOCK_TIMEOUT)
            parts = {**table.identifiers(), "name": sql.Identifier(name)}
            # In one transaction: a reader of `complete_from` and the events sees both changes or neither.
            connection.execute(sql.SQL(DETACH).format(**parts))
            connection.execute(sql.SQL(DROP).format(**parts))
            for statement in end_statements:
                connection.execute(statement.encode(), [end])
            dropped.append(name)
    with connection.transaction():
        parts = {**table.identifiers(), "oldest": sql.Literal(oldest)}
        if connection.execute(sql.SQL(REMOVE_STRAYS).format(**parts)).rowcount:
            for statement in end_statements:
                connection.execute(statement.encode(), [oldest])
    return dropped
