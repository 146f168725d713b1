"""Metrics of the event consumer, and through it of the streams and the dead letters of the whole installation."""

from common.telemetry.declaration import counter, gauge, histogram
from common.telemetry.histogram import WAITING_BOUNDS

ENTRIES = counter(
    "onboarding_consumer_entries_total",
    "Stream entries by `outcome`: stored (repeated ones included), dead_letter, held_back (tried again later).",
    "consumer",
    labels=("outcome",),
)
EVENTS = counter(
    "onboarding_consumer_events_total",
    "Events of committed batches by `outcome`: new; repeated, so not counted again; dropped, as their project is gone"
    " or their device was erased.",
    "consumer",
    labels=("outcome",),
)
BATCH_SECONDS = histogram(
    "onboarding_consumer_batch_duration_seconds",
    "How long a batch took to be stored.",
    "consumer",
    bounds=WAITING_BOUNDS,
)
TAKEN_OVER = counter(
    "onboarding_consumer_taken_over_total", "Entries taken over from dead consumers, or tried again.", "consumer"
)
OUTAGES = counter("onboarding_consumer_outages_total", "Tries that found PostgreSQL or Redis away.", "consumer")
IS_WELL = gauge(
    "onboarding_consumer_is_well", "1 when PostgreSQL and Redis answered all lanes at the last try.", "consumer"
)
LAST_STEP = gauge(
    "onboarding_consumer_last_step_seconds", "Since the lane that made none for longest made its last step.", "consumer"
)

STREAM_WAITING = gauge(
    "onboarding_stream_entries", "Entries that are not in PostgreSQL yet.", "consumer", labels=("stream",)
)
STREAM_PENDING = gauge(
    "onboarding_stream_pending_entries", "Those among them that a consumer has read.", "consumer", labels=("stream",)
)
STREAM_OLDEST = gauge(
    "onboarding_stream_oldest_seconds", "The age of the oldest entry; 0 for none.", "consumer", labels=("stream",)
)
STREAM_CONSUMERS = gauge(
    "onboarding_stream_consumers", "Consumers that the stream's group knows.", "consumer", labels=("stream",)
)
STREAM_ADDED = counter(
    "onboarding_stream_added_total", "Entries ever added; falls only when Redis has lost its data.", "consumer",
    labels=("stream",),
)  # fmt: skip
DEAD_LETTERS = gauge(
    "onboarding_dead_letters",
    "Dead letters by `state`: waiting, or replayed and on their way; absent while PostgreSQL is away.",
    "consumer",
    labels=("state",),
)
REDIS_USED = gauge(
    "onboarding_redis_used_memory_bytes",
    "What the Redis of the streams says that it uses; of a cluster the fullest node.",
    "consumer",
)
REDIS_LIMIT = gauge("onboarding_redis_max_memory_bytes", "What it may use; 0 without a limit.", "consumer")
