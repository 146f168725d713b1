"""Metrics of the read replica: its lag, its pool, and the fallbacks to the primary."""

from contextlib import AbstractContextManager

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from common.telemetry.catalogue import management as catalogue
from common.telemetry.reporting import PollingCollector
from common.telemetry.samples import SampleSet
from management_api.database.pool_metrics import PoolMetrics
from management_api.database.replica_lag import seconds_behind, written_by
from management_api.database.transactions import Database


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
            written = written_by(primary)
        with Session(self._database.replica.probe_engine) as replica:
            return seconds_behind(replica, written)
