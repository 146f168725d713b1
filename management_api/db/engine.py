"""PostgreSQL: the pool of connections, its timeouts, and sessions and transactions on it.

libpq reads the URL itself, so several hosts, TLS and timeouts are set by the parameters that it documents. PostgreSQL
bounds each statement; `watchdog.py` bounds the wait for a server that is frozen.
"""

import select
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVarTuple

import orjson
import psycopg
from psycopg.conninfo import conninfo_to_dict
from pydantic import SecretStr
from sqlalchemy import Connection, CursorResult, Engine, Select, create_engine, event, text
from sqlalchemy.engine.interfaces import IsolationLevel
from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Session, sessionmaker
from sqlalchemy.pool import ConnectionPoolEntry

from common.errors import SettingsError, UnavailableError
from common.settings.shared import DatabaseSettings
from management_api.db.audit import audit_sessions
from management_api.db.transient_errors import is_transient
from management_api.db.watchdog import ConnectionWatchdog, WatchedConnection, WatchedCursor


def connection_url(url: SecretStr, variable: str = "ONBOARDING_DATABASE_URL") -> str:
    """Return the URL. Raises SettingsError, which names the variable, for a URL that libpq rejects."""
    try:
        conninfo_to_dict(url.get_secret_value())
    except psycopg.ProgrammingError:
        # The message of libpq may quote the password.
        raise SettingsError(f"{variable}: is no connection URI that libpq understands") from None
    return url.get_secret_value()


Columns = TypeVarTuple("Columns")

#: Maximum time that a process that is frozen inside a transaction keeps its locks.
_IDLE_IN_TRANSACTION_MS = 15_000


