"""Metrics that several processes have; the label `process` names the process."""

from common.telemetry.metrics import counter, gauge

BUILD_INFO = gauge(
    "onboarding_build_info",
    "Always 1; the labels name the release and the version of Python.",
    "edge", "management", "publisher", "consumer",
    labels=("process", "version", "python"),
    multiprocess_mode="max",
)  # fmt: skip
METRICS_AGE = gauge(
    "onboarding_metrics_age_seconds",
    "Age of the oldest samples on the page; it grows while a worker hangs.",
    "edge", "management", "publisher", "consumer",
    labels=("process",),
    multiprocess_mode="max",
)  # fmt: skip
CPU_SECONDS = counter(
    "onboarding_cpu_seconds_total",
    "Processor time used by the workers.",
    "edge", "management", "publisher", "consumer",
    labels=("process",),
)  # fmt: skip
RESIDENT_BYTES = gauge(
    "onboarding_resident_memory_bytes",
    "Resident memory of the workers.",
    "edge", "management", "publisher", "consumer",
    labels=("process",),
)  # fmt: skip
OPEN_FILES = gauge(
    "onboarding_open_files",
    "Open files and connections of the workers.",
    "edge", "management", "publisher", "consumer",
    labels=("process",),
)  # fmt: skip

WORKERS_WANTED = gauge(
    "onboarding_workers_wanted", "Configured number of workers.", "edge", "management", labels=("process",)
)
WORKERS_REPORTING = gauge(
    "onboarding_workers_reporting",
    "Workers whose samples are at most 10 s old; fewer than configured: workers are missing or hang.",
    "edge", "management",
    labels=("process",),
)  # fmt: skip
WORKERS_ENDED = counter(
    "onboarding_workers_ended_total",
    "Workers that have exited, for any reason. Their counters are kept.",
    "edge", "management",
    labels=("process",),
)  # fmt: skip

RATE_LIMIT_DECISIONS = counter(
    "onboarding_rate_limit_decisions_total",
    "Requests by `decision` (admitted, rejected) and `scope` (shared; local while Redis is unavailable).",
    "edge", "management",
    labels=("process", "decision", "scope"),
)  # fmt: skip
RATE_LIMITING_LOCALLY = gauge(
    "onboarding_rate_limiting_locally_workers",
    "Workers that limit locally because Redis is unavailable (contract, section 1).",
    "edge", "management",
    labels=("process",),
)  # fmt: skip
REDIS_CLOCK_DIFFERENCE = gauge(
    "onboarding_redis_clock_difference_seconds",
    "Difference between the clocks of a worker and of Redis. Rate limit windows follow Redis.",
    "edge", "management",
    labels=("process",),
    multiprocess_mode="max",
)  # fmt: skip
RATE_LIMITED_CLIENTS = gauge(
    "onboarding_rate_limited_clients",
    "Rate limit keys in the caches of the workers.",
    "edge", "management",
    labels=("process",),
)  # fmt: skip

POOL_SIZE = gauge(
    "onboarding_database_pool_size",
    "Capacity of the PostgreSQL connection pools, by `server` (primary, replica).",
    "management", "publisher", "consumer",
    labels=("process", "server"),
)  # fmt: skip
POOL_CONNECTIONS = gauge(
    "onboarding_database_pool_connections",
    "Connections in the PostgreSQL connection pools, by `server` and `state` (used, idle).",
    "management", "publisher", "consumer",
    labels=("process", "server", "state"),
)  # fmt: skip
MAINTENANCE_AGE = gauge(
    "onboarding_maintenance_age_seconds",
    "Time since the last success of each maintenance `task` (compaction, partitions, schedules and others) in any"
    " process; absent while PostgreSQL is unavailable. `chore` is the former name of the label.",
    "publisher", "consumer",
    labels=("process", "task", "chore"),
)  # fmt: skip
