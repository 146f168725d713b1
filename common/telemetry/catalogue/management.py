"""Metrics of the management service."""

from common.telemetry.declaration import counter, gauge, histogram
from common.telemetry.histogram import WAITING_BOUNDS

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
    "Questions about activity that the primary answered because the read replica could not, or was too far behind; 0"
    " without a replica.",
    "management",
)
REPLICA_LAG = gauge(
    "onboarding_management_replica_lag_seconds",
    "How far the read replica is behind; 0 without one, absent while it does not answer.",
    "management",
    over_workers="max",
)
