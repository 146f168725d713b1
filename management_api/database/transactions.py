"""The one place that opens and closes transactions."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import orjson
import psycopg
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine.interfaces import IsolationLevel
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Session, sessionmaker
from sqlalchemy.pool import PoolProxiedConnection

from common.errors import UnavailableError
from common.settings.shared import DatabaseSettings
from management_api.database.audit_trail import refuse_unaudited_changes_of
from management_api.database.closed_connections import end_transaction, leave_out_closed_connections
from management_api.database.connection_url import connection_url
from management_api.database.lending_pool import LendingPool
from management_api.database.outages import is_outage
from management_api.database.reading import Reading
from management_api.database.statement_cursors import cursors_of
from management_api.database.utc_sessions import keep_in_utc
from management_api.database.watchdog import ConnectionWatchdog

#: A process that is frozen inside a transaction keeps its rows from the others for so long.
_IDLE_IN_TRANSACTION_MS = 15_000
#: For statements that look everything up by an index, so that one plan is right for all values: to plan them each time
#: takes longer than many of them do.
_BY_INDEXES = "SET LOCAL enable_seqscan = off; SET LOCAL plan_cache_mode = force_generic_plan"
#: As SQLAlchemy raises it, as the driver does where a connection is lent or a transaction begun, and for want of one.
_FAILURES = (DBAPIError, psycopg.Error, PoolTimeoutError)


class Database:
    """A pool of connections to PostgreSQL, handed down by constructor; `replica` is one to read activity from.

    While the replica is further behind than its bound, it is not read from; 0: there is no bound.
    """

    def __init__(
        self, settings: DatabaseSettings, replica: "Database | None" = None, *, replica_max_lag_seconds: float = 0.0
    ) -> None:
        self.replica = replica
        self.replica_max_lag_seconds = replica_max_lag_seconds
        #: Questions that the replica could not answer, and this one did instead.
        self.replica_fallbacks = 0
        #: The driver begins nothing by itself; what needs more than one statement begins it here.
        watchdog = ConnectionWatchdog(settings.database_statement_timeout_ms / 1000)
        self.engine = make_engine(settings, isolation_level="AUTOCOMMIT", watchdog=watchdog)
        self._pool = cast("LendingPool", self.engine.pool)
        #: One connection beside the pool, for the question whether PostgreSQL answers.
        self.probe_engine = make_engine(settings, connections=1, watchdog=watchdog)
        #: Behind a pooler nothing outlives a transaction: each brings its bounds along, also where it only reads.
        bounds = f"; {_bounds(settings)}" if settings.database_pooler == "transaction" else ""
        self._read_opening = f"BEGIN{bounds}".encode() if bounds else None
        self._changing_engine = _beginning(self.engine, f"BEGIN{bounds}")
        self._index_engine = _beginning(self.engine, f"BEGIN{bounds}; {_BY_INDEXES}")
        self._snapshot_engine = _beginning(self.engine, f"BEGIN ISOLATION LEVEL REPEATABLE READ{bounds}")
        self._reading_engine = self._changing_engine if bounds else self.engine
        self._sessions = sessionmaker()
        refuse_unaudited_changes_of(self._sessions)

    @contextmanager
    def reading(self) -> Iterator[Reading]:
        """Lend a connection whose statements are transactions of their own, for what only reads.

        In a READ COMMITTED transaction too each statement sees what is committed when it begins; this one saves the
        two trips to the server for BEGIN and COMMIT, and the session. Raises UnavailableError like `transaction`.
        """
        try:
            with self._pool.lent() as connection:
                cursors = cursors_of(connection)
                if self._read_opening is not None:
                    cursors.connection.execute(self._read_opening)
                yield Reading(cursors)
        except _FAILURES as error:
            raise _as_ours(error) from error

    @contextmanager
    def reading_objects(self) -> Iterator[Session]:
        """Open a session to read in like `reading`, at its cost, for statements made on the spot and for objects."""
        with _outages_as_ours(), self._sessions(bind=self._reading_engine) as session:
            yield session

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """Open a READ COMMITTED transaction: committed when the block ends, rolled back when it raises.

        Raises UnavailableError when PostgreSQL is away, has no connection free, or gives up on a lock or a statement.
        """
        with self._session(self._changing_engine) as session:
            yield session

    @contextmanager
    def transaction_by_indexes(self) -> Iterator[Session]:
        """Open one like `transaction` that reads no table from end to end if an index will do.

        A plan that was kept since a table was nearly empty, as those of recent ids are now and then, might go without
        its index until the statistics of the table are renewed. Plans are made once and kept, whatever the values.
        """
        with self._session(self._index_engine) as session:
            yield session

    @contextmanager
    def consistent_read(self) -> Iterator[Session]:
        """Open a REPEATABLE READ transaction: all its queries see the database at one moment."""
        with self._session(self._snapshot_engine) as session:
            yield session

    def close(self) -> None:
        """Close every pooled connection, those to the replica too."""
        if self.replica is not None:
            self.replica.close()
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
    except _FAILURES as error:
        raise _as_ours(error) from error


def _as_ours(error: DBAPIError | psycopg.Error | PoolTimeoutError) -> UnavailableError:
    """Give what stands for an outage; all else is raised as it is."""
    if not is_outage(error):
        raise error
    return UnavailableError("The database is not available, please try again")


def _beginning(engine: Engine, statement: str) -> Engine:
    """Give the engine with a transaction around all that one of its connections does.

    As the isolation level of an engine it would be set and reset, by the driver, each time that a connection is lent.
    """
    beginning = engine.execution_options()
    opening = statement.encode()
    event.listen(beginning, "begin", lambda connection: _driver_of(connection.connection).execute(opening))
    return beginning


def _driver_of(pooled: PoolProxiedConnection) -> "psycopg.Connection[tuple[Any, ...]]":
    return cast("psycopg.Connection[tuple[Any, ...]]", pooled.driver_connection)


def make_engine(
    settings: DatabaseSettings,
    *,
    connections: int | None = None,
    isolation_level: IsolationLevel | None = None,
    watchdog: ConnectionWatchdog | None = None,
) -> Engine:
    """Make an engine whose connections bound every statement and every wait for a lock; the settings say how many.

    The watchdog ends the wait for a server that hangs; without one it lasts as long. Behind a pooler transactions
    have to set the timeouts. Raises SettingsError for a URL that libpq does not take.
    """
    url = connection_url(settings.database_url)
    # A pooler refuses options of a session, and what is prepared in one session is not there in the next.
    of_session = {"prepare_threshold": None} if settings.database_pooler == "transaction" else _session_bounds(settings)
    engine = create_engine(
        "postgresql+psycopg://",
        poolclass=LendingPool,
        pool_size=connections or settings.database_pool_size,
        max_overflow=0,
        pool_timeout=settings.database_pool_timeout_ms / 1000,
        pool_use_lifo=True,
        # By ourselves, below: SQLAlchemy would ask the driver for a rollback each time that a connection is given back.
        pool_reset_on_return=None,
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
            **of_session,
        },
        hide_parameters=True,
    )
    # The URL goes to libpq as it is: several hosts, TLS and whatever else libpq knows work as its documentation says.
    event.listen(
        engine, "do_connect", lambda _dialect, _entry, _args, members: psycopg.Connection.connect(url, **members)
    )
    if watchdog is not None:
        watchdog.watch(engine)
    leave_out_closed_connections(engine)
    event.listen(engine, "reset", end_transaction)
    if "options" in of_session:
        keep_in_utc(engine)
    return engine


def _values(settings: DatabaseSettings) -> dict[str, str]:
    """Give what every transaction of ours runs under, in PostgreSQL's names."""
    return {
        "statement_timeout": str(settings.database_statement_timeout_ms),
        "lock_timeout": str(settings.database_lock_timeout_ms),
        "idle_in_transaction_session_timeout": str(_IDLE_IN_TRANSACTION_MS),
        "timezone": "UTC",
    }


def _session_bounds(settings: DatabaseSettings) -> dict[str, object]:
    return {"options": " ".join(f"-c {name}={value}" for name, value in _values(settings).items())}


def _bounds(settings: DatabaseSettings) -> str:
    return "; ".join(f"SET LOCAL {name} = '{value}'" for name, value in _values(settings).items())


def _json_text(value: object) -> str:
    return orjson.dumps(value).decode()
