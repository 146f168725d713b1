"""PostgreSQL away, for the clients of one database: it refuses them and cuts those that are connected."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import psycopg
from psycopg import sql


@contextmanager
def database_outage(database_url: str) -> Iterator[None]:
    """Have the database away for the length of the block."""
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
