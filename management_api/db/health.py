"""Whether PostgreSQL can serve this release: readiness, answered in bounded time."""

import threading
import time

import structlog
from sqlalchemy.exc import ProgrammingError, SQLAlchemyError

from management_api.db.engine import Database
from management_api.db.migrate import SchemaFit, newest_revisions, schema_fit

#: Time for which a result is used again.
FRESH_SECONDS = 1.0
#: Timeout of a readiness request.
WAIT_SECONDS = 2.0

SCHEMA_DIFFERS = "The database does not have the current schema"
SERVING_FITS = frozenset({SchemaFit.OWN, SchemaFit.NEWER})
AWAY = "The database is not available, please try again"

log = structlog.get_logger(__name__)


class DatabaseReadiness:
    """Asks on a connection beside the pool, in a thread of its own; while that thread hangs, the database is away."""

    def __init__(self, database: Database) -> None:
        self._engine = database.probe_engine
        self._revisions = newest_revisions()
        self._change = threading.Condition()
        # All of these belong to the condition.
        self._obstacle: str | None = AWAY
        self._asking = False
        self._asked_at = self._answered_at = float("-inf")

    def obstacle(self) -> str | None:
        """Return the reason why requests cannot be served, or None."""
        with self._change:
            now = time.monotonic()
            if not self._asking and now - self._answered_at > FRESH_SECONDS:
                self._asking = True
                self._asked_at = now
                threading.Thread(target=self._ask, name="readiness", daemon=True).start()
            # The time-out counts from the start of the check, so that later requests do not wait for it again.
            patience = self._asked_at + WAIT_SECONDS - now
            answered = self._change.wait_for(lambda: not self._asking, max(0.0, patience))
            return self._obstacle if answered else AWAY

    def _ask(self) -> None:
        obstacle = self._present_obstacle()
        with self._change:
            self._obstacle = obstacle
            self._answered_at = time.monotonic()
            self._asking = False
            self._change.notify_all()

    def _present_obstacle(self) -> str | None:
        try:
            with self._engine.connect() as connection:
                fit = schema_fit(connection, self._revisions)
        except ProgrammingError:
            # A database without a migration has no such table.
            return SCHEMA_DIFFERS
        except SQLAlchemyError as error:
            log.warning("not ready", reason=type(error).__qualname__, detail=_first_line(error))
            return AWAY
        return None if fit in SERVING_FITS else SCHEMA_DIFFERS


def _first_line(error: SQLAlchemyError) -> str:
    """Return the first line of the driver's error, such as a rejected certificate, without the statement."""
    cause = getattr(error, "orig", None) or error
    return str(cause).strip().partition("\n")[0]
