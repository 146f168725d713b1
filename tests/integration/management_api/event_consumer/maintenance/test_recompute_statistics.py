"""`recompute` reads each event and its device once, with any statistics of PostgreSQL."""

from sqlalchemy import text

from management_api.db.engine import Database
from management_api.rollups.rebuild import rebuild_project
from tests.integration.management_api.event_consumer.read_rows import rows_read

DEVICES, EVENTS = 2000, 6000

FILL = (
    """
    INSERT INTO devices (project_id, device_id, number)
    SELECT :project, 'device_' || n, n FROM generate_series(:first ::int, :devices - 1) AS n
    """,
    """
    INSERT INTO exposures (project_id, device_id, flow_id, exposed_at)
    SELECT :project, 'device_' || n, 'flow_a', now() FROM generate_series(:first ::int, :devices - 1) AS n
    """,
    """
    INSERT INTO events (project_id, event_id, event_type, device_id, occurred_at, received_at)
    SELECT :project, 'event_' || n, 'flow_started', 'device_' || n % :devices, now() - interval '1 s', now()
    FROM generate_series(:first ::int, :events - 1) AS n
    """,
)


def fill(database: Database, project_id: str, *, first: int, devices: int, events: int) -> None:
    """Add the devices and the events from `first` on."""
    values = {"project": project_id, "first": first, "devices": devices, "events": events}
    with database.transaction() as session:
        for statement in FILL:
            session.execute(text(statement), values)


def test_recompute_with_old_statistics_reads_a_device_once_per_event(database: Database, project_id: str) -> None:
    fill(database, project_id, first=0, devices=1, events=1)
    with database.engine.connect() as connection:
        # A crash of PostgreSQL discards the counts of changes, so that nothing analyzes the tables again.
        for table in ("devices", "exposures", "events_default"):
            connection.execute(text(f"ALTER TABLE {table} SET (autovacuum_enabled = off)"))
        connection.execute(text("ANALYZE devices, exposures, events"))
    fill(database, project_id, first=1, devices=DEVICES, events=EVENTS)
    with rows_read(database) as read:
        rebuild_project(database, project_id, repair=True)
    assert read["devices"] <= 3 * (EVENTS + DEVICES)
    assert rebuild_project(database, project_id, repair=False) == []
