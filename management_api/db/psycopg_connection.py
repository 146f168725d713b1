"""The driver beneath a session, for COPY and for rows by the hundred thousand."""

from typing import Any

import psycopg
from sqlalchemy.orm import Session


def driver_connection(session: Session) -> psycopg.Connection[tuple[Any, ...]]:
    """Return the connection that the session has, in its transaction."""
    connection = session.connection().connection.driver_connection
    if not isinstance(connection, psycopg.Connection):
        raise TypeError("the database is reached through another driver than psycopg")
    return connection


def driver_cursor(session: Session) -> psycopg.Cursor[tuple[Any, ...]]:
    """Return a cursor inside the session's transaction."""
    return driver_connection(session).cursor()
