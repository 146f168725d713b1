"""A PostgreSQL that hangs: the server processes of one database are stopped, their connections stay open."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg


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
