"""The read replica of analytics: its lag, its metrics, and the fallback to the primary."""

import math
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TypeVar

import structlog
from sqlalchemy import BigInteger, Float, literal_column, select
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Session

from common.errors import RequestError, UnavailableError
from common.telemetry.catalogue import management as catalogue
from common.telemetry.reporting import PollingCollector
from common.telemetry.samples import SampleSet
from management_api.db.engine import Database
from management_api.db.pool_metrics import PoolMetrics
from management_api.db.prepared import Prepared


@dataclass(frozen=True, slots=True)
class WalPosition:
    """A place in the log of changes, in bytes, and a moment by the primary's clock, in Unix seconds."""

    bytes: int
    at: float


def _position(place: str, moment: str) -> Prepared[int | None, float | None]:
    return Prepared(
        select(
            literal_column(f"pg_wal_lsn_diff({place}, '0/0')::bigint", BigInteger).label("bytes"),
            literal_column(f"extract(epoch FROM {moment})::float8", Float).label("at"),
        )
    )


#: Behind a name of several hosts there may be no primary just now.
_WRITTEN = _position(
    "CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END", "clock_timestamp()"
)
_REPLAYED = _position(
    "CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END", "pg_last_xact_replay_timestamp()"
)


def primary_wal_position(primary: Session) -> WalPosition:
    """Say how far the primary has come, now."""
    [(place, moment)] = _WRITTEN.rows(primary)
    return WalPosition(place or 0, moment or 0.0)


def seconds_behind(replica: Session, written: WalPosition) -> float:
    """Say how far the replica is behind what the primary had written, which was asked first.

    0 where it has all of that; else the age of the last transaction that it has replayed, so that an idle primary makes
    none that is too old. Infinite where it has replayed none yet. What does not follow a log (another kind of
    replica, the primary itself) cannot be told, and gives 0.
    """
    [(place, moment)] = _REPLAYED.rows(replica)
    if place is None or place >= written.bytes:
        return 0.0
    return math.inf if moment is None else max(0.0, written.at - moment)


log = structlog.stdlib.get_logger(__name__)

#: A replica that did not answer, or is far behind, is left alone for so long: one that hangs holds up one request only.
REST_SECONDS = 5.0
#: A statement that took too long would take the primary as long, and it has others to serve.
_TOO_LONG = "57014"
#: The replica has not replayed a migration yet (a table or a column is not there).
_SCHEMA_BEHIND = "42"

Answer = TypeVar("Answer")


class ReplicaLagError(Exception):
    """The replica answers, but as things were too long ago."""


class ReplicaReader:
    """Asks questions about activity, each at one moment. The primary counts those that the replica leaves to it.

    What the replica answers is as old as its lag, which has a bound; who may ask is always looked up on the primary.
    """

    def __init__(self, database: Database) -> None:
        self._primary = database
        self._replica = database.replica
        self._max_lag_seconds = database.replica_max_lag_seconds
        self._rests_until = float("-inf")

    def read(self, permit: Callable[[Session], object], question: Callable[[Session], Answer]) -> Answer:
        """Give the answer to the question; `permit` raises what a caller is refused with, as the question itself does.

        Raises UnavailableError without the primary, or when the replica is too busy.
        """
        if self._replica is not None:
            with self._primary.reading() as reading:
                permit(reading)
                written = primary_wal_position(reading) if self._max_lag_seconds else None
            if time.monotonic() < self._rests_until:
                self._primary.replica_fallbacks += 1
            else:
                try:
                    with self._replica.repeatable_read() as session:
                        self._refuse_old_figures(session, written)
                        return question(session)
                except ReplicaLagError as error:
                    self._rest(error)
                except UnavailableError as error:
                    self._leave_alone(error)
                except RequestError:
                    # What the replica has not heard of yet, the primary may know.
                    pass
                except DBAPIError as error:
                    if not _state_of(error).startswith(_SCHEMA_BEHIND):
                        raise
                    self._note(error)
        with self._primary.repeatable_read() as session:
            return question(session)

    def _refuse_old_figures(self, replica: Session, written: WalPosition | None) -> None:
        if written is not None and seconds_behind(replica, written) > self._max_lag_seconds:
            raise ReplicaLagError

    def _leave_alone(self, error: UnavailableError) -> None:
        """Have the primary answer for a while; raises the error where the replica is there and just has much to do."""
        cause = error.__cause__
        if isinstance(cause, PoolTimeoutError) or _state_of(cause) == _TOO_LONG:
            raise error
        self._rest(cause or error)

    def _rest(self, reason: BaseException) -> None:
        self._rests_until = time.monotonic() + REST_SECONDS
        self._note(reason)

    def _note(self, reason: BaseException) -> None:
        self._primary.replica_fallbacks += 1
        log.warning("analytics_read_from_primary", reason=type(reason).__name__)


def _state_of(error: BaseException | None) -> str:
    cause = error.orig if isinstance(error, DBAPIError) else error
    return getattr(cause, "sqlstate", None) or ""


class ReplicaMetrics:
    """Any thread may collect them. A thread of its own polls the lag, since PostgreSQL may be slow."""

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
