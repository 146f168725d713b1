"""Metrics of the publisher."""

from common.telemetry.metrics import WAITING_BOUNDS, counter, gauge, histogram

PUBLISHED = counter(
    "onboarding_publisher_projects_total",
    "Projects by `outcome`: published, or failed (could not be read, compiled or written).",
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
HEALTHY = gauge(
    "onboarding_publisher_healthy",
    "1 if the last attempt reached both PostgreSQL and Redis, and Redis has no snapshots of another database, else 0.",
    "publisher",
)
LAST_STEP = gauge("onboarding_publisher_last_step_seconds", "Time since the last step of the loop.", "publisher")
SCHEDULES = counter(
    "onboarding_schedules_total",
    "Schedules of flows that have ended, by `outcome`: done or failed.",
    "publisher",
    labels=("outcome",),
)
SCHEDULE_ERRORS = counter(
    "onboarding_schedule_errors_total",
    "Attempts to run a schedule that met a defect; the schedule stays pending and is tried again.",
    "publisher",
)
SCHEDULE_DELAY_SECONDS = histogram(
    "onboarding_schedule_delay_seconds",
    "From the time of a schedule to its end.",
    "publisher",
    bounds=(0.5, 1.0, 2.0, 5.0, 10.0, 60.0, 600.0, 3600.0, 86_400.0),
)
SCHEDULES_PENDING = gauge(
    "onboarding_schedules_pending",
    "Schedules of the installation that have not ended; absent while PostgreSQL is unavailable.",
    "publisher",
)
SCHEDULES_OVERDUE = gauge(
    "onboarding_schedules_overdue_seconds",
    "Time since the earliest pending schedule was due; 0 if none is.",
    "publisher",
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
PAGE_ASSETS_BUILT = gauge(
    "onboarding_publisher_page_assets_built",
    "1 if the publisher has the assets of hosted pages, else 0: then no pages are published.",
    "publisher",
)
