"""Classifies errors of PostgreSQL: transient ones, and defects of this service."""

import psycopg
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from common.errors import UnavailableError

#: What background work meets while PostgreSQL is unavailable, in or outside a transaction.
OUTAGES = (UnavailableError, SQLAlchemyError, psycopg.Error)

#: Classes of SQLSTATE: connection lost, transaction rolled back (deadlock, serialization), out of memory, disk or
#: connections, cancelled or shut down (a statement timeout is a cancellation), system errors.
_CLASSES = frozenset({"08", "40", "53", "57", "58"})
#: Single states: a lock that did not come in time, a transaction that idled or lasted too long, and a server that takes
#: no writes (after a failover the old primary is one for a while).
_STATES = frozenset({"55P03", "25P03", "25P04", "25006"})
#: A deadlock, a serialization failure, a lock timeout and a statement timeout.
_CANCELLED = frozenset({"40P01", "40001", "55P03", "57014"})


def is_transient(error: DBAPIError | psycopg.Error | PoolTimeoutError) -> bool:
    """Return whether the same request may succeed in a moment; all other errors are a 500.

    COPY and LISTEN raise the driver's own errors.
    """
    if isinstance(error, PoolTimeoutError):
        return True
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    cause = error.orig if isinstance(error, DBAPIError) else error
    state = getattr(cause, "sqlstate", None)
    if state is None:
        # Without a state no session was opened: no server listens, or it rejected the connection.
        return isinstance(cause, psycopg.OperationalError)
    return state[:2] in _CLASSES or state in _STATES


def is_outage(error: Exception) -> bool:
    """Return whether PostgreSQL is unavailable. Otherwise the rows that the work has touched are the cause.

    PostgreSQL is available when it has cancelled a single statement.
    """
    return isinstance(error, UnavailableError) and getattr(error.__cause__, "sqlstate", None) not in _CANCELLED


def describe_error(error: Exception) -> tuple[str, str]:
    """Return the type of the error, and the first line of its text: further lines show rows."""
    cause = error.__cause__ if isinstance(error, UnavailableError) and error.__cause__ else error
    return type(cause).__name__, str(cause).partition("\n")[0]
