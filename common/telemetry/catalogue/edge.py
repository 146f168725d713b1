"""Metrics of the edge. Where a gauge is of several workers, the worst of them or all together is shown."""

from common.telemetry.declaration import counter, gauge, histogram
from common.telemetry.histogram import MEMORY_BOUNDS, WAITING_BOUNDS

REQUESTS = counter(
    "onboarding_edge_requests_total",
    "Requests answered. Version 1 counts as the path without a version; `route` is other for unknown paths.",
    "edge",
    labels=("route", "status"),
)
REQUEST_SECONDS = histogram(
    "onboarding_edge_request_duration_seconds",
    "From the complete request to its answer on the way out: of events the fsync of Redis is in it.",
    "edge",
    bounds=MEMORY_BOUNDS,
    labels=("route",),
)
UNREADABLE_REQUESTS = counter(
    "onboarding_edge_unreadable_requests_total",
    "What was refused before it could be read as a request: not HTTP, too large, too late, too many connections.",
    "edge",
    labels=("status",),
)
CONNECTIONS = gauge("onboarding_edge_connections", "Connections of clients.", "edge")
CONNECTION_LIMIT = gauge("onboarding_edge_connection_limit", "Connections that the workers take.", "edge")
LOOP_DELAY = gauge(
    "onboarding_edge_loop_delay_seconds",
    "How late the event loop came to the last reading of figures, in the worst worker.",
    "edge",
    over_workers="max",
)

SNAPSHOTS_HELD = gauge("onboarding_edge_snapshots", "Snapshots in memory; each worker holds its own.", "edge")
SNAPSHOT_BYTES = gauge("onboarding_edge_snapshot_memory_bytes", "About what the snapshots in memory take.", "edge")
SNAPSHOT_LIMIT = gauge("onboarding_edge_snapshot_memory_limit_bytes", "What they may take.", "edge")
SNAPSHOTS_EVICTED = counter(
    "onboarding_edge_snapshots_evicted_total", "Snapshots that had to make room for others.", "edge"
)
SNAPSHOT_LOADS = counter(
    "onboarding_edge_snapshot_loads_total",
    "Snapshots loaded for a request, by `source`: redis or disk; failed: from neither; unreadable: of no known format.",
    "edge",
    labels=("source",),
)
SNAPSHOT_AGE = gauge(
    "onboarding_edge_snapshot_age_seconds",
    "Since Redis last confirmed all that is held, in the worst worker; absent before the first time.",
    "edge",
    over_workers="max",
)
REVISION_LAG = gauge(
    "onboarding_edge_revision_lag",
    "The most revisions that a project held is known to be behind Redis, in the worst worker.",
    "edge",
    over_workers="max",
)
NEWEST_CHANGE = gauge(
    "onboarding_edge_newest_change_timestamp_seconds",
    "When the newest change that every worker has followed was published, by Redis's clock; absent before the first.",
    "edge",
    over_workers="min",
)
PROPAGATION_SECONDS = histogram(
    "onboarding_edge_propagation_seconds",
    "From the publication in Redis to a worker that has it, for each change and worker. The two machines' clocks are"
    " compared.",
    "edge",
    bounds=WAITING_BOUNDS,
)
TOO_STALE = gauge(
    "onboarding_edge_too_stale_workers", "Workers that refuse, because what they hold is older than allowed.", "edge"
)
REDIS_DOWN = gauge("onboarding_edge_redis_down_workers", "Workers that Redis does not answer.", "edge")
COPIES_FAILING = gauge(
    "onboarding_edge_disk_copies_failing_workers", "Workers that cannot copy snapshots to disk.", "edge"
)
COPIES_DAMAGED = counter(
    "onboarding_edge_disk_copies_damaged_total", "Copies on disk that were found damaged and set aside.", "edge"
)

EVENTS = counter(
    "onboarding_edge_events_total",
    "Events and exposures by `outcome`: stored durably; refused, as no place took them; dropped, exposures that nobody"
    " was promised.",
    "edge",
    labels=("outcome",),
)
COMMIT_SECONDS = histogram(
    "onboarding_edge_commit_duration_seconds",
    "How long a group of events took to become durable, in Redis or on disk.",
    "edge",
    bounds=WAITING_BOUNDS,
)
EVENTS_PENDING = gauge("onboarding_edge_events_pending", "Events in memory that wait to become durable.", "edge")
EVENTS_PENDING_BYTES = gauge("onboarding_edge_events_pending_bytes", "Their bytes.", "edge")
EVENTS_STORED_IN = gauge(
    "onboarding_edge_events_store_workers",
    "Workers by where their events go now: `place` is redis, spool or nowhere.",
    "edge",
    labels=("place",),
)
SPOOL_STATE = gauge(
    "onboarding_edge_spool_workers",
    "Workers by the `state` of their spool: off, empty, filled or failing.",
    "edge",
    labels=("state",),
)
SPOOL_RECORDS = gauge("onboarding_edge_spool_records", "Events on disk that wait for Redis.", "edge")
SPOOL_BYTES = gauge("onboarding_edge_spool_bytes", "What they take.", "edge")
SPOOL_LIMIT = gauge("onboarding_edge_spool_limit_bytes", "What they may take.", "edge")
SPOOL_OLDEST = gauge(
    "onboarding_edge_spool_oldest_seconds", "The age of the oldest of them; 0 for none.", "edge", over_workers="max"
)
SPOOL_REPLAYED = counter("onboarding_edge_spool_replayed_total", "Events that Redis took from the spool.", "edge")
SPOOL_REFUSED = counter(
    "onboarding_edge_spool_refused_total", "Events for which the spool had no room, or its disk failed.", "edge"
)
SPOOL_DAMAGED = counter(
    "onboarding_edge_spool_damaged_total", "Places of the spool that could not be read and were set aside.", "edge"
)
