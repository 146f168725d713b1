"""Metrics that every process shows, or several of them; `process` says which one it is."""

from common.telemetry.declaration import counter, gauge

BUILD_INFO = gauge(
    "onboarding_build_info",
    "1, with the release and the Python that it runs on.",
    "edge", "management", "publisher", "consumer",
    labels=("process", "version", "python"),
    over_workers="max",
)  # fmt: skip
METRICS_AGE = gauge(
    "onboarding_metrics_age_seconds",
    "How old the oldest figures shown are; a worker that hangs leaves its own to grow old.",
    "edge", "management", "publisher", "consumer",
    labels=("process",),
    over_workers="max",
)  # fmt: skip
CPU_SECONDS = counter(
    "onboarding_cpu_seconds_total",
    "Processor time used by the workers.",
    "edge", "management", "publisher", "consumer",
    labels=("process",),
)  # fmt: skip
RESIDENT_BYTES = gauge(
    "onboarding_resident_memory_bytes",
    "Memory that the workers have.",
    "edge", "management", "publisher", "consumer",
    labels=("process",),
)  # fmt: skip
OPEN_FILES = gauge(
    "onboarding_open_files",
    "Files and connections that the workers have open.",
    "edge", "management", "publisher", "consumer",
    labels=("process",),
)  # fmt: skip

WORKERS_WANTED = gauge(
    "onboarding_workers_wanted", "Workers that the settings ask for.", "edge", "management", labels=("process",)
)
WORKERS_REPORTING = gauge(
    "onboarding_workers_reporting",
    "Workers whose figures are fresh (10 s); fewer than wanted: some are missing or hang.",
    "edge", "management",
    labels=("process",),
)  # fmt: skip
WORKERS_ENDED = counter(
    "onboarding_workers_ended_total",
    "Workers that have ended, however; what they had counted stays in the counters.",
    "edge", "management",
    labels=("process",),
)  # fmt: skip

RATE_LIMIT_DECISIONS = counter(
    "onboarding_rate_limit_decisions_total",
    "Requests by `decision`, admitted or rejected, and by `scope`: shared, or local while Redis does not answer.",
    "edge", "management",
    labels=("process", "decision", "scope"),
)  # fmt: skip
RATE_LIMITING_LOCALLY = gauge(
    "onboarding_rate_limiting_locally_workers",
    "Workers that limit locally because Redis does not answer them (contract, section 1).",
    "edge", "management",
    labels=("process",),
)  # fmt: skip
REDIS_CLOCK_DIFFERENCE = gauge(
    "onboarding_redis_clock_difference_seconds",
    "The difference between the clock of a worker and that of Redis, which rate limit windows follow.",
    "edge", "management",
    labels=("process",),
    over_workers="max",
)  # fmt: skip
RATE_LIMITED_CLIENTS = gauge(
    "onboarding_rate_limited_clients",
    "Rate limit keys in the caches of the workers.",
    "edge", "management",
    labels=("process",),
)  # fmt: skip

POOL_SIZE = gauge(
    "onboarding_database_pool_size",
    "Connections to PostgreSQL that the workers may have in their pools; `server` is primary, or replica.",
    "management", "publisher", "consumer",
    labels=("process", "server"),
)  # fmt: skip
POOL_CONNECTIONS = gauge(
    "onboarding_database_pool_connections",
    "Connections to PostgreSQL in the pools, by `state`: used or idle; `server` as above.",
    "management", "publisher", "consumer",
    labels=("process", "server", "state"),
)  # fmt: skip
