"""The rows of the dashboard for the edge."""

from tools.generate_docs.panel import A_SECOND, BYTES, COUNT, SECONDS, SHARE, Panel, PanelRow, quantiles, rate

REQUESTS = PanelRow(
    "Edge",
    (
        Panel("Requests", A_SECOND, rate("onboarding_edge_requests_total", "route", "{{route}}")),
        Panel("Responses", A_SECOND, rate("onboarding_edge_requests_total", "status", "{{status}}")),
        Panel("Response time", SECONDS, quantiles("onboarding_edge_request_duration_seconds_bucket", "route")),
        Panel(
            "Connections",
            COUNT,
            (
                ("sum(onboarding_edge_connections)", "open"),
                ("sum(onboarding_edge_connection_limit)", "maximum"),
                (
                    "sum by (status) (rate(onboarding_edge_unreadable_requests_total[$__rate_interval]))",
                    "{{status}}",
                ),
            ),
        ),
        Panel(
            "Delay of the event loop",
            SECONDS,
            (("max by (instance) (onboarding_edge_loop_delay_seconds)", "{{instance}}"),),
        ),
    ),
)
SNAPSHOTS = PanelRow(
    "Snapshots",
    (
        Panel(
            "Age",
            SECONDS,
            (
                (
                    "max by (instance) (onboarding_edge_snapshot_age_seconds)",
                    "{{instance}}, last synchronization",
                ),
            ),
        ),
        Panel("Revisions behind", COUNT, (("max by (instance) (onboarding_edge_revision_lag)", "{{instance}}"),)),
        Panel(
            "Time since the newest change",
            SECONDS,
            (("time() - min(onboarding_edge_newest_change_timestamp_seconds)", "of the slowest worker"),),
        ),
        Panel("In memory", COUNT, (("sum by (instance) (onboarding_edge_snapshots)", "{{instance}}"),)),
        Panel(
            "Memory",
            BYTES,
            (
                ("sum(onboarding_edge_snapshot_memory_bytes)", "used"),
                ("sum(onboarding_edge_snapshot_memory_limit_bytes)", "maximum"),
            ),
        ),
        Panel(
            "Loads and evictions",
            A_SECOND,
            (
                *rate("onboarding_edge_snapshot_loads_total", "source", "{{source}}"),
                ("sum(rate(onboarding_edge_snapshots_evicted_total[$__rate_interval]))", "evicted"),
            ),
        ),
        Panel(
            "Workers with problems",
            COUNT,
            (
                ("sum(onboarding_edge_redis_down_workers)", "without Redis"),
                ("sum(onboarding_edge_too_stale_workers)", "too stale"),
                ("sum(onboarding_edge_disk_copies_failing_workers)", "without disk copies"),
                ("sum(increase(onboarding_edge_disk_copies_damaged_total[1h]))", "damaged copies"),
            ),
        ),
    ),
)
_PAGE_RESPONSES = (
    "sum by (route, status) "
    '(rate(onboarding_edge_requests_total{route=~"/s/.*|/onboarding/.*|/api/global-config"}[$__rate_interval]))'
)
PAGES = PanelRow(
    "Hosted pages",
    (
        Panel(
            "Responses",
            A_SECOND,
            ((_PAGE_RESPONSES, "{{route}} {{status}}"),),
        ),
        Panel(
            "Assets that were not in memory",
            A_SECOND,
            rate("onboarding_edge_page_asset_loads_total", "source", "{{source}}"),
        ),
        Panel("Media files", A_SECOND, rate("onboarding_edge_media_reads_total", "source", "{{source}}")),
        Panel("Media files in memory", BYTES, (("sum(onboarding_edge_media_memory_bytes)", "bytes"),)),
        Panel("Assets in memory", BYTES, (("sum(onboarding_edge_page_asset_memory_bytes)", "bytes"),)),
        Panel(
            "Processes without the assets of pages",
            COUNT,
            (
                ("sum(onboarding_edge_page_assets_missing_workers)", "workers of edges"),
                ("count(onboarding_publisher_page_assets_built == 0)", "publishers"),
            ),
        ),
    ),
)

EVENTS = PanelRow(
    "Events at the edge",
    (
        Panel(
            "Events",
            A_SECOND,
            (
                *rate("onboarding_edge_events_total", "outcome", "{{outcome}}"),
                ("sum(rate(onboarding_edge_over_quota_total[$__rate_interval]))", "requests above a quota"),
            ),
        ),
        Panel("Until durable", SECONDS, quantiles("onboarding_edge_commit_duration_seconds_bucket")),
        Panel(
            "Store",
            COUNT,
            (
                ("sum by (place) (onboarding_edge_events_store_workers)", "{{place}}"),
                ('sum by (state) (onboarding_edge_spool_workers{state!="off"})', "spool {{state}}"),
            ),
        ),
        Panel(
            "Waiting",
            COUNT,
            (
                ("sum(onboarding_edge_events_pending)", "in memory"),
                ("sum(onboarding_edge_spool_records)", "in spools"),
            ),
        ),
        Panel(
            "Waiting bytes",
            BYTES,
            (
                ("sum(onboarding_edge_events_pending_bytes)", "in memory"),
                ("sum(onboarding_edge_spool_bytes)", "in spools"),
                ("sum(onboarding_edge_spool_limit_bytes)", "maximum in spools"),
            ),
        ),
        Panel(
            "Spool",
            A_SECOND,
            (
                ("sum(rate(onboarding_edge_spool_replayed_total[$__rate_interval]))", "replayed"),
                ("sum(rate(onboarding_edge_spool_rejected_total[$__rate_interval]))", "rejected"),
                ("sum(rate(onboarding_edge_spool_damaged_total[$__rate_interval]))", "damaged"),
            ),
        ),
        Panel("Fullest spool", SHARE, (("max(onboarding_edge_spool_fill_ratio)", "of its maximum"),)),
    ),
)
