"""What waits to be published, of the whole installation, asked of PostgreSQL."""

from sqlalchemy import text

from common.telemetry.catalogue import publisher as catalogue
from common.telemetry.samples import SampleSet
from management_api.database.transactions import Database

#: By the index of waiting publications; all others are not looked at.
_WAITING = text("""
    SELECT count(*), coalesce(extract(epoch FROM clock_timestamp() - min(updated_at)), 0)
    FROM publications WHERE published_revision < wanted_revision
""")


class OutboxFigures:
    """Asks in the caller's thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def ask(self, samples: SampleSet) -> None:
        """Ask PostgreSQL. Raises UnavailableError."""
        with self._database.reading_objects() as session:
            waiting, oldest_seconds = session.execute(_WAITING).one()
        samples.add(catalogue.BACKLOG, waiting)
        samples.add(catalogue.BACKLOG_OLDEST, max(0.0, float(oldest_seconds)))
