"""Metrics of the management service."""

from common.telemetry.metrics import WAITING_BOUNDS, counter, gauge, histogram

REQUESTS = counter(
    "onboarding_management_requests_total",
    "Responses. `route` is the template of the route without its version, or other; never the path.",
    "management",
    labels=("route", "method", "status"),
)
REQUEST_SECONDS = histogram(
    "onboarding_management_request_duration_seconds",
    "From the start of a request in its thread to the response.",
    "management",
    bounds=WAITING_BOUNDS,
    labels=("route", "method"),
)
ANALYTICS_FALLBACKS = counter(
    "onboarding_management_analytics_fallbacks_total",
    "Analytics queries on the primary because the read replica failed or lagged; 0 without a replica.",
    "management",
)
REPLICA_LAG = gauge(
    "onboarding_management_replica_lag_seconds",
    "Lag of the read replica; 0 without one, absent while it is unavailable.",
    "management",
    multiprocess_mode="max",
)
