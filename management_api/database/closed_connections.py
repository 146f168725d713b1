"""Keeps connections that are closed or in a transaction from being lent, without a trip to the server each time."""

import select
from typing import Any

import psycopg
from sqlalchemy import Engine, event
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection


def leave_out_closed_connections(engine: Engine) -> None:
    """Look at each connection before it is used; the pool opens another one for one that is closed."""

    def check(
        connection: psycopg.Connection[object], _record: ConnectionPoolEntry, _proxy: PoolProxiedConnection
    ) -> None:
        # A server that leaves says so, and a network that breaks ends the connection: either can be read at once. Only
        # who has something to say is pinged; it may be a mere notice. A pool that always pings costs a trip a request.
        if has_something_to_read(connection) and not _answers(engine, connection):
            raise DisconnectionError("PostgreSQL has closed the connection")

    event.listen(engine, "checkout", check)


def has_something_to_read(connection: psycopg.Connection[Any]) -> bool:
    """Tell whether the server has said something unasked, as it does when it closes a connection."""
    if connection.closed:
        return True
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


def _answers(engine: Engine, connection: psycopg.Connection[object]) -> bool:
    try:
        return engine.dialect.do_ping(connection)  # type: ignore[arg-type] # the driver's own connection is what it takes
    except psycopg.Error:
        return False


def end_transaction(connection: psycopg.Connection[Any], *_rest: object) -> None:
    """Leave no transaction open on a connection that is given back. Raises psycopg.Error when it is broken."""
    if connection.pgconn.transaction_status != psycopg.pq.TransactionStatus.IDLE:
        connection.rollback()
