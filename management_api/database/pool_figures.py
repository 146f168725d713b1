"""How a worker uses its pool of connections."""

from typing import Literal

from sqlalchemy.pool import QueuePool

from management_api.database.transactions import Database
from metrics.catalogue import every_process as catalogue
from metrics.declaration import Process
from metrics.readings import Readings

Server = Literal["primary", "replica"]


class PoolFigures:
    """Read off from any thread."""

    def __init__(self, process: Process, database: Database, server: Server = "primary") -> None:
        self._labels = (process, server)
        self._pool = database.engine.pool

    def collect(self, readings: Readings) -> None:
        """Read them off."""
        if not isinstance(self._pool, QueuePool):
            return
        readings.add(catalogue.POOL_SIZE, self._pool.size(), *self._labels)
        readings.add(catalogue.POOL_CONNECTIONS, self._pool.checkedout(), *self._labels, "used")
        readings.add(catalogue.POOL_CONNECTIONS, self._pool.checkedin(), *self._labels, "idle")
