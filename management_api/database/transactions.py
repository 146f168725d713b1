"""The one place that opens and closes transactions."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import orjson
import psycopg
from sqlalchemy import Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import IsolationLevel
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Session, sessionmaker
from sqlalchemy.pool import PoolProxiedConnection

from common.errors import UnavailableError
from common.settings import DatabaseSettings
from management_api.database.audit_trail import refuse_unaudited_changes_of
from management_api.database.closed_connections import leave_out_closed_connections
from management_api.database.outages import is_outage
from management_api.database.reading import Reading

#: A process that is frozen inside a transaction keeps its rows from the others for so long.
_IDLE_IN_TRANSACTION_MS = 15_000


class Database:
    """A pool of connections to PostgreSQL, handed down by constructor."""

    def __init__(self, settings: DatabaseSettings) -> None:
        #: The driver begins nothing by itself; what needs more than one statement begins it here.
        self.engine = make_engine(settings, isolation_level="AUTOCOMMIT")
        #: One connection beside the pool, for the question whether PostgreSQL answers.
        self.probe_engine = make_engine(settings, connections=1)
        self._changing_engine = _beginning(self.engine, b"BEGIN")
        self._snapshot_engine = _beginning(self.engine, b"BEGIN ISOLATION LEVEL REPEATABLE READ")
        self._sessions = sessionmaker()
        refuse_unaudited_changes_of(self._sessions)

    @contextmanager
    def reading(self) -> Iterator[Reading]:
        """Lend a connection whose statements are transactions of their own, for what only reads.

        In a READ COMMITTED transaction too each statement sees what is committed when it begins; this one saves the
        two trips to the server for BEGIN and COMMIT, and the session. Raises UnavailableError like `transaction`.
        """
        with _outages_as_ours():
            pooled = self.engine.raw_connection()
            driver = _driver_of(pooled)
            try:
                yield Reading(driver)
            finally:
                if driver.closed:
                    pooled.invalidate()
                pooled.close()

    @contextmanager
    def reading_objects(self) -> Iterator[Session]:
        """Open a session to read in like `reading`, at its cost, for statements made on the spot and for objects."""
        with _outages_as_ours(), self._sessions(bind=self.engine) as session:
            yield session

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """Open a READ COMMITTED transaction: committed when the block ends, rolled back when it raises.

        Raises UnavailableError when PostgreSQL is away, has no connection free, or gives up on a lock or a statement.
        """
        with self._session(self._changing_engine) as session:
            yield session

    @contextmanager
    def consistent_read(self) -> Iterator[Session]:
        """Open a REPEATABLE READ transaction: all its queries see the database at one moment."""
        with self._session(self._snapshot_engine) as session:
            yield session

    def close(self) -> None:
        """Close every pooled connection."""
        self.engine.dispose()
        self.probe_engine.dispose()

    @contextmanager
    def _session(self, engine: Engine) -> Iterator[Session]:
        with _outages_as_ours(), self._sessions(bind=engine) as session, session.begin():
            yield session


@contextmanager
def _outages_as_ours() -> Iterator[None]:
    try:
        yield
    except (DBAPIError, psycopg.Error, PoolTimeoutError) as error:
        if not is_outage(error):
            raise
        raise UnavailableError("The database is not available, please try again") from error


def _beginning(engine: Engine, statement: bytes) -> Engine:
    """Give the engine with a transaction around all that one of its connections does.

    As the isolation level of an engine it would be set and reset, by the driver, each time that a connection is lent.
    """
    beginning = engine.execution_options()
    event.listen(beginning, "begin", lambda connection: _driver_of(connection.connection).execute(statement))
    return beginning


def _driver_of(pooled: PoolProxiedConnection) -> "psycopg.Connection[tuple[Any, ...]]":
    return cast("psycopg.Connection[tuple[Any, ...]]", pooled.driver_connection)


def make_engine(
    settings: DatabaseSettings, *, connections: int | None = None, isolation_level: IsolationLevel | None = None
) -> Engine:
    """Make an engine whose connections bound every statement and every wait for a lock; the settings say how many."""
    url = make_url(settings.database_url.get_secret_value()).set(drivername="postgresql+psycopg")
    engine = create_engine(
        url,
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
            "connect_timeout": 5,
            # A server that has vanished without a word is missed after some 20 seconds, whatever was being waited for.
            "keepalives_idle": 10,
            "keepalives_interval": 3,
            "keepalives_count": 3,
            "tcp_user_timeout": 20_000,
            "options": (
                f"-c statement_timeout={settings.database_statement_timeout_ms}"
                f" -c lock_timeout={settings.database_lock_timeout_ms}"
                f" -c idle_in_transaction_session_timeout={_IDLE_IN_TRANSACTION_MS} -c timezone=UTC"
            ),
        },
        hide_parameters=True,
    )
    leave_out_closed_connections(engine)
    return engine


def _json_text(value: object) -> str:
    return orjson.dumps(value).decode()
