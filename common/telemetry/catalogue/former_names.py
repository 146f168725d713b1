"""Former names of metrics and of values of labels: release 0.3 exports both, release 0.4 the present ones alone."""

from collections.abc import Mapping

#: By the present names.
FORMER_NAMES: Mapping[str, str] = {
    "onboarding_publisher_healthy": "onboarding_publisher_is_well",
    "onboarding_consumer_healthy": "onboarding_consumer_is_well",
    "onboarding_edge_spool_rejected_total": "onboarding_edge_spool_refused_total",
}
#: By the name of the metric and the present value of its only label.
FORMER_VALUES: Mapping[tuple[str, str], str] = {
    ("onboarding_edge_events_total", "rejected"): "refused",
    ("onboarding_edge_events_store_workers", "none"): "nowhere",
}
