"""Outages of PostgreSQL for the clients of one database: it refuses connections, or its server processes hang."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import psycopg
from psycopg import sql


@contextmanager
def frozen_connections(database_url: str) -> Iterator[None]:
    """Stop every server process of the database for the length of the block."""
    with psycopg.connect(database_url) as connection:
        found = connection.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        processes = [process for (process,) in found]
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


@contextmanager
def database_outage(database_url: str) -> Iterator[None]:
    """Refuse connections to the database during the block, and end the existing ones."""
    _allow_connections(database_url, allowed=False)
    try:
        yield
    finally:
        _allow_connections(database_url, allowed=True)


def _allow_connections(database_url: str, *, allowed: bool) -> None:
    parts = urlsplit(database_url)
    name = parts.path.removeprefix("/")
    with psycopg.connect(parts._replace(path="/postgres").geturl(), autocommit=True) as connection:
        connection.execute(
            sql.SQL("ALTER DATABASE {} WITH ALLOW_CONNECTIONS {}").format(sql.Identifier(name), sql.Literal(allowed))
        )
        if not allowed:
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
