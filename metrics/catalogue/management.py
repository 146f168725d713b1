"""Metrics of the management service."""

from metrics.declaration import counter, histogram
from metrics.durations import WAITING_BOUNDS

REQUESTS = counter(
    "onboarding_management_requests_total",
    "Requests answered. `route` is the row of the routes table, or other; never the path.",
    "management",
    labels=("route", "method", "status"),
)
REQUEST_SECONDS = histogram(
    "onboarding_management_request_duration_seconds",
    "From the request in a thread, whole, to its answer.",
    "management",
    bounds=WAITING_BOUNDS,
    labels=("route", "method"),
)
ANALYTICS_FALLBACKS = counter(
    "onboarding_management_analytics_fallbacks_total",
    "Questions about activity that the primary answered because the read replica could not; 0 without a replica.",
    "management",
)
