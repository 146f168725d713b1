"""Rows that transactions read, by table."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, event

from management_api.db.engine import Database

#: By table: rows that were given to the transaction, from the table or by an index.
READ = """
    SELECT coalesce(indexed.relname, relation.relname), sum(pg_stat_get_xact_tuples_returned(relation.oid))::int
    FROM pg_class AS relation
    LEFT JOIN pg_index ON indexrelid = relation.oid LEFT JOIN pg_class AS indexed ON indexed.oid = indrelid
    WHERE relation.relkind IN ('r', 'i') AND relation.relnamespace = 'public'::regnamespace
    GROUP BY 1
"""


@contextmanager
def rows_read(database: Database) -> Iterator[dict[str, int]]:
    """Yield the number of rows of each table that each committed transaction has read, the most of them all."""
    read: dict[str, int] = {}

    def ask(connection: Connection) -> None:
        driver = connection.connection.driver_connection
        assert driver is not None
        for table, rows in driver.execute(READ).fetchall():
            read[table] = max(rows, read.get(table, 0))

    event.listen(database.engine, "commit", ask)
    try:
        yield read
    finally:
        event.remove(database.engine, "commit", ask)
