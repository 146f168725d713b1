"""The alerts, and alerts.yaml for Prometheus. docs/operations/alerts.md has the remedy of each."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

#: critical: act at once; warning: within the day; info: when there is time.
Severity = Literal["critical", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Alert:
    """Fires when `expression` has returned a result for the whole `duration`."""

    name: str
    expression: str
    duration: str
    severity: Severity
    summary: str


ALERTS = (
    Alert(
        "OnboardingProcessDown",
        'up{job=~"onboarding-.*"} == 0',
        "2m",
        "critical",
        "{{ $labels.job }} on {{ $labels.instance }} has no metrics.",
    ),
    Alert(
        "OnboardingEdgeErrors",
        'sum(rate(onboarding_edge_requests_total{status=~"5..", route!~"/health/.*"}[5m]))'
        ' / sum(rate(onboarding_edge_requests_total{route!~"/health/.*"}[5m])) > 0.001',
        "5m",
        "critical",
        "{{ $value | humanizePercentage }} of the responses of the edge are 5xx.",
    ),
    Alert(
        "OnboardingEdgeSlow",
        "histogram_quantile(0.99, sum by (le) (rate(onboarding_edge_request_duration_seconds_bucket"
        '{route=~"/api/onboarding/resolve|/api/config"}[5m]))) > 0.025',
        "10m",
        "warning",
        "The 99th percentile of resolves and configurations is {{ $value | humanizeDuration }}.",
    ),
    Alert(
        "OnboardingEdgeConnectionsFull",
        "onboarding_edge_connections / onboarding_edge_connection_limit > 0.8",
        "5m",
        "warning",
        "{{ $labels.instance }} has {{ $value | humanizePercentage }} of its maximum connections.",
    ),
    Alert(
        "OnboardingPagesUnavailable",
        "onboarding_edge_page_assets_missing_workers > 0 or onboarding_publisher_page_assets_built == 0",
        "10m",
        "warning",
        "{{ $labels.instance }} has no assets of hosted pages: pages are answered 503.",
    ),
    Alert(
        "OnboardingManagementErrors",
        'sum(rate(onboarding_management_requests_total{status=~"5..", route!~"/health/.*"}[5m]))'
        ' / sum(rate(onboarding_management_requests_total{route!~"/health/.*"}[5m])) > 0.01',
        "5m",
        "critical",
        "{{ $value | humanizePercentage }} of the responses of management are 5xx.",
    ),
    Alert(
        "OnboardingManagementSlow",
        "histogram_quantile(0.95, sum by (le) (rate(onboarding_management_request_duration_seconds_bucket[10m]))) > 1",
        "10m",
        "warning",
        "The 95th percentile of management requests is {{ $value | humanizeDuration }}.",
    ),
    Alert(
        "OnboardingWorkersMissing",
        "onboarding_workers_reporting < onboarding_workers_wanted",
        "2m",
        "critical",
        "{{ $labels.process }} on {{ $labels.instance }}: workers are missing or hang.",
    ),
    Alert(
        "OnboardingWorkersEnding",
        "increase(onboarding_workers_ended_total[15m]) > 3 * onboarding_workers_wanted",
        "0m",
        "warning",
        "{{ $labels.process }} on {{ $labels.instance }}: workers exit repeatedly.",
    ),
    Alert(
        "OnboardingEdgeWithoutRedis",
        "onboarding_edge_redis_down_workers > 0",
        "1m",
        "critical",
        "{{ $value }} workers of {{ $labels.instance }} do not reach Redis; they serve cached snapshots.",
    ),
    Alert(
        "OnboardingSnapshotsOld",
        "onboarding_edge_snapshot_age_seconds > 60",
        "1m",
        "critical",
        "{{ $labels.instance }} synchronized with Redis {{ $value | humanizeDuration }} ago.",
    ),
    Alert(
        "OnboardingRevisionLag",
        "onboarding_edge_revision_lag > 0",
        "2m",
        "critical",
        "{{ $labels.instance }} cannot load newer revisions.",
    ),
    Alert(
        "OnboardingSnapshotMemorySmall",
        "rate(onboarding_edge_snapshots_evicted_total[15m]) > 1",
        "15m",
        "warning",
        "{{ $labels.instance }} evicts {{ $value | humanize }} snapshots a second from memory.",
    ),
    Alert(
        "OnboardingDiskCopiesFailing",
        "onboarding_edge_disk_copies_failing_workers > 0"
        " or increase(onboarding_edge_disk_copies_damaged_total[1h]) > 0",
        "5m",
        "warning",
        "{{ $labels.instance }} cannot store copies of snapshots on disk.",
    ),
    Alert(
        "OnboardingPublishingStuck",
        "max(onboarding_publications_oldest_seconds) > 60",
        "1m",
        "critical",
        "The oldest unpublished change is {{ $value | humanizeDuration }} old.",
    ),
    Alert(
        "OnboardingPublishingSlow",
        "histogram_quantile(0.95, sum by (le) (rate(onboarding_publisher_delay_seconds_bucket[10m]))) > 5",
        "10m",
        "warning",
        "The 95th percentile of the time from a change to Redis is {{ $value | humanizeDuration }}.",
    ),
    Alert(
        "OnboardingSchedulesLate",
        "max(onboarding_schedules_overdue_seconds) > 60 or increase(onboarding_schedule_errors_total[15m]) > 0",
        "2m",
        "critical",
        "A scheduled change of a flow is overdue or meets a defect.",
    ),
    Alert(
        "OnboardingPropagationSlow",
        "histogram_quantile(0.95, sum by (le) (rate(onboarding_edge_propagation_seconds_bucket[10m]))) > 2.5",
        "10m",
        "warning",
        "The 95th percentile of the time from Redis to an edge is {{ $value | humanizeDuration }}.",
    ),
    Alert(
        "OnboardingProjectNotPublished",
        'increase(onboarding_publisher_projects_total{outcome="failed"}[15m]) > 0',
        "0m",
        "critical",
        "A project cannot be published; edges serve its former revision.",
    ),
    Alert(
        "OnboardingPublisherUnwell",
        "max(onboarding_publisher_is_well) < 1 or absent(onboarding_publisher_is_well)",
        "2m",
        "critical",
        "No publisher reaches both PostgreSQL and a Redis that belongs to the database.",
    ),
    Alert(
        "OnboardingEventsSpooled",
        'onboarding_edge_events_store_workers{place="spool"} > 0',
        "2m",
        "warning",
        "{{ $value }} workers of {{ $labels.instance }} store events on disk, because Redis does not accept them.",
    ),
    Alert(
        "OnboardingEventsRefused",
        'increase(onboarding_edge_events_total{outcome="refused"}[5m]) > 0',
        "0m",
        "critical",
        "{{ $labels.instance }} answered {{ $value | humanize }} events with 503; clients must send them again.",
    ),
    Alert(
        "OnboardingSpoolFilling",
        "onboarding_edge_spool_fill_ratio > 0.5",
        "1m",
        "critical",
        "A spool of {{ $labels.instance }} is {{ $value | humanizePercentage }} full.",
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
        "The oldest event in {{ $labels.stream }} is {{ $value | humanizeDuration }} old.",
    ),
    Alert(
        "OnboardingProjectOverQuota",
        "max by (quota) (onboarding_projects_over_quota) > 0",
        "0m",
        "warning",
        "{{ $value }} projects have used up their quota of {{ $labels.quota }} for today; their events get 429.",
    ),
    Alert(
        "OnboardingEventsLost",
        # The second half: a counter of a consumer that found the loss before its first scrape.
        "increase(onboarding_consumer_lost_streams_total[1h]) > 0 or (onboarding_consumer_lost_streams_total > 0 unless"
        " onboarding_consumer_lost_streams_total offset 1h)",
        "0m",
        "critical",
        "Redis has lost event streams: acknowledged events that were not stored are gone.",
    ),
    Alert(
        "OnboardingConsumerUnwell",
        "min(onboarding_consumer_is_well) < 1 or absent(onboarding_consumer_is_well)",
        "2m",
        "critical",
        "An event consumer does not reach PostgreSQL or Redis, its maintenance fails, or none runs.",
    ),
    Alert(
        "OnboardingPublisherStuck",
        "onboarding_publisher_last_step_seconds > 120",
        "1m",
        "critical",
        "The loop of publisher {{ $labels.instance }} has made no step for {{ $value | humanizeDuration }}.",
    ),
    Alert(
        "OnboardingConsumerStuck",
        "onboarding_consumer_last_step_seconds > 120",
        "1m",
        "critical",
        "A stream worker of {{ $labels.instance }} has made no step for {{ $value | humanizeDuration }}.",
    ),
    Alert(
        "OnboardingMaintenanceFailing",
        "max by (chore) (onboarding_maintenance_age_seconds) > 1800",
        "5m",
        "warning",
        "The maintenance chore {{ $labels.chore }} has not succeeded for {{ $value | humanizeDuration }}.",
    ),
    Alert(
        "OnboardingDeadLetters",
        'max(onboarding_dead_letters{state="waiting"}) > 0',
        "5m",
        "warning",
        "PostgreSQL rejected {{ $value }} events.",
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
        "Redis uses {{ $value | humanizePercentage }} of its memory; a full Redis rejects events.",
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
        "{{ $labels.process }} on {{ $labels.instance }} has metrics that are {{ $value | humanizeDuration }} old.",
    ),
    Alert(
        "OnboardingMixedReleases",
        "count(count by (version) (onboarding_build_info)) > 1",
        "1h",
        "info",
        "{{ $value }} releases run at the same time.",
    ),
)
_HEADER = """# Generated from tools/generate_docs/alerts.py by `make generate`: change it there.
groups:
  - name: onboarding
    rules:
"""


def alert_rules(documentation_url: str = "") -> str:
    """Return alerts.yaml. Every JSON string is a YAML string too.

    The links to runbooks begin with `documentation_url`, the address of the project's folder; without one they are
    paths in the project.
    """
    base = f"{documentation_url.rstrip('/')}/" if documentation_url else ""
    return _HEADER + "".join(line for alert in ALERTS for line in _rule(alert, base))


def runbook(alert: Alert) -> str:
    """Return the path and the anchor of the alert's remedy."""
    return f"docs/operations/alerts.md#{alert.name.lower()}"


def _rule(alert: Alert, base: str) -> Iterator[str]:
    yield f"      - alert: {alert.name}\n"
    yield f"        expr: {json.dumps(alert.expression)}\n"
    yield f"        for: {alert.duration}\n"
    yield f"        labels: {{severity: {alert.severity}}}\n"
    yield "        annotations:\n"
    yield f"          summary: {json.dumps(alert.summary)}\n"
    yield f"          runbook_url: {json.dumps(base + runbook(alert))}\n"
