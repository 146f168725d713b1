"""Metrics of the publisher."""

from common.telemetry.metrics import WAITING_BOUNDS, counter, gauge, histogram

PUBLISHED = counter(
    "onboarding_publisher_projects_total",
    "Projects by `outcome`: published, or failed (could not be compiled).",
    "publisher",
    labels=("outcome",),
)
PUBLISH_SECONDS = histogram(
    "onboarding_publisher_delay_seconds",
    "From the newest change of a project to its snapshot in Redis, by the clock of PostgreSQL.",
    "publisher",
    bounds=(0.005, *WAITING_BOUNDS[3:], 60.0, 300.0),
)
BATCH_SECONDS = histogram(
    "onboarding_publisher_batch_duration_seconds",
    "Duration of a batch: reading, compiling and writing.",
    "publisher",
    bounds=WAITING_BOUNDS,
)
OUTAGES = counter(
    "onboarding_publisher_outages_total",
    "Attempts during which PostgreSQL or Redis was unavailable.",
    "publisher",
)
IS_WELL = gauge(
    "onboarding_publisher_is_well", "1 if the last attempt reached both PostgreSQL and Redis, else 0.", "publisher"
)
BACKLOG = gauge(
    "onboarding_publications_waiting",
    "Projects of the installation whose newest revision is not in Redis; absent while PostgreSQL is unavailable.",
    "publisher",
)
BACKLOG_OLDEST = gauge(
    "onboarding_publications_oldest_seconds",
    "Time since the newest change of the project that has waited longest; 0 if none waits.",
    "publisher",
)
