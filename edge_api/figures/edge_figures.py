"""What a worker of the edge shows of itself: read off its parts, which keep their own counts."""

from typing import get_args

from common.telemetry.catalogue import edge as catalogue
from common.telemetry.samples import SampleSet
from edge_api.events.status import EventsState, SpoolState
from edge_api.events.worker_events import WorkerEvents
from edge_api.figures.request_figures import RequestFigures
from edge_api.http.connection_limits import ConnectionReaper
from edge_api.rate_limiter import RateLimiter
from edge_api.snapshots.metrics import SnapshotMetrics
from edge_api.snapshots.worker_snapshots import WorkerSnapshots


class EdgeFigures:
    """Read off in the worker's event loop."""

    def __init__(
        self,
        requests: RequestFigures,
        connections: ConnectionReaper,
        snapshots: WorkerSnapshots,
        events: WorkerEvents,
        limiter: RateLimiter | None,
    ) -> None:
        self._requests = requests
        self._connections = connections
        self._snapshots = snapshots
        self._events = events
        self._limiter = limiter
        #: How late the loop came to the last reading.
        self.loop_delay = 0.0

    def collect(self, readings: SampleSet) -> None:
        """Read everything off."""
        self._requests.collect(readings)
        readings.add(catalogue.CONNECTIONS, len(self._connections))
        readings.add(catalogue.CONNECTION_LIMIT, self._connections.limits.connections)
        readings.add(catalogue.LOOP_DELAY, self.loop_delay)
        self._collect_snapshots(readings, self._snapshots.cache.metrics())
        self._collect_events(readings)
        self._collect_spool(readings)
        if self._limiter is not None:
            self._limiter.collect(readings)

    def _collect_snapshots(self, readings: SampleSet, metrics: SnapshotMetrics) -> None:
        readings.add(catalogue.SNAPSHOTS_HELD, metrics.cached)
        readings.add(catalogue.SNAPSHOT_BYTES, metrics.cached_bytes)
        readings.add(catalogue.SNAPSHOT_LIMIT, metrics.limit_bytes)
        readings.add(catalogue.SNAPSHOTS_EVICTED, metrics.evicted)
        readings.add(catalogue.SNAPSHOT_LOADS, metrics.loads.from_redis, "redis")
        readings.add(catalogue.SNAPSHOT_LOADS, metrics.loads.from_disk, "disk")
        readings.add(catalogue.SNAPSHOT_LOADS, metrics.loads.failed, "failed")
        readings.add(catalogue.SNAPSHOT_LOADS, metrics.loads.unreadable, "unreadable")
        readings.add(catalogue.SNAPSHOT_AGE, metrics.age_seconds)
        readings.add(catalogue.REVISION_LAG, metrics.revision_lag)
        readings.add(catalogue.TOO_STALE, metrics.is_too_stale)
        readings.add(catalogue.REDIS_DOWN, metrics.is_degraded)
        readings.add(catalogue.COPIES_FAILING, metrics.copies == "failing")
        readings.add(catalogue.COPIES_DAMAGED, metrics.damaged_copies)
        changes = self._snapshots.changes
        readings.add(catalogue.NEWEST_CHANGE, changes.newest_at)
        readings.add_durations(catalogue.PROPAGATION_SECONDS, [changes.propagation])

    def _collect_events(self, readings: SampleSet) -> None:
        figures, tally = self._events.status(), self._events.commits.stats
        readings.add(catalogue.EVENTS, tally.stored, "stored")
        readings.add(catalogue.EVENTS, tally.refused, "refused")
        readings.add(catalogue.EVENTS, tally.dropped, "dropped")
        readings.add_durations(catalogue.COMMIT_SECONDS, [tally.durations])
        readings.add(catalogue.EVENTS_PENDING, figures.pending)
        readings.add(catalogue.EVENTS_PENDING_BYTES, figures.pending_bytes)
        for place in get_args(EventsState):
            readings.add(catalogue.EVENTS_STORED_IN, figures.state == place, place)

    def _collect_spool(self, readings: SampleSet) -> None:
        spool = self._events.status().spool
        for state in get_args(SpoolState):
            readings.add(catalogue.SPOOL_STATE, spool.state == state, state)
        readings.add(catalogue.SPOOL_RECORDS, spool.records)
        readings.add(catalogue.SPOOL_BYTES, spool.bytes)
        readings.add(catalogue.SPOOL_LIMIT, spool.limit_bytes)
        readings.add(catalogue.SPOOL_OLDEST, spool.oldest_seconds or 0.0)
        readings.add(catalogue.SPOOL_REPLAYED, spool.replayed)
        readings.add(catalogue.SPOOL_REFUSED, spool.refused)
        readings.add(catalogue.SPOOL_DAMAGED, spool.damaged)
