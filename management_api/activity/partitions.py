"""The partitions of the events: one for each month of receipt, made ahead and dropped when their time has passed.

Nothing here makes ingestion wait for longer than LOCK_TIMEOUT; what does not get its lock is tried again later. What
no partition is for lies in `events_default` until one is made, or until it is too old.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
from psycopg import sql

#: Nor may a process that is stopped in the middle keep the locks that it has.
LOCK_TIMEOUT = "SET LOCAL lock_timeout = '500ms'; SET LOCAL idle_in_transaction_session_timeout = '2s'"
MONTHS_AHEAD = 2

#: The partitions but the default one, and where each ends.
BOUNDS = """
    SELECT child.relname,
        substring(pg_get_expr(child.relpartbound, child.oid) FROM $$TO \\('(.*)'\\)$$)::timestamptz
    FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
    WHERE inhparent = 'events'::regclass AND pg_get_expr(child.relpartbound, child.oid) <> 'DEFAULT'
    ORDER BY 2
"""
#: Made apart and attached, which unlike CREATE TABLE ... PARTITION OF does not lock the whole of `events`.
MAKE = "CREATE TABLE {name} (LIKE events INCLUDING DEFAULTS INCLUDING CONSTRAINTS)"
FILL = """
    WITH moved AS (DELETE FROM events_default WHERE received_at >= {start} AND received_at < {end} RETURNING *)
    INSERT INTO {name} SELECT * FROM moved
"""
ATTACH = "ALTER TABLE events ATTACH PARTITION {name} FOR VALUES FROM ({start}) TO ({end})"
#: Not CONCURRENTLY, which PostgreSQL refuses beside a default partition.
DETACH = "ALTER TABLE events DETACH PARTITION {name}"
DROP = "DROP TABLE {name}"
REMOVE_STRAYS = """
    DELETE FROM events_default WHERE ctid IN (
        SELECT ctid FROM events_default WHERE received_at < %s LIMIT 10000
    )
"""
NOTE_DROPPED = "UPDATE event_storage SET complete_from = greatest(complete_from, %s)"


def make_partitions(connection: psycopg.Connection[Any], now: datetime) -> list[str]:
    """Make the partitions of this month and the next ones where they are missing; gives the names of the new ones."""
    made = []
    for start, end in _months(now):
        with connection.transaction():
            connection.execute(LOCK_TIMEOUT)
            bounds = connection.execute(BOUNDS).fetchall()
            # The one that holds what was there before there were partitions ends with some month.
            if any(bound >= end for _, bound in bounds):
                continue
            parts = {
                "name": sql.Identifier(f"events_{start:%Y_%m}"),
                "start": sql.Literal(start.isoformat()),
                "end": sql.Literal(end.isoformat()),
            }
            for statement in (MAKE, FILL, ATTACH):
                connection.execute(sql.SQL(statement).format(**parts))
            made.append(f"events_{start:%Y_%m}")
    return made


def drop_partitions(connection: psycopg.Connection[Any], now: datetime, *, keep_days: int) -> list[str]:
    """Drop the partitions whose events are all too old; gives their names."""
    oldest = now - timedelta(days=keep_days)
    dropped = []
    for name, end in connection.execute(BOUNDS).fetchall():
        if end > oldest:
            continue
        with connection.transaction():
            connection.execute(LOCK_TIMEOUT)
            # In one transaction: who reads the mark and the events at one moment sees both or neither.
            connection.execute(sql.SQL(DETACH).format(name=sql.Identifier(name)))
            connection.execute(sql.SQL(DROP).format(name=sql.Identifier(name)))
            connection.execute(NOTE_DROPPED, [end])
            dropped.append(name)
    with connection.transaction():
        if connection.execute(REMOVE_STRAYS, [oldest]).rowcount:
            connection.execute(NOTE_DROPPED, [oldest])
    return dropped


def _months(now: datetime) -> Iterator[tuple[datetime, datetime]]:
    start = now.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    for _ in range(MONTHS_AHEAD + 1):
        end = (start + timedelta(days=32)).replace(day=1)
        yield start, end
        start = end
