"""The rows of the dashboard that are of all processes."""

from deploy.observability.panel import (
    A_SECOND,
    BYTES,
    COUNT,
    SECONDS,
    SHARE,
    Panel,
    PanelRow,
    errors_share,
    ninety_ninth,
    rate,
)

OVERVIEW = PanelRow(
    "Is it well?",
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
            "From a change to devices",
            SECONDS,
            (
                (ninety_ninth("onboarding_publisher_delay_seconds_bucket"), "99th, to Redis"),
                (ninety_ninth("onboarding_edge_propagation_seconds_bucket"), "99th, from Redis to an edge"),
                ("max(onboarding_publications_oldest_seconds)", "oldest that waits"),
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
                ("sum by (process) (onboarding_workers_wanted)", "{{process}}, wanted"),
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
                ("sum by (process, server) (onboarding_database_pool_size)", "{{process}} {{server}}, most"),
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
            "Open files and ended workers",
            COUNT,
            (
                ("sum by (process) (onboarding_open_files)", "{{process}}"),
                (
                    "sum by (process) (increase(onboarding_workers_ended_total[1h]))",
                    "{{process}}, ended in an hour",
                ),
            ),
        ),
        Panel(
            "Releases and figures",
            COUNT,
            (
                ("count by (process, version) (onboarding_build_info)", "{{process}} {{version}}"),
                ("max by (process) (onboarding_metrics_age_seconds)", "{{process}}, age of figures"),
            ),
        ),
    ),
)
