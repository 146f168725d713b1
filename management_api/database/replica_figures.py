"""What metrics show of a read replica: its lag, its pool, and how often it has left a question to the primary."""

from contextlib import AbstractContextManager

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from common.telemetry.catalogue import management as catalogue
from common.telemetry.reporting import PollingCollector
from common.telemetry.samples import SampleSet
from management_api.database.pool_figures import PoolFigures
from management_api.database.replica_lag import seconds_behind, written_by
from management_api.database.transactions import Database


class ReplicaFigures:
    """Read off from any thread. The lag is asked for beside, so that figures are not late when a server is."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._slow = PollingCollector(self._ask, (SQLAlchemyError,))
        self._pool = None if database.replica is None else PoolFigures("management", database.replica, "replica")

    def polling(self) -> AbstractContextManager[None]:
        """Ask for the lag for the length of the block."""
        return self._slow

    def collect(self, samples: SampleSet) -> None:
        """Read them off."""
        samples.add(catalogue.ANALYTICS_FALLBACKS, self._database.replica_fallbacks)
        self._slow.collect(samples)
        if self._pool is not None:
            self._pool.collect(samples)

    def _ask(self, samples: SampleSet) -> None:
        samples.add(catalogue.REPLICA_LAG, self._lag_seconds())

    def _lag_seconds(self) -> float:
        if self._database.replica is None:
            return 0.0
        # On the connections beside the pools: figures of a pool that is exhausted matter most.
        with Session(self._database.probe_engine) as primary:
            written = written_by(primary)
        with Session(self._database.replica.probe_engine) as replica:
            return seconds_behind(replica, written)
