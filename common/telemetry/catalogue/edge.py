"""Metrics of the edge."""

from common.telemetry.metrics import MEMORY_BOUNDS, WAITING_BOUNDS, counter, gauge, histogram

REQUESTS = counter(
    "onboarding_edge_requests_total",
    "Responses. `route` is the path without its version, or other for unknown paths.",
    "edge",
    labels=("route", "status"),
)
REQUEST_SECONDS = histogram(
    "onboarding_edge_request_duration_seconds",
    "From the complete request to its response; for events this includes the fsync of Redis.",
    "edge",
    bounds=MEMORY_BOUNDS,
    labels=("route",),
)
UNREADABLE_REQUESTS = counter(
    "onboarding_edge_unreadable_requests_total",
    "Requests rejected before routing: malformed, too large, too slow, too many connections.",
    "edge",
    labels=("status",),
)
CONNECTIONS = gauge("onboarding_edge_connections", "Open client connections.", "edge")
CONNECTION_LIMIT = gauge("onboarding_edge_connection_limit", "Maximum client connections of all workers.", "edge")
LOOP_DELAY = gauge(
    "onboarding_edge_loop_delay_seconds",
    "Delay of the event loop at the last collection of metrics, in the worst worker.",
    "edge",
    multiprocess_mode="max",
)

SNAPSHOTS_CACHED = gauge("onboarding_edge_snapshots", "Snapshots in the memory of the workers.", "edge")
SNAPSHOT_BYTES = gauge("onboarding_edge_snapshot_memory_bytes", "Approximate memory of these snapshots.", "edge")
SNAPSHOT_LIMIT = gauge("onboarding_edge_snapshot_memory_limit_bytes", "Maximum memory of these snapshots.", "edge")
SNAPSHOTS_EVICTED = counter(
    "onboarding_edge_snapshots_evicted_total", "Snapshots evicted from memory because the limit was reached.", "edge"
)
SNAPSHOT_LOADS = counter(
    "onboarding_edge_snapshot_loads_total",
    "Snapshots loaded for a request, by `source`: redis, disk, failed (neither), unreadable (unknown format).",
    "edge",
    labels=("source",),
)
SNAPSHOT_AGE = gauge(
    "onboarding_edge_snapshot_age_seconds",
    "Time since the last synchronization with Redis, in the worst worker; absent before the first.",
    "edge",
    multiprocess_mode="max",
)
REVISION_LAG = gauge(
    "onboarding_edge_revision_lag",
    "Revisions by which a snapshot is known to be behind Redis, the largest of all projects and workers.",
    "edge",
    multiprocess_mode="max",
)
NEWEST_CHANGE = gauge(
    "onboarding_edge_newest_change_timestamp_seconds",
    "Publication time, by the clock of Redis, of the newest change that all workers have applied; absent before the"
    " first.",
    "edge",
    multiprocess_mode="min",
)
PROPAGATION_SECONDS = histogram(
    "onboarding_edge_propagation_seconds",
    "From the publication of a change in Redis to its application, for each worker. The clocks of two machines are"
    " compared.",
    "edge",
    bounds=WAITING_BOUNDS,
)
TOO_STALE = gauge(
    "onboarding_edge_too_stale_workers",
    "Workers that reject requests because their snapshots exceed the configured age.",
    "edge",
)
REDIS_DOWN = gauge("onboarding_edge_redis_down_workers", "Workers without a connection to Redis.", "edge")
COPIES_FAILING = gauge(
    "onboarding_edge_disk_copies_failing_workers", "Workers that cannot write snapshots to disk.", "edge"
)
COPIES_DAMAGED = counter("onboarding_edge_disk_copies_damaged_total", "Damaged snapshots found on disk.", "edge")

EVENTS = counter(
    "onboarding_edge_events_total",
    "Events and exposures by `outcome`: stored (durable), rejected (answered 503), dropped (exposures only).",
    "edge",
    labels=("outcome",),
)
OVER_QUOTA = counter(
    "onboarding_edge_over_quota_total",
    "Requests with events that got 429 because their project has used up a quota of the day.",
    "edge",
)
COMMIT_SECONDS = histogram(
    "onboarding_edge_commit_duration_seconds",
    "Duration of the commit of a group of events, in Redis or in the spool.",
    "edge",
    bounds=WAITING_BOUNDS,
)
EVENTS_PENDING = gauge("onboarding_edge_events_pending", "Events in memory that are not durable yet.", "edge")
EVENTS_PENDING_BYTES = gauge("onboarding_edge_events_pending_bytes", "Size of these events.", "edge")
EVENTS_STORED_IN = gauge(
    "onboarding_edge_events_store_workers",
    "Workers by the current store of their events: `place` is redis, spool or none.",
    "edge",
    labels=("place",),
)
SPOOL_STATE = gauge(
    "onboarding_edge_spool_workers",
    "Workers by the `state` of their spool: off, empty, filled or failing.",
    "edge",
    labels=("state",),
)
SPOOL_RECORDS = gauge("onboarding_edge_spool_records", "Events in the spools, which wait for Redis.", "edge")
SPOOL_BYTES = gauge("onboarding_edge_spool_bytes", "Size of the spools.", "edge")
SPOOL_LIMIT = gauge("onboarding_edge_spool_limit_bytes", "Maximum size of the spools.", "edge")
SPOOL_FILL = gauge(
    "onboarding_edge_spool_fill_ratio",
    "Fill of the fullest spool, from 0 to 1: each worker has one, on a Cluster one for each event stream.",
    "edge",
    multiprocess_mode="max",
)
SPOOL_OLDEST = gauge(
    "onboarding_edge_spool_oldest_seconds",
    "Age of the oldest event in a spool; 0 without one.",
    "edge",
    multiprocess_mode="max",
)
SPOOL_REPLAYED = counter("onboarding_edge_spool_replayed_total", "Events moved from a spool to Redis.", "edge")
SPOOL_REJECTED = counter(
    "onboarding_edge_spool_rejected_total", "Events rejected by a spool that was full or failing.", "edge"
)
SPOOL_DAMAGED = counter("onboarding_edge_spool_damaged_total", "Damaged parts of spools that were set aside.", "edge")

PAGE_ASSETS_MISSING = gauge(
    "onboarding_edge_page_assets_missing_workers",
    "Workers without the assets of hosted pages: pages and the preview are answered 503.",
    "edge",
)
PAGE_ASSET_BYTES = gauge("onboarding_edge_page_asset_memory_bytes", "Assets in the memory of the workers.", "edge")
PAGE_ASSET_LOADS = counter(
    "onboarding_edge_page_asset_loads_total",
    "Assets of hosted pages that were not in memory, by `source`: redis, disk, unknown (no such asset), failed.",
    "edge",
    labels=("source",),
)
MEDIA_BYTES = gauge("onboarding_edge_media_memory_bytes", "Media files in the memory of the workers.", "edge")
MEDIA_READS = counter(
    "onboarding_edge_media_reads_total",
    "Media files that were requested, by `source`: memory, disk, store, unknown (no such file), failed.",
    "edge",
    labels=("source",),
)
