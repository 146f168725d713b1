"""Collects the metrics of an edge worker and writes them once a second."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import get_args

from common.telemetry.catalogue import edge as catalogue
from common.telemetry.multiprocess_store import WorkerMetricsWriter
from common.telemetry.process_metrics import collect_process
from common.telemetry.reporting import REPORT_SECONDS
from common.telemetry.samples import SampleSet
from edge_api.background_tasks import BackgroundTasks
from edge_api.events.status import EventsState, SpoolState
from edge_api.events.worker_events import WorkerEvents
from edge_api.http.connection_limits import ConnectionReaper
from edge_api.http.request_metrics import RequestMetrics
from edge_api.media.files import MediaFiles
from edge_api.page_assets import PageAssets
from edge_api.rate_limiter import RateLimiter
from edge_api.snapshots.metrics import SnapshotMetrics
from edge_api.snapshots.worker_snapshots import WorkerSnapshots


class EdgeMetrics:
    """Reads the counters of all parts of a worker, in its event loop."""

    def __init__(
        self,
        requests: RequestMetrics,
        connections: ConnectionReaper,
        snapshots: WorkerSnapshots,
        events: WorkerEvents,
        assets: PageAssets,
        media: MediaFiles,
        limiter: RateLimiter | None,
    ) -> None:
        self._requests = requests
        self._connections = connections
        self._snapshots = snapshots
        self._events = events
        self._assets = assets
        self._media = media
        self._limiter = limiter
        #: Seconds by which the event loop was late for the last collection.
        self.loop_delay = 0.0

    def collect(self, samples: SampleSet) -> None:
        """Add the current values."""
        self._requests.collect(samples)
        samples.add(catalogue.CONNECTIONS, len(self._connections))
        samples.add(catalogue.CONNECTION_LIMIT, self._connections.limits.connections)
        samples.add(catalogue.LOOP_DELAY, self.loop_delay)
        self._collect_snapshots(samples, self._snapshots.cache.metrics())
        self._collect_events(samples)
        self._collect_spool(samples)
        self._assets.collect(samples)
        self._media.collect(samples)
        if self._limiter is not None:
            self._limiter.collect(samples)

    def _collect_snapshots(self, samples: SampleSet, metrics: SnapshotMetrics) -> None:
        samples.add(catalogue.SNAPSHOTS_CACHED, metrics.cached)
        samples.add(catalogue.SNAPSHOT_BYTES, metrics.cached_bytes)
        samples.add(catalogue.SNAPSHOT_LIMIT, metrics.limit_bytes)
        samples.add(catalogue.SNAPSHOTS_EVICTED, metrics.evicted)
        samples.add(catalogue.SNAPSHOT_LOADS, metrics.loads.from_redis, "redis")
        samples.add(catalogue.SNAPSHOT_LOADS, metrics.loads.from_disk, "disk")
        samples.add(catalogue.SNAPSHOT_LOADS, metrics.loads.failed, "failed")
        samples.add(catalogue.SNAPSHOT_LOADS, metrics.loads.unreadable, "unreadable")
        samples.add(catalogue.SNAPSHOT_AGE, metrics.age_seconds)
        samples.add(catalogue.REVISION_LAG, metrics.revision_lag)
        samples.add(catalogue.TOO_STALE, metrics.is_too_stale)
        samples.add(catalogue.REDIS_DOWN, metrics.is_degraded)
        copies = self._snapshots.copy_metrics()
        samples.add(catalogue.COPIES_FAILING, copies.state == "failing")
        samples.add(catalogue.COPIES_DAMAGED, copies.damaged)
        changes = self._snapshots.changes
        samples.add(catalogue.NEWEST_CHANGE, changes.newest_at)
        samples.add_histograms(catalogue.PROPAGATION_SECONDS, [changes.propagation])

    def _collect_events(self, samples: SampleSet) -> None:
        status, stats = self._events.status(), self._events.stats
        samples.add(catalogue.EVENTS, stats.stored, "stored")
        samples.add(catalogue.EVENTS, stats.rejected, "rejected")
        samples.add(catalogue.EVENTS, stats.dropped, "dropped")
        samples.add_histograms(catalogue.COMMIT_SECONDS, [stats.durations])
        samples.add(catalogue.EVENTS_PENDING, status.pending)
        samples.add(catalogue.EVENTS_PENDING_BYTES, status.pending_bytes)
        samples.add(catalogue.OVER_QUOTA, self._events.quotas.rejected)
        for place in get_args(EventsState):
            samples.add(catalogue.EVENTS_STORED_IN, status.state == place, place)

    def _collect_spool(self, samples: SampleSet) -> None:
        spool = self._events.status().spool
        for state in get_args(SpoolState):
            samples.add(catalogue.SPOOL_STATE, spool.state == state, state)
        samples.add(catalogue.SPOOL_RECORDS, spool.records)
        samples.add(catalogue.SPOOL_BYTES, spool.bytes)
        samples.add(catalogue.SPOOL_LIMIT, spool.limit_bytes)
        samples.add(catalogue.SPOOL_FILL, spool.fill)
        samples.add(catalogue.SPOOL_OLDEST, spool.oldest_seconds or 0.0)
        samples.add(catalogue.SPOOL_REPLAYED, spool.replayed)
        samples.add(catalogue.SPOOL_REJECTED, spool.rejected)
        samples.add(catalogue.SPOOL_DAMAGED, spool.damaged)


@asynccontextmanager
async def report_metrics(writer: WorkerMetricsWriter | None, metrics: EdgeMetrics) -> AsyncIterator[None]:
    """Write the metrics for the length of the block, and once more at its end; without a writer, never."""
    if writer is None:
        yield
        return
    tasks = BackgroundTasks()
    tasks.start("metrics", lambda: _write_repeatedly(writer, metrics))
    try:
        yield
    finally:
        await tasks.stop()
        await _write(writer, metrics)
        writer.close()


async def _write_repeatedly(writer: WorkerMetricsWriter, metrics: EdgeMetrics) -> None:
    loop = asyncio.get_running_loop()
    while True:
        due_at = loop.time() + REPORT_SECONDS
        await asyncio.sleep(REPORT_SECONDS)
        metrics.loop_delay = max(0.0, loop.time() - due_at)
        await _write(writer, metrics)


async def _write(writer: WorkerMetricsWriter, metrics: EdgeMetrics) -> None:
    samples = SampleSet()
    metrics.collect(samples)
    await asyncio.to_thread(_complete_and_write, writer, samples)


def _complete_and_write(writer: WorkerMetricsWriter, samples: SampleSet) -> None:
    # Counting the open files of a worker with many clients takes too long for the event loop.
    collect_process("edge", samples)
    writer.write(samples)
