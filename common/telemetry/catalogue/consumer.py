"""Metrics of the event consumer, and of the streams and dead letters of the installation."""

from common.telemetry.metrics import WAITING_BOUNDS, counter, gauge, histogram

ENTRIES = counter(
    "onboarding_consumer_entries_total",
    "Stream entries by `outcome`: stored (duplicates included), dead_letter, deferred (retried later).",
    "consumer",
    labels=("outcome",),
)
EVENTS = counter(
    "onboarding_consumer_events_total",
    "Events of committed batches by `outcome`: new, repeated (duplicates), dropped (project deleted or device erased),"
    " unknown_project (kept as dead letters: the project was never in this database).",
    "consumer",
    labels=("outcome",),
)
BATCH_SECONDS = histogram(
    "onboarding_consumer_batch_duration_seconds",
    "Duration of the storing of a batch.",
    "consumer",
    bounds=WAITING_BOUNDS,
)
CLAIMED = counter(
    "onboarding_consumer_claimed_total", "Stale entries claimed from other consumers, and retries.", "consumer"
)
OUTAGES = counter(
    "onboarding_consumer_outages_total", "Attempts during which PostgreSQL or Redis was unavailable.", "consumer"
)
LOST_STREAMS = counter(
    "onboarding_consumer_lost_streams_total",
    "Event streams that Redis had lost, with the acknowledged events that no consumer had stored.",
    "consumer",
)
HEALTHY = gauge(
    "onboarding_consumer_healthy",
    "1 if the last attempt of each stream worker reached both PostgreSQL and Redis, and no maintenance task of the"
    " process has failed for 30 minutes, else 0.",
    "consumer",
)
LAST_STEP = gauge(
    "onboarding_consumer_last_step_seconds", "Time since the last step of the slowest stream worker.", "consumer"
)

STREAM_WAITING = gauge(
    "onboarding_stream_entries", "Entries that are not in PostgreSQL yet.", "consumer", labels=("stream",)
)
STREAM_PENDING = gauge(
    "onboarding_stream_pending_entries", "Entries that are read and not acknowledged.", "consumer", labels=("stream",)
)
STREAM_OLDEST = gauge(
    "onboarding_stream_oldest_seconds", "Age of the oldest entry; 0 without one.", "consumer", labels=("stream",)
)
STREAM_CONSUMERS = gauge(
    "onboarding_stream_consumers", "Consumers in the group of the stream.", "consumer", labels=("stream",)
)
STREAM_ADDED = counter(
    "onboarding_stream_added_total",
    "Entries ever added; falls only if Redis has lost its data.",
    "consumer",
    labels=("stream",),
)
DEAD_LETTERS = gauge(
    "onboarding_dead_letters",
    "Dead letters by `state` (waiting, replayed); absent while PostgreSQL is unavailable.",
    "consumer",
    labels=("state",),
)
OVER_QUOTA = gauge(
    "onboarding_projects_over_quota",
    "Projects that have used up a `quota` of the present UTC day (events, property_bytes, new_devices); absent while"
    " PostgreSQL is unavailable.",
    "consumer",
    labels=("quota",),
)
REDIS_USED = gauge(
    "onboarding_redis_used_memory_bytes",
    "Used memory of the Redis with the streams; of a cluster, the fullest node.",
    "consumer",
)
REDIS_LIMIT = gauge("onboarding_redis_max_memory_bytes", "Its `maxmemory`; 0 without a limit.", "consumer")
