"""The rows of the dashboard for all processes."""

from tools.generate_docs.panel import (
    A_SECOND,
    BYTES,
    COUNT,
    SECONDS,
    SHARE,
    Panel,
    PanelRow,
    Thresholds,
    errors_share,
    percentile_99,
    rate,
)

#: deploy/prometheus/slo.yaml records the series.
OBJECTIVES = PanelRow(
    "Objectives of 30 days",
    (
        Panel(
            "Error budget left",
            SHARE,
            (("onboarding:slo_budget_left:ratio30d", "{{slo}}"),),
            Thresholds(0.5, 0.1),
            "stat",
        ),
        Panel(
            "Speed at which budgets are used up",
            COUNT,
            (("onboarding:slo_error_ratio:rate1h / on (slo) onboarding:slo_budget", "{{slo}}"),),
            Thresholds(6, 14.4),
        ),
        Panel("Share that missed its objective", SHARE, (("onboarding:slo_error_ratio:rate1h", "{{slo}}"),)),
    ),
)
#: The thresholds of the alerts, where one watches the same.
NOW = PanelRow(
    "Now",
    (
        Panel(
            "Errors of the edge",
            SHARE,
            ((errors_share("onboarding_edge_requests_total"), "5xx"),),
            Thresholds(0.0001, 0.001),
            "stat",
        ),
        Panel(
            "Errors of management",
            SHARE,
            ((errors_share("onboarding_management_requests_total"), "5xx"),),
            Thresholds(0.001, 0.01),
            "stat",
        ),
        Panel(
            "Edge, 99th percentile",
            SECONDS,
            ((percentile_99("onboarding_edge_request_duration_seconds_bucket"), "response time"),),
            Thresholds(0.025, 0.1),
            "stat",
        ),
        Panel(
            "Oldest unpublished change",
            SECONDS,
            (("max(onboarding_publications_oldest_seconds)", "oldest"),),
            Thresholds(10, 60),
            "stat",
        ),
        Panel(
            "Oldest event in Redis",
            SECONDS,
            (("max(onboarding_stream_oldest_seconds)", "oldest"),),
            Thresholds(15, 60),
            "stat",
        ),
        Panel(
            "Edge workers without Redis",
            COUNT,
            (("sum(onboarding_edge_redis_down_workers)", "workers"),),
            Thresholds(1, 2),
            "stat",
        ),
        Panel(
            "Events in spools",
            COUNT,
            (("sum(onboarding_edge_spool_records)", "events"),),
            Thresholds(1, 100_000),
            "stat",
        ),
        Panel(
            "Dead letters",
            COUNT,
            (('max(onboarding_dead_letters{state="waiting"})', "waiting"),),
            Thresholds(1, 1000),
            "stat",
        ),
        Panel(
            "Memory of Redis",
            SHARE,
            (("max(onboarding_redis_used_memory_bytes / (onboarding_redis_max_memory_bytes > 0))", "used"),),
            Thresholds(0.6, 0.8),
            "stat",
        ),
        Panel(
            "Running workers",
            SHARE,
            (("sum(onboarding_workers_reporting) / sum(onboarding_workers_wanted)", "of the configured ones"),),
            Thresholds(1, 0.5),
            "stat",
        ),
        Panel(
            "Lag of the read replica",
            SECONDS,
            (("max(onboarding_management_replica_lag_seconds)", "lag"),),
            Thresholds(10, 60),
            "stat",
        ),
        Panel(
            "Age of metrics",
            SECONDS,
            (("max(onboarding_metrics_age_seconds)", "oldest"),),
            Thresholds(15, 60),
            "stat",
        ),
    ),
)
OVERVIEW = PanelRow(
    "Overview",
    (
        Panel(
            "Errors (5xx)",
            SHARE,
            (
                (
                    errors_share("onboarding_edge_requests_total"),
                    "edge",
                ),
                (
                    errors_share("onboarding_management_requests_total"),
                    "management",
                ),
            ),
            Thresholds(0.001, 0.01),
        ),
        Panel(
            "From a change to the edges",
            SECONDS,
            (
                (percentile_99("onboarding_publisher_delay_seconds_bucket"), "99th percentile, to Redis"),
                (percentile_99("onboarding_edge_propagation_seconds_bucket"), "99th percentile, from Redis to an edge"),
                ("max(onboarding_publications_oldest_seconds)", "oldest unpublished"),
                ("max(onboarding_schedules_overdue_seconds)", "oldest overdue schedule"),
            ),
        ),
        Panel(
            "From an event to PostgreSQL",
            SECONDS,
            (
                ("max(onboarding_stream_oldest_seconds)", "oldest in Redis"),
                ("max(onboarding_edge_spool_oldest_seconds)", "oldest in a spool"),
            ),
            Thresholds(15, 60),
        ),
        Panel(
            "Workers",
            COUNT,
            (
                ("sum by (process) (onboarding_workers_reporting)", "{{process}}"),
                ("sum by (process) (onboarding_workers_wanted)", "{{process}}, configured"),
            ),
        ),
    ),
)
MACHINES = PanelRow(
    "Limits, connections, machines",
    (
        Panel(
            "Rate limits",
            A_SECOND,
            rate(
                "onboarding_rate_limit_decisions_total",
                "process, decision, scope",
                "{{process}} {{decision}}, {{scope}}",
            ),
        ),
        Panel(
            "Rate limit keys, workers limiting locally",
            COUNT,
            (
                ("sum by (process) (onboarding_rate_limited_clients)", "{{process}}"),
                ("sum by (process) (onboarding_rate_limiting_locally_workers)", "{{process}}, local"),
            ),
        ),
        Panel(
            "Difference to the clock of Redis",
            SECONDS,
            (("max by (process) (onboarding_redis_clock_difference_seconds)", "{{process}}"),),
        ),
        Panel(
            "Connections to PostgreSQL",
            COUNT,
            (
                (
                    "sum by (process, server, state) (onboarding_database_pool_connections)",
                    "{{process}} {{server}} {{state}}",
                ),
                ("sum by (process, server) (onboarding_database_pool_size)", "{{process}} {{server}}, maximum"),
            ),
        ),
        Panel(
            "Processor",
            SHARE,
            rate("onboarding_cpu_seconds_total", "process, instance", "{{process}} {{instance}}"),
        ),
        Panel(
            "Memory",
            BYTES,
            (("sum by (process, instance) (onboarding_resident_memory_bytes)", "{{process}} {{instance}}"),),
        ),
        Panel(
            "Open files and exited workers",
            COUNT,
            (
                ("sum by (process) (onboarding_open_files)", "{{process}}"),
                (
                    "sum by (process) (increase(onboarding_workers_ended_total[1h]))",
                    "{{process}}, exited in an hour",
                ),
            ),
        ),
        Panel(
            "Releases and age of metrics",
            COUNT,
            (
                ("count by (process, version) (onboarding_build_info)", "{{process}} {{version}}"),
                ("max by (process) (onboarding_metrics_age_seconds)", "{{process}}, age of metrics"),
            ),
        ),
    ),
)
