"""Metrics of a pool of connections to PostgreSQL."""

from typing import Literal

from sqlalchemy.pool import QueuePool

from common.telemetry.catalogue import process as catalogue
from common.telemetry.metrics import Process
from common.telemetry.samples import SampleSet
from management_api.db.engine import Database

Server = Literal["primary", "replica"]


class PoolMetrics:
    """The use of one pool; any thread may collect it."""

    def __init__(self, process: Process, database: Database, server: Server = "primary") -> None:
        self._labels = (process, server)
        self._pool = database.engine.pool

    def collect(self, samples: SampleSet) -> None:
        """Add the size of the pool and its connections."""
        if not isinstance(self._pool, QueuePool):
            return
        samples.add(catalogue.POOL_SIZE, self._pool.size(), *self._labels)
        samples.add(catalogue.POOL_CONNECTIONS, self._pool.checkedout(), *self._labels, "used")
        samples.add(catalogue.POOL_CONNECTIONS, self._pool.checkedin(), *self._labels, "idle")
