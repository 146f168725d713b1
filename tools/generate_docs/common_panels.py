"""The rows of the dashboard for all processes."""

from tools.generate_docs.panel import (
    A_SECOND,
    BYTES,
    COUNT,
    SECONDS,
    SHARE,
    Panel,
    PanelRow,
    errors_share,
    percentile_99,
    rate,
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
        ),
        Panel(
            "From a change to the edges",
            SECONDS,
            (
                (percentile_99("onboarding_publisher_delay_seconds_bucket"), "99th percentile, to Redis"),
                (percentile_99("onboarding_edge_propagation_seconds_bucket"), "99th percentile, from Redis to an edge"),
                ("max(onboarding_publications_oldest_seconds)", "oldest unpublished"),
            ),
        ),
        Panel(
            "From an event to PostgreSQL",
            SECONDS,
            (
                ("max(onboarding_stream_oldest_seconds)", "oldest in Redis"),
                ("max(onboarding_edge_spool_oldest_seconds)", "oldest in a spool"),
            ),
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
