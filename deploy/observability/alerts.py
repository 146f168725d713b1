"""When somebody should look, and how soon. What to do then: docs/operations/alerts.md, under the name of the alert."""

from dataclasses import dataclass
from typing import Literal

#: critical: now, at night too; warning: today; info: when there is time.
Severity = Literal["critical", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Alert:
    """`expression` gives something when all is not well; it has to do so for as long as `lasting` says."""

    name: str
    expression: str
    lasting: str
    severity: Severity
    summary: str


ALERTS = (
    Alert(
        "OnboardingProcessDown",
        'up{job=~"onboarding-.*"} == 0',
        "2m",
        "critical",
        "{{ $labels.job }} on {{ $labels.instance }} shows no metrics.",
    ),
    Alert(
        "OnboardingEdgeErrors",
        'sum(rate(onboarding_edge_requests_total{status=~"5..", route!~"/health/.*"}[5m]))'
        ' / sum(rate(onboarding_edge_requests_total{route!~"/health/.*"}[5m])) > 0.001',
        "5m",
        "critical",
        "{{ $value | humanizePercentage }} of the edge's answers are 5xx.",
    ),
    Alert(
        "OnboardingEdgeSlow",
        "histogram_quantile(0.99, sum by (le) (rate(onboarding_edge_request_duration_seconds_bucket"
        '{route=~"/api/onboarding/resolve|/api/config"}[5m]))) > 0.025',
        "10m",
        "warning",
        "One resolve or configuration in a hundred takes {{ $value | humanizeDuration }}.",
    ),
    Alert(
        "OnboardingEdgeConnectionsFull",
        "onboarding_edge_connections / onboarding_edge_connection_limit > 0.8",
        "5m",
        "warning",
        "{{ $labels.instance }} has {{ $value | humanizePercentage }} of the connections that it takes.",
    ),
    Alert(
        "OnboardingManagementErrors",
        'sum(rate(onboarding_management_requests_total{status=~"5..", route!~"/health/.*"}[5m]))'
        ' / sum(rate(onboarding_management_requests_total{route!~"/health/.*"}[5m])) > 0.01',
        "5m",
        "critical",
        "{{ $value | humanizePercentage }} of the management service's answers are 5xx.",
    ),
    Alert(
        "OnboardingManagementSlow",
        "histogram_quantile(0.95, sum by (le) (rate(onboarding_management_request_duration_seconds_bucket[10m]))) > 1",
        "10m",
        "warning",
        "One request of dashboards in twenty takes {{ $value | humanizeDuration }}.",
    ),
    Alert(
        "OnboardingWorkersMissing",
        "onboarding_workers_reporting < onboarding_workers_wanted",
        "2m",
        "critical",
        "{{ $labels.process }} on {{ $labels.instance }}: workers are missing, or hang.",
    ),
    Alert(
        "OnboardingWorkersEnding",
        "increase(onboarding_workers_ended_total[15m]) > 3 * onboarding_workers_wanted",
        "0m",
        "warning",
        "{{ $labels.process }} on {{ $labels.instance }}: workers end and are started again and again.",
    ),
    Alert(
        "OnboardingEdgeWithoutRedis",
        "onboarding_edge_redis_down_workers > 0",
        "1m",
        "critical",
        "{{ $value }} workers of {{ $labels.instance }} do not reach Redis; they serve what they hold.",
    ),
    Alert(
        "OnboardingSnapshotsOld",
        "onboarding_edge_snapshot_age_seconds > 60",
        "1m",
        "critical",
        "{{ $labels.instance }} serves what Redis confirmed {{ $value | humanizeDuration }} ago.",
    ),
    Alert(
        "OnboardingRevisionLag",
        "onboarding_edge_revision_lag > 0",
        "2m",
        "critical",
        "{{ $labels.instance }} knows of newer revisions and cannot take them.",
    ),
    Alert(
        "OnboardingSnapshotMemorySmall",
        "rate(onboarding_edge_snapshots_evicted_total[15m]) > 1",
        "15m",
        "warning",
        "{{ $labels.instance }} throws snapshots out of memory {{ $value | humanize }} times a second.",
    ),
    Alert(
        "OnboardingDiskCopiesFailing",
        "onboarding_edge_disk_copies_failing_workers > 0"
        " or increase(onboarding_edge_disk_copies_damaged_total[1h]) > 0",
        "5m",
        "warning",
        "{{ $labels.instance }} cannot keep copies of snapshots on disk.",
    ),
    Alert(
        "OnboardingPublishingStuck",
        "max(onboarding_publications_oldest_seconds) > 60",
        "1m",
        "critical",
        "A change has been waiting for {{ $value | humanizeDuration }} to reach Redis.",
    ),
    Alert(
        "OnboardingPublishingSlow",
        "histogram_quantile(0.95, sum by (le) (rate(onboarding_publisher_delay_seconds_bucket[10m]))) > 5",
        "10m",
        "warning",
        "One change in twenty takes {{ $value | humanizeDuration }} to reach Redis.",
    ),
    Alert(
        "OnboardingPropagationSlow",
        "histogram_quantile(0.95, sum by (le) (rate(onboarding_edge_propagation_seconds_bucket[10m]))) > 2.5",
        "10m",
        "warning",
        "One change in twenty takes {{ $value | humanizeDuration }} from Redis to an edge.",
    ),
    Alert(
        "OnboardingProjectNotPublished",
        'increase(onboarding_publisher_projects_total{outcome="failed"}[15m]) > 0',
        "0m",
        "critical",
        "A project cannot be compiled; the edge goes on with its former state.",
    ),
    Alert(
        "OnboardingPublisherUnwell",
        "max(onboarding_publisher_is_well) < 1 or absent(onboarding_publisher_is_well)",
        "2m",
        "critical",
        "No publisher reaches both PostgreSQL and Redis.",
    ),
    Alert(
        "OnboardingEventsSpooled",
        'onboarding_edge_events_store_workers{place="spool"} > 0',
        "2m",
        "warning",
        "{{ $value }} workers of {{ $labels.instance }} keep events on disk, as Redis does not take them.",
    ),
    Alert(
        "OnboardingEventsRefused",
        'increase(onboarding_edge_events_total{outcome="refused"}[5m]) > 0',
        "0m",
        "critical",
        "{{ $labels.instance }} answered 503 to {{ $value | humanize }} events; clients keep them, or they are lost.",
    ),
    Alert(
        "OnboardingSpoolFilling",
        "onboarding_edge_spool_bytes / (onboarding_edge_spool_limit_bytes > 0) > 0.5",
        "1m",
        "critical",
        "The spool of {{ $labels.instance }} is {{ $value | humanizePercentage }} full.",
    ),
    Alert(
        "OnboardingSpoolFailing",
        'onboarding_edge_spool_workers{state="failing"} > 0 or increase(onboarding_edge_spool_damaged_total[1h]) > 0',
        "1m",
        "critical",
        "The disk under the spool of {{ $labels.instance }} fails.",
    ),
    Alert(
        "OnboardingEventsLate",
        "max by (stream) (onboarding_stream_oldest_seconds) > 60",
        "5m",
        "warning",
        "Events of {{ $labels.stream }} reach PostgreSQL {{ $value | humanizeDuration }} late.",
    ),
    Alert(
        "OnboardingConsumerUnwell",
        "min(onboarding_consumer_is_well) < 1 or absent(onboarding_consumer_is_well)",
        "2m",
        "critical",
        "An event consumer does not reach PostgreSQL or Redis, or there is none.",
    ),
    Alert(
        "OnboardingConsumerStuck",
        "onboarding_consumer_last_step_seconds > 120",
        "1m",
        "critical",
        "A lane of the consumer {{ $labels.instance }} has made no step for {{ $value | humanizeDuration }}.",
    ),
    Alert(
        "OnboardingDeadLetters",
        'max(onboarding_dead_letters{state="waiting"}) > 0',
        "5m",
        "warning",
        "{{ $value }} events could not be stored.",
    ),
    Alert(
        "OnboardingRateLimitsLocal",
        "onboarding_rate_limiting_locally_workers > 0",
        "5m",
        "warning",
        "{{ $value }} workers of {{ $labels.process }} on {{ $labels.instance }} limit locally.",
    ),
    Alert(
        "OnboardingClockDifference",
        "onboarding_redis_clock_difference_seconds > 1",
        "10m",
        "warning",
        "The clocks of {{ $labels.instance }} and Redis differ by {{ $value | humanizeDuration }}.",
    ),
    Alert(
        "OnboardingRedisFilling",
        "max(onboarding_redis_used_memory_bytes / (onboarding_redis_max_memory_bytes > 0)) > 0.8",
        "5m",
        "critical",
        "Redis uses {{ $value | humanizePercentage }} of its memory; full, it takes no events.",
    ),
    Alert(
        "OnboardingPoolExhausted",
        'onboarding_database_pool_connections{state="used"} / ignoring (state) onboarding_database_pool_size > 0.9',
        "5m",
        "warning",
        "{{ $labels.process }} on {{ $labels.instance }} uses {{ $value | humanizePercentage }} of its connections to"
        " the {{ $labels.server }}.",
    ),
    Alert(
        "OnboardingMetricsOld",
        "onboarding_metrics_age_seconds > 60",
        "1m",
        "warning",
        "{{ $labels.process }} on {{ $labels.instance }} shows figures of {{ $value | humanizeDuration }} ago.",
    ),
    Alert(
        "OnboardingMixedReleases",
        "count(count by (version) (onboarding_build_info)) > 1",
        "1h",
        "info",
        "{{ $value }} releases run side by side.",
    ),
)
