"""Metrics of the publisher."""

from common.telemetry.declaration import counter, gauge, histogram
from common.telemetry.histogram import WAITING_BOUNDS

PUBLISHED = counter(
    "onboarding_publisher_projects_total",
    "Projects by `outcome`: published, or failed because they could not be compiled.",
    "publisher",
    labels=("outcome",),
)
PUBLISH_SECONDS = histogram(
    "onboarding_publisher_delay_seconds",
    "From the newest change of a project to its snapshot in Redis, by PostgreSQL's clock.",
    "publisher",
    bounds=(0.005, *WAITING_BOUNDS[3:], 60.0, 300.0),
)
BATCH_SECONDS = histogram(
    "onboarding_publisher_batch_duration_seconds",
    "How long a batch took to be read, compiled and written.",
    "publisher",
    bounds=WAITING_BOUNDS,
)
OUTAGES = counter("onboarding_publisher_outages_total", "Tries that found PostgreSQL or Redis away.", "publisher")
IS_WELL = gauge("onboarding_publisher_is_well", "1 when PostgreSQL and Redis answered at the last try.", "publisher")
BACKLOG = gauge(
    "onboarding_publications_waiting",
    "Projects whose newest revision is not in Redis, of the whole installation; absent while PostgreSQL is away.",
    "publisher",
)
BACKLOG_OLDEST = gauge(
    "onboarding_publications_oldest_seconds",
    "Since the newest change of the project that has waited for longest; 0 for none.",
    "publisher",
)
