"""How often a read replica has left a question to the primary, for metrics."""

from management_api.database.transactions import Database
from metrics.catalogue import management as catalogue
from metrics.readings import Readings


class ReplicaFigures:
    """Read off from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def collect(self, readings: Readings) -> None:
        """Read them off."""
        readings.add(catalogue.ANALYTICS_FALLBACKS, self._database.replica_fallbacks)
