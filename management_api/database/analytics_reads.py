"""Where figures are read: from a read replica where there is one and while it answers, else from the primary."""

import time
from collections.abc import Callable
from typing import TypeVar

import structlog
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Session

from common.errors import RequestError, UnavailableError
from management_api.database.replica_lag import Position, seconds_behind, written_by
from management_api.database.transactions import Database

log = structlog.stdlib.get_logger(__name__)

#: A replica that did not answer, or is far behind, is left alone for so long: one that hangs holds up one request only.
REST_SECONDS = 5.0
#: A statement that took too long would take the primary as long, and it has others to serve.
_TOO_LONG = "57014"
#: The replica has not replayed a migration yet (a table or a column is not there).
_SCHEMA_BEHIND = "42"

Answer = TypeVar("Answer")


class FarBehindError(Exception):
    """The replica answers, but as things were too long ago."""


class AnalyticsReads:
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
                written = written_by(reading) if self._max_lag_seconds else None
            if time.monotonic() < self._rests_until:
                self._primary.replica_fallbacks += 1
            else:
                try:
                    with self._replica.repeatable_read() as session:
                        self._refuse_old_figures(session, written)
                        return question(session)
                except FarBehindError as error:
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

    def _refuse_old_figures(self, replica: Session, written: Position | None) -> None:
        if written is not None and seconds_behind(replica, written) > self._max_lag_seconds:
            raise FarBehindError

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
