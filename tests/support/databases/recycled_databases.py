"""Databases with the current schema that the tests of one worker reuse; each is reset after a test.

A clone of the template and its removal cost PostgreSQL a tenth of a second of processor time and a checkpoint; a reset
costs a fraction of that. A reset restores rows, sequences and seeded rows. A database is dropped when its catalog or
its statistics have changed, when it has grown, or when the reset fails.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb

from tests.support.databases.fresh_databases import FreshDatabases

#: Deleted rows slow down a table until a vacuum, so a database that has grown by more is dropped.
_MAX_GROWTH_BYTES = 4 * 1024 * 1024
_TABLES = """
    SELECT oid::regclass::text FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
"""
#: The rows of the catalog that describe the schema, with the transactions that wrote them.
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
class _State:
    """A database before its first test: a digest of its catalog, its size in bytes, its tables, the seeded rows."""

    catalog: str
    size: int
    tables: tuple[str, ...]
    seeded: dict[str, Any]


class RecycledDatabases:
    """A pool of databases."""

    def __init__(self, fresh: FreshDatabases) -> None:
        self._fresh = fresh
        self._free: list[tuple[str, _State, ExitStack]] = []

    @contextmanager
    def database(self) -> Iterator[str]:
        """Yield the URL of a database that no other test uses during the block."""
        url, initial, stack = self._free.pop() if self._free else self._create()
        try:
            yield url
        finally:
            if _reset(url, initial):
                self._free.append((url, initial, stack))
            else:
                stack.close()

    def close(self) -> None:
        """Drop the databases of the pool."""
        while self._free:
            _, _, stack = self._free.pop()
            stack.close()

    def _create(self) -> tuple[str, _State, ExitStack]:
        stack = ExitStack()
        url = stack.enter_context(self._fresh.migrated())
        with psycopg.connect(url) as connection:
            initial = _state_of(connection)
        return url, initial, stack


def _state_of(connection: psycopg.Connection) -> _State:
    tables = tuple(name for (name,) in connection.execute(_TABLES))
    rows = {
        name: _value(connection, sql.SQL("SELECT jsonb_agg(to_jsonb(t)) FROM {} AS t").format(sql.SQL(name)))
        for name in tables
    }
    seeded = {name: found for name, found in rows.items() if found is not None}
    return _State(_value(connection, _CATALOG), _value(connection, _SIZE), tables, seeded)


def _reset(url: str, initial: _State) -> bool:
    """Reset a database. Return False where it must be dropped instead."""
    try:
        with psycopg.connect(url, connect_timeout=10, options="-c lock_timeout=5s") as connection:
            connection.execute(_END_OTHERS)
            if _value(connection, _CATALOG) != initial.catalog:
                return False
            if _value(connection, _SIZE) > initial.size + _MAX_GROWTH_BYTES:
                return False
            # Disable triggers and foreign keys.
            connection.execute("SET LOCAL session_replication_role = replica")
            deletions = [sql.SQL("DELETE FROM {}").format(sql.SQL(name)) for name in initial.tables]
            connection.execute(sql.SQL(";").join(deletions))
            for name, rows in initial.seeded.items():
                connection.execute(sql.SQL(_SEED).format(sql.SQL(name)), [Jsonb(rows)])
            connection.execute(_RESTART_SEQUENCES)
    except psycopg.Error:
        return False
    return True


def _value(connection: psycopg.Connection, query: str | sql.Composed) -> Any:  # noqa: ANN401 - any column
    row = connection.execute(query).fetchone()
    return row and row[0]
