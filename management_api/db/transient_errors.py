"""Classifies errors of PostgreSQL: transient ones, and defects of this service."""

import psycopg
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

#: Classes of SQLSTATE: connection lost, transaction rolled back (deadlock, serialization), out of memory, disk or
#: connections, cancelled or shut down (a statement timeout is a cancellation), system errors.
_CLASSES = frozenset({"08", "40", "53", "57", "58"})
#: Single states: a lock that did not come in time, a transaction that idled or lasted too long, and a server that takes
#: no writes (after a failover the old primary is one for a while).
_STATES = frozenset({"55P03", "25P03", "25P04", "25006"})


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
