"""The rows of the dashboard for management, the publisher and the event consumer."""

from tools.generate_docs.panel import A_SECOND, BYTES, COUNT, SECONDS, Panel, PanelRow, quantiles, rate

PUBLISHER = PanelRow(
    "Publisher",
    (
        Panel(
            "Projects",
            A_SECOND,
            (
                *rate("onboarding_publisher_projects_total", "outcome", "{{outcome}}"),
                ("sum(rate(onboarding_publisher_outages_total[$__rate_interval]))", "outages"),
            ),
        ),
        Panel("A batch", SECONDS, quantiles("onboarding_publisher_batch_duration_seconds_bucket")),
        Panel(
            "Waiting",
            COUNT,
            (
                ("max(onboarding_publications_waiting)", "projects"),
                ("min(onboarding_publisher_healthy)", "1: all publishers reach both servers"),
                ("max(onboarding_publisher_last_step_seconds)", "seconds since the last step"),
            ),
        ),
        Panel(
            "Schedules of flows",
            A_SECOND,
            (
                *rate("onboarding_schedules_total", "outcome", "{{outcome}}"),
                ("sum(rate(onboarding_schedule_errors_total[$__rate_interval]))", "defects"),
            ),
        ),
        Panel("From the time of a schedule to its end", SECONDS, quantiles("onboarding_schedule_delay_seconds_bucket")),
        Panel("Pending schedules", COUNT, (("max(onboarding_schedules_pending)", "schedules"),)),
    ),
)
CONSUMER = PanelRow(
    "Event consumer",
    (
        Panel(
            "Streams",
            COUNT,
            (
                ("max by (stream) (onboarding_stream_entries)", "{{stream}}"),
                ("max by (stream) (onboarding_stream_pending_entries)", "{{stream}}, read"),
            ),
        ),
        Panel(
            "Entries in and out",
            A_SECOND,
            (
                ("sum(max by (stream) (rate(onboarding_stream_added_total[$__rate_interval])))", "added"),
                *rate("onboarding_consumer_entries_total", "outcome", "{{outcome}}"),
                ("sum(rate(onboarding_consumer_claimed_total[$__rate_interval]))", "claimed"),
            ),
        ),
        Panel("Events", A_SECOND, rate("onboarding_consumer_events_total", "outcome", "{{outcome}}")),
        Panel("A batch", SECONDS, quantiles("onboarding_consumer_batch_duration_seconds_bucket")),
        Panel(
            "Maintenance",
            SECONDS,
            (("max by (task) (onboarding_maintenance_age_seconds)", "since the last {{task}}"),),
        ),
        Panel("Projects above a quota", COUNT, (("max by (quota) (onboarding_projects_over_quota)", "{{quota}}"),)),
        Panel("Dead letters", COUNT, (("max by (state) (onboarding_dead_letters)", "{{state}}"),)),
        Panel(
            "Consumers",
            COUNT,
            (
                ("max(onboarding_stream_consumers)", "known"),
                ("sum(onboarding_consumer_healthy)", "healthy"),
                ("sum(rate(onboarding_consumer_outages_total[$__rate_interval]))", "outages a second"),
                ("sum(increase(onboarding_consumer_lost_streams_total[$__rate_interval]))", "streams lost by Redis"),
                ("max(onboarding_consumer_last_step_seconds)", "seconds since the last step"),
            ),
        ),
        Panel(
            "Memory of Redis",
            BYTES,
            (
                ("max(onboarding_redis_used_memory_bytes)", "used"),
                ("max(onboarding_redis_max_memory_bytes)", "maximum"),
            ),
        ),
    ),
)
REQUESTS = PanelRow(
    "Management",
    (
        Panel(
            "Requests",
            A_SECOND,
            rate("onboarding_management_requests_total", "route, method", "{{method}} {{route}}"),
        ),
        Panel(
            "Responses",
            A_SECOND,
            (
                *rate("onboarding_management_requests_total", "status", "{{status}}"),
                (
                    "sum(rate(onboarding_management_analytics_fallbacks_total[$__rate_interval]))",
                    "fallbacks to the primary",
                ),
            ),
        ),
        Panel("Response time", SECONDS, quantiles("onboarding_management_request_duration_seconds_bucket", "route")),
        Panel(
            "Lag of the read replica",
            SECONDS,
            (("max by (instance) (onboarding_management_replica_lag_seconds)", "{{instance}}"),),
        ),
    ),
)
