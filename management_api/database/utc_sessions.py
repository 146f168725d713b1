"""Keeps sessions in UTC, by which days are told, whatever the environment says: libpq puts PGTZ before our options."""

import psycopg
from sqlalchemy import Engine, event
from sqlalchemy.pool import ConnectionPoolEntry


def keep_in_utc(engine: Engine) -> None:
    """Look at each new connection, and put right the zone of one that is in another."""

    def check(connection: psycopg.Connection[object], _record: ConnectionPoolEntry) -> None:
        # PostgreSQL tells it by itself when a session begins.
        if connection.info.parameter_status("TimeZone") != "UTC":
            connection.execute("SET TIME ZONE 'UTC'")
            connection.commit()

    event.listen(engine, "connect", check)
