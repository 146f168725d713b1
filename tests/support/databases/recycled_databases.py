"""Databases with the current schema that the tests of one worker use one after the other, put back in between.

To clone the template and to drop the clone costs PostgreSQL a tenth of a second of processor and a checkpoint; to empty
one that a test has used, a fraction of that. Only a database that is known to be as it was is lent again: rows,
sequences and seeded rows are put back, and one whose catalog or statistics have changed, or which has grown, goes.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb

from tests.support.databases.fresh_databases import FreshDatabases

#: What deleted rows have left makes a table slow to read; beyond this the database is not worth keeping.
_MOST_GROWTH_BYTES = 4 * 1024 * 1024
_TABLES = """
    SELECT oid::regclass::text FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
"""
#: Every row of the catalog that says something of our schema, by the transaction that wrote it.
_CATALOG = """
    SELECT md5(string_agg(part, ' ' ORDER BY part)) FROM (
        SELECT 'class ' || oid || ' ' || xmin AS part FROM pg_class WHERE relnamespace = 'public'::regnamespace
        UNION ALL SELECT 'column ' || attrelid || ' ' || attnum || ' ' || a.xmin FROM pg_attribute a
            JOIN pg_class c ON c.oid = attrelid WHERE relnamespace = 'public'::regnamespace
        UNION ALL SELECT 'constraint ' || oid || ' ' || xmin FROM pg_constraint WHERE oid >= 16384
        UNION ALL SELECT 'trigger ' || oid || ' ' || xmin FROM pg_trigger WHERE oid >= 16384
        UNION ALL SELECT 'function ' || oid || ' ' || xmin FROM pg_proc WHERE oid >= 16384
        UNION ALL SELECT 'schema ' || oid || ' ' || xmin FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%'
        UNION ALL SELECT 'statistics ' || starelid || ' ' || staattnum FROM pg_statistic WHERE starelid >= 16384
        UNION ALL SELECT 'settings ' || setdatabase || ' ' || setrole || ' ' || xmin FROM pg_db_role_setting
            WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) AS parts
"""
_SIZE = "SELECT sum(pg_relation_size(oid)) FROM pg_class WHERE relnamespace = 'public'::regnamespace"
_END_OTHERS = """
    SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""
_SEED = "INSERT INTO {0} OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_recordset(NULL::{0}, %s)"
_RESTART_SEQUENCES = "SELECT setval(seqrelid::regclass, seqstart, false) FROM pg_sequence"


@dataclass(frozen=True, slots=True)
class _Origin:
    """What a database was like before its first test: its catalog, its size, its tables, and the rows of some."""

    catalog: str
    size: int
    tables: tuple[str, ...]
    seeded: dict[str, Any]


class RecycledDatabases:
    """A pool of them; use it as a context manager, which drops them in the end."""

    def __init__(self, fresh: FreshDatabases) -> None:
        self._fresh = fresh
        self._free: list[tuple[str, _Origin, ExitStack]] = []

    @contextmanager
    def lent(self) -> Iterator[str]:
        """Return the URL of a database that no other test uses during the block."""
        url, origin, kept = self._free.pop() if self._free else self._made()
        try:
            yield url
        finally:
            if _is_put_back(url, origin):
                self._free.append((url, origin, kept))
            else:
                kept.close()

    def close(self) -> None:
        """Drop them."""
        while self._free:
            _, _, kept = self._free.pop()
            kept.close()

    def _made(self) -> tuple[str, _Origin, ExitStack]:
        kept = ExitStack()
        url = kept.enter_context(self._fresh.migrated())
        with psycopg.connect(url) as connection:
            origin = _origin_of(connection)
        return url, origin, kept


def _origin_of(connection: psycopg.Connection) -> _Origin:
    tables = tuple(name for (name,) in connection.execute(_TABLES))
    rows = {
        name: _value(connection, sql.SQL("SELECT jsonb_agg(to_jsonb(t)) FROM {} AS t").format(sql.SQL(name)))
        for name in tables
    }
    seeded = {name: found for name, found in rows.items() if found is not None}
    return _Origin(_value(connection, _CATALOG), _value(connection, _SIZE), tables, seeded)


def _is_put_back(url: str, origin: _Origin) -> bool:
    """Put a database back as it was. False when that is not to be had, for whatever reason."""
    try:
        with psycopg.connect(url, connect_timeout=10, options="-c lock_timeout=5s") as connection:
            connection.execute(_END_OTHERS)
            if _value(connection, _CATALOG) != origin.catalog:
                return False
            if _value(connection, _SIZE) > origin.size + _MOST_GROWTH_BYTES:
                return False
            # Neither triggers nor foreign keys have a say in it.
            connection.execute("SET LOCAL session_replication_role = replica")
            emptied = [sql.SQL("DELETE FROM {}").format(sql.SQL(name)) for name in origin.tables]
            connection.execute(sql.SQL(";").join(emptied))
            for name, rows in origin.seeded.items():
                connection.execute(sql.SQL(_SEED).format(sql.SQL(name)), [Jsonb(rows)])
            connection.execute(_RESTART_SEQUENCES)
    except psycopg.Error:
        return False
    return True


def _value(connection: psycopg.Connection, query: str | sql.Composed) -> Any:  # noqa: ANN401 - whatever is asked for
    row = connection.execute(query).fetchone()
    return row and row[0]
