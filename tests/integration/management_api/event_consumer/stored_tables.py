"""The tables of analytics as plain rows, and the rollups as they follow from the raw tables."""

from sqlalchemy import TextClause, text
from sqlalchemy.orm import Session

#: A table's rows, sorted.
Rows = list[tuple[object, ...]]

RAW = {
    "events": text("SELECT * FROM events ORDER BY 1, 2"),
    "exposures": text("SELECT * FROM exposures ORDER BY 1, 2, 3, 4, 5"),
}

ROLLUPS = {
    "devices": text("SELECT project_id, device_id, first_seen_at FROM devices ORDER BY 1, 2"),
    "project_totals": text("SELECT project_id, devices FROM project_totals ORDER BY 1"),
    "daily_activity": text("""
        SELECT project_id, day, flow_id, device_id, starts, completions FROM daily_activity ORDER BY 1, 2, 3, 4
    """),
    "flow_journeys": text("""
        SELECT project_id, flow_id, device_id, first_started_at, first_completed_at FROM flow_journeys ORDER BY 1, 2, 3
    """),
}

RECOMPUTED = {
    "devices": text("""
        SELECT project_id, device_id, min(seen_at) FROM (
            SELECT project_id, device_id, occurred_at AS seen_at FROM events
            UNION ALL
            SELECT project_id, device_id, exposed_at FROM exposures
        ) AS sightings
        GROUP BY 1, 2 ORDER BY 1, 2
    """),
    "project_totals": text("""
        SELECT project_id, count(DISTINCT device_id) FROM (
            SELECT project_id, device_id FROM events UNION ALL SELECT project_id, device_id FROM exposures
        ) AS sightings
        GROUP BY 1 ORDER BY 1
    """),
    "daily_activity": text("""
        SELECT project_id, (seen_at AT TIME ZONE 'UTC')::date, flow_id, device_id,
            sum((event_type = 'flow_started')::int), sum((event_type = 'flow_completed')::int)
        FROM (
            SELECT project_id, device_id, coalesce(flow_id, '') AS flow_id, event_type, occurred_at AS seen_at
            FROM events
            UNION ALL
            SELECT project_id, device_id, flow_id, '', exposed_at FROM exposures
        ) AS sightings
        GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    """),
    "flow_journeys": text("""
        SELECT project_id, flow_id, device_id,
            min(CASE event_type WHEN 'flow_started' THEN occurred_at END),
            min(CASE event_type WHEN 'flow_completed' THEN occurred_at END)
        FROM events WHERE flow_id IS NOT NULL AND event_type IN ('flow_started', 'flow_completed')
        GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    """),
}


def rows_of(session: Session, queries: dict[str, TextClause]) -> dict[str, Rows]:
    """Give the rows of each query."""
    return {name: [tuple(row) for row in session.execute(query)] for name, query in queries.items()}


def count(session: Session, table: str) -> int:
    """Count the rows of a table."""
    return int(session.scalar(text(f"SELECT count(*) FROM {table}")) or 0)  # noqa: S608 - a table's name is ours
