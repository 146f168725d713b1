"""The read replica of analytics: its lag, its metrics, and the fallback to the primary."""

import math
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import NamedTuple, TypeVar

import structlog
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Session

from common.errors import RequestError, UnavailableError
from common.telemetry.catalogue import management as catalogue
from common.telemetry.reporting import PollingCollector
from common.telemetry.samples import SampleSet
from management_api.db.engine import Database
from management_api.db.pool_metrics import PoolMetrics

#: The primary is read while the replica is further behind.
MAX_LAG_SECONDS = 60.0
#: Pause of a replica that is down or far behind, so that one that hangs holds up one request only.
PAUSE_SECONDS = 5.0
#: SQLSTATE of a statement that took too long: on the primary it would take as long, at the expense of other requests.
_QUERY_CANCELED = "57014"
#: The class of SQLSTATE for a table or column that is missing: the replica has not replayed a migration yet.
_UNDEFINED = "42"

#: Behind a host name of several servers there may be no primary for a moment.
_PRIMARY_POSITION = text(
    "SELECT pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END,"
    " '0/0')::bigint, extract(epoch FROM clock_timestamp())::float8"
)
_REPLICA_POSITION = text(
    "SELECT pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END, '0/0')::bigint,"
    " extract(epoch FROM pg_last_xact_replay_timestamp())::float8"
)

Result = TypeVar("Result")
_LOG = structlog.stdlib.get_logger(__name__)


class WalPosition(NamedTuple):
    """A position in the write-ahead log, in bytes, and the time on the primary's clock, in Unix seconds."""

    bytes: int
    at: float


class ReplicaLagError(Exception):
    """The replica responds, but is too far behind the primary."""


def primary_wal_position(primary: Session) -> WalPosition:
    """Return the position up to which the primary has written its log."""
    position, at = primary.execute(_PRIMARY_POSITION).one()
    return WalPosition(position or 0, at)


def seconds_behind(replica: Session, written: WalPosition) -> float:
    """Return how far the replica is behind a position of the primary, which was read first.

    0 when it has replayed all of that; else the age of the last transaction that it has replayed, so that an idle
    primary causes no lag. Infinite when it has replayed none yet. The lag of a server that follows no log (another kind
    of replica, the primary itself) is unknown and counts as 0.
    """
    position, replayed_at = replica.execute(_REPLICA_POSITION).one()
    if position is None or position >= written.bytes:
        return 0.0
    return math.inf if replayed_at is None else max(0.0, written.at - replayed_at)


def _check_lag(replica: Session, written: WalPosition) -> None:
    if seconds_behind(replica, written) > MAX_LAG_SECONDS:
        raise ReplicaLagError


class ReplicaReader:
    """Runs queries of analytics on the replica, where there is one, and on the primary while it cannot.

    Results are as old as the replica's lag, which is bounded. Access is always checked on the primary.
    """

    def __init__(self, database: Database) -> None:
        self._primary = database
        self._replica = database.replica
        self._paused_until = float("-inf")

    def read(self, authorize: Callable[[Session], object], query: Callable[[Session], Result]) -> Result:
        """Return the result of a query, whose statements see the database at one moment.

        `authorize` raises the error of a caller without access, as the query itself does. Raises UnavailableError
        without the primary, or when the replica is too busy.
        """
        if self._replica is not None:
            with self._primary.reading() as session:
                authorize(session)
                written = primary_wal_position(session)
            if time.monotonic() < self._paused_until:
                self._primary.replica_fallbacks += 1
            else:
                try:
                    with self._replica.repeatable_read() as session:
                        _check_lag(session, written)
                        return query(session)
                except (ReplicaLagError, UnavailableError, DBAPIError) as error:
                    self._fall_back(error)
                except RequestError:
                    # The primary may have what the replica does not have yet.
                    pass
        with self._primary.repeatable_read() as session:
            return query(session)

    def _fall_back(self, error: Exception) -> None:
        """Count a fallback, and pause the replica when it is down or behind.

        Raises the error when the replica is merely busy, and any that another server would raise as well.
        """
        cause = error.__cause__ if isinstance(error, UnavailableError) else error
        sqlstate = getattr(cause.orig if isinstance(cause, DBAPIError) else cause, "sqlstate", None) or ""
        if isinstance(cause, PoolTimeoutError) or sqlstate == _QUERY_CANCELED:
            raise error
        if not isinstance(error, DBAPIError):
            self._paused_until = time.monotonic() + PAUSE_SECONDS
        elif not sqlstate.startswith(_UNDEFINED):
            raise error
        self._primary.replica_fallbacks += 1
        _LOG.warning("analytics_read_from_primary", reason=type(cause or error).__name__)


class ReplicaMetrics:
    """Metrics of the replica, collected by any thread; a thread of its own polls the lag, as PostgreSQL may be slow."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._polled = PollingCollector(self._poll, (SQLAlchemyError,))
        self._pool = None if database.replica is None else PoolMetrics("management", database.replica, "replica")

    def polling(self) -> AbstractContextManager[None]:
        """Poll the lag for the length of the block."""
        return self._polled

    def collect(self, samples: SampleSet) -> None:
        """Add the fallbacks, the lag and the pool."""
        samples.add(catalogue.ANALYTICS_FALLBACKS, self._database.replica_fallbacks)
        self._polled.collect(samples)
        if self._pool is not None:
            self._pool.collect(samples)

    def _poll(self, samples: SampleSet) -> None:
        samples.add(catalogue.REPLICA_LAG, self._lag_seconds())

    def _lag_seconds(self) -> float:
        if self._database.replica is None:
            return 0.0
        # On connections outside the pools: the lag matters most while a pool is exhausted.
        with Session(self._database.probe_engine) as primary:
            written = primary_wal_position(primary)
        with Session(self._database.replica.probe_engine) as replica:
            return seconds_behind(replica, written)