class Database:
    """A pool of connections to PostgreSQL, handed down by constructor; `replica` is one to read activity from.

    `connections` is the number that the threads of the process may hold at once. A smaller size of the pool in the
    settings is raised to it, because the threads would wait for each other.
    """

    def __init__(self, settings: DatabaseSettings, replica: "Database | None" = None, *, connections: int = 1) -> None:
        self.replica = replica
        #: Queries of analytics that were run here because the replica could not run them.
        self.replica_fallbacks = 0
        watchdog = ConnectionWatchdog(settings.database_statement_timeout_ms / 1000)
        # Most checkouts are of GETs, so the pool's connections commit each statement; transactions set their isolation
        # level at the checkout. Behind a pooler the bounds of a statement need a transaction around it.
        is_pooled = settings.database_pooler == "transaction"
        self.engine = make_engine(
            settings,
            connections=max(connections, settings.database_pool_size),
            watchdog=watchdog,
            isolation_level=None if is_pooled else "AUTOCOMMIT",
        )
        #: One connection beside the pool, for checks of readiness and lag.
        self.probe_engine = make_engine(settings, connections=1, watchdog=watchdog)
        self._sessions = sessionmaker(self.engine)
        audit_sessions(self._sessions)
        self._reading_sessions = sessionmaker(self.engine)

    def column_reader(self) -> "ColumnReader":
        """Return a reader of columns, for reads that need no common snapshot. Its user closes it."""
        return ColumnReader(self.engine)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Open a session whose statements are transactions of their own, to read objects."""
        with _transient_errors_mapped(), self._reading_sessions() as session:
            yield session

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """Open a READ COMMITTED transaction: committed when the block ends, rolled back when it raises.

        Raises UnavailableError when PostgreSQL is unavailable, has no connection free, or cancels a statement.
        """
        with _transient_errors_mapped(), self._sessions.begin() as session:
            session.connection(execution_options={"isolation_level": "READ COMMITTED"})
            yield session

    @contextmanager
    def repeatable_read(self) -> Iterator[Session]:
        """Open a REPEATABLE READ transaction: all its statements see the database at one moment."""
        with _transient_errors_mapped(), self._reading_sessions.begin() as session:
            session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
            yield session

    def close(self) -> None:
        """Close every pooled connection, those to the replica too."""
        if self.replica is not None:
            self.replica.close()
        self.engine.dispose()
        self.probe_engine.dispose()


class ColumnReader:
    """Executes SELECT statements of columns on one connection of the pool, each a transaction of its own.

    The first statement takes the connection, `close` returns it, and a statement after that takes one again.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None

    def execute(
        self, statement: Select[*Columns], values: Mapping[str, object] | None = None
    ) -> CursorResult[*Columns]:
        """Return the rows. Raises UnavailableError like `Database.transaction`."""
        with _transient_errors_mapped():
            if self._connection is None:
                self._connection = self._engine.connect()
            return self._connection.execute(statement, values)

    def close(self) -> None:
        """Return the connection, if there is one."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            with _transient_errors_mapped():
                connection.close()


#: Both execute a SELECT of columns.
Reader = ColumnReader | Session


@contextmanager
def _transient_errors_mapped() -> Iterator[None]:
    """Raise UnavailableError for errors that another attempt may not meet; raise all others as they are."""
    try:
        yield
    except (DBAPIError, psycopg.Error, PoolTimeoutError) as error:
        if not is_transient(error):
            raise
        raise UnavailableError("The database is not available, please try again") from error


def make_engine(
    settings: DatabaseSettings,
    *,
    connections: int | None = None,
    watchdog: ConnectionWatchdog | None = None,
    isolation_level: IsolationLevel | None = None,
) -> Engine:
    """Return an engine whose transactions bound every statement and every wait for a lock.

    `isolation_level` is that of its connections, by default PostgreSQL's. The watchdog ends the wait for a server that
    hangs; without one the wait has no end. The settings have the size of its pool. Raises SettingsError for a URL that
    libpq does not accept.
    """
    url = connection_url(settings.database_url)
    limits = _limits(settings)
    if settings.database_pooler == "transaction":
        # A pooler rejects options of a session, and a statement prepared in one session is not there in the next.
        own_arguments: dict[str, Any] = {"prepare_threshold": None}
    else:
        own_arguments = {"options": " ".join(f"-c {name}={value}" for name, value in limits.items())}

    engine = create_engine(
        "postgresql+psycopg://",
        pool_size=connections or settings.database_pool_size,
        max_overflow=0,
        pool_timeout=settings.database_pool_timeout_ms / 1000,
        pool_use_lifo=True,
        isolation_level=isolation_level,
        # The same reader as for requests: PostgreSQL writes 1e30 out in digits, and orjson would not send that integer.
        json_serializer=_json_text,
        json_deserializer=orjson.loads,
        connect_args={
            "application_name": "onboarding",
            "cursor_factory": WatchedCursor,
            "connect_timeout": 5,
            # A server that vanished is noticed after some 20 seconds.
            "keepalives_idle": 10,
            "keepalives_interval": 3,
            "keepalives_count": 3,
            "tcp_user_timeout": 20_000,
            **own_arguments,
        },
        hide_parameters=True,
        # Without a transaction there is nothing to roll back when a connection returns to the pool.
        skip_autocommit_rollback=True,
    )
    # libpq reads the URL itself, so several hosts and TLS work as in its documentation.
    event.listen(
        engine, "do_connect", lambda _dialect, _entry, _args, members: WatchedConnection.connect(url, **members)
    )
    event.listen(engine, "checkout", _check_is_open)
    if watchdog is not None:
        watchdog.watch(engine)
    if settings.database_pooler == "transaction":
        _set_limits_in_each_transaction(engine, limits)
    else:
        _set_utc(engine)
    return engine


def _check_is_open(connection: psycopg.Connection[Any], _entry: ConnectionPoolEntry, _proxy: object) -> None:
    """Raise DisconnectionError for a connection that the server has closed; the pool replaces it.

    An idle connection receives nothing but its end, as a rule, so its socket must have nothing to read. A ping instead
    would be a trip to PostgreSQL at each checkout.
    """
    if connection.closed:
        raise DisconnectionError
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    if poll.poll(0):
        raise DisconnectionError


def _limits(settings: DatabaseSettings) -> dict[str, str]:
    """Return the settings of every session, by PostgreSQL's names."""
    return {
        "statement_timeout": str(settings.database_statement_timeout_ms),
        "lock_timeout": str(settings.database_lock_timeout_ms),
        "idle_in_transaction_session_timeout": str(_IDLE_IN_TRANSACTION_MS),
        "timezone": "UTC",
    }


def _set_limits_in_each_transaction(engine: Engine, limits: dict[str, str]) -> None:
    values = ", ".join(f"set_config('{name}', '{value}', true)" for name, value in limits.items())
    statement = f"SELECT {values}"

    def set_limits(connection: Connection) -> None:
        connection.exec_driver_sql(statement)

    event.listen(engine, "begin", set_limits)


def _set_utc(engine: Engine) -> None:
    """Set the time zone of new connections: libpq puts the variable PGTZ before the options of a connection."""

    def set_zone(connection: psycopg.Connection[Any], _record: ConnectionPoolEntry) -> None:
        if connection.info.parameter_status("TimeZone") != "UTC":
            connection.execute("SET TIME ZONE 'UTC'")
            connection.commit()

    event.listen(engine, "connect", set_zone)


def _json_text(value: object) -> str:
    return orjson.dumps(value).decode()


def allow_long_statements(session: Session, *, minutes: int) -> None:
    """Raise `statement_timeout`, and the watchdog's with it, to the end of the session's transaction."""
    connection = session.connection()
    connection.execute(text(f"SET LOCAL statement_timeout = '{minutes}min'"))
    driver = connection.connection.driver_connection
    if isinstance(driver, WatchedConnection):
        driver.statement_seconds = minutes * 60.0
