"""Readiness: whether PostgreSQL responds and has a schema that serves this release, in bounded time."""

import threading
import time

import structlog
from sqlalchemy.exc import ProgrammingError, SQLAlchemyError

from management_api.db.engine import Database
from management_api.db.migrate import SchemaFit, newest_revisions, schema_fit

#: Lifetime of a cached result.
FRESH_SECONDS = 1.0
#: Timeout of a readiness request.
WAIT_SECONDS = 2.0

SCHEMA_DIFFERS = "The database does not have the current schema"
SERVING_FITS = frozenset({SchemaFit.OWN, SchemaFit.NEWER})
UNAVAILABLE = "The database is not available, please try again"

log = structlog.get_logger(__name__)


class DatabaseReadiness:
    """Checks the database in a thread, on a connection beside the pool, and caches the result for FRESH_SECONDS.

    A check without a result after WAIT_SECONDS counts as UNAVAILABLE.
    """

    def __init__(self, database: Database) -> None:
        self._engine = database.probe_engine
        self._revisions = newest_revisions()
        #: Guards all members below.
        self._changed = threading.Condition()
        self._problem: str | None = UNAVAILABLE
        self._is_checking = False
        self._started_at = self._finished_at = float("-inf")

    def problem(self) -> str | None:
        """Return the reason why requests cannot be served, or None. Blocks for at most WAIT_SECONDS."""
        with self._changed:
            now = time.monotonic()
            if not self._is_checking and now - self._finished_at > FRESH_SECONDS:
                self._is_checking = True
                self._started_at = now
                threading.Thread(target=self._check, name="readiness", daemon=True).start()
            # The timeout counts from the start of the check, so that later requests do not wait for it again.
            timeout = max(0.0, self._started_at + WAIT_SECONDS - now)
            is_finished = self._changed.wait_for(lambda: not self._is_checking, timeout)
            return self._problem if is_finished else UNAVAILABLE

    def _check(self) -> None:
        problem = self._find_problem()
        with self._changed:
            self._problem = problem
            self._finished_at = time.monotonic()
            self._is_checking = False
            self._changed.notify_all()

    def _find_problem(self) -> str | None:
        try:
            with self._engine.connect() as connection:
                fit = schema_fit(connection, self._revisions)
        except ProgrammingError:
            # A database without a migration has no version table.
            return SCHEMA_DIFFERS
        except SQLAlchemyError as error:
            log.warning("not ready", reason=type(error).__qualname__, detail=_first_line(error))
            return UNAVAILABLE
        return None if fit in SERVING_FITS else SCHEMA_DIFFERS


def _first_line(error: SQLAlchemyError) -> str:
    """Return the first line of the driver's error, such as a rejected certificate, without the statement."""
    cause = getattr(error, "orig", None) or error
    return str(cause).strip().partition("\n")[0]
