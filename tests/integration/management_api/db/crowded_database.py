"""A database with many projects of other users beside the project of a test."""

from contextlib import closing

import psycopg
from pydantic import SecretStr

from common.settings.shared import DatabaseSettings
from management_api.db.engine import Database
from management_api.rollups.rebuild import rebuild_project
from management_api.rollups.storage import ROLLUP_TABLES

#: In this order; the parameters are `projects` and `events` (of each project).
_STATEMENTS = (
    """
    INSERT INTO users (id, issuer, subject, email)
    SELECT 'user_' || n, 'crowd', n, 'user' || n || '@example.com' FROM generate_series(1, %(projects)s * 50) n
    """,
    "INSERT INTO api_keys (user_id, digest, sealed) SELECT id, sha256(id::bytea), '' FROM users WHERE issuer = 'crowd'",
    """
    INSERT INTO projects (id, name, platforms, public_key_sealed)
    SELECT 'proj_' || n, 'Project ' || n, ARRAY['ios'], '' FROM generate_series(1, %(projects)s) n
    """,
    """
    INSERT INTO members (project_id, user_id, role)
    SELECT 'proj_' || n, 'user_' || n, 'owner' FROM generate_series(1, %(projects)s) n
    """,
    """
    INSERT INTO flows (id, project_id, name, status)
    SELECT 'flow_' || p.id || '_' || n, p.id, 'Flow ' || n, 'active' FROM projects p, generate_series(1, 50) n
    """,
    """
    INSERT INTO screens (id, flow_id, project_id, type, "order")
    SELECT left(md5(f.id || '_' || n), 40), f.id, f.project_id, 'welcome', n
    FROM flows f, generate_series(0, 2) n WHERE f.id LIKE 'flow_proj_%%'
    """,
    """
    INSERT INTO themes (id, project_id, name)
    SELECT left(md5('theme' || p.id || '_' || n), 40), p.id, 'Theme ' || n FROM projects p, generate_series(1, 5) n
    """,
    """
    INSERT INTO audit_entries (id, project_id, user_id, action, entity_type, entity_id)
    SELECT left(md5('audit' || p.id || '_' || n), 40), p.id, 'user_1', 'flow.update', 'flow', 'flow_1'
    FROM projects p, generate_series(1, 50) n
    """,
    """
    INSERT INTO events (
        project_id, event_id, event_type, device_id, flow_id, screen_id, occurred_at, received_at, platform
    )
    SELECT p.id, 'evt_' || n, (ARRAY['flow_started', 'screen_viewed', 'flow_completed'])[1 + n / 7 %% 3],
        'device_' || n %% greatest(1, %(events)s / 5), 'flow_' || p.id || '_' || 1 + n %% 50, 'screen_' || n %% 3,
        now() - n %% 60 * interval '1 day', now(), 'ios'
    FROM projects p, generate_series(1, %(events)s) n
    """,
    """
    INSERT INTO exposures (project_id, device_id, flow_id, exposed_at)
    SELECT project_id, device_id, flow_id, min(occurred_at) FROM events GROUP BY 1, 2, 3
    """,
    """
    INSERT INTO devices (project_id, device_id, number)
    SELECT project_id, device_id, row_number() OVER (PARTITION BY project_id ORDER BY device_id) - 1
    FROM (SELECT DISTINCT project_id, device_id FROM events) AS seen
    """,
    "INSERT INTO project_totals SELECT project_id, count(*), count(*) FROM devices GROUP BY 1 ON CONFLICT DO NOTHING",
)
#: The projects of the crowd differ in their ids and in those of their flows, which contain the project's.
_COPY_ROLLUPS = """
    INSERT INTO {table} (
        project_id, breakdown, day, event_type, flow_id, screen_id, experiment_id, variant, platform, events, devices,
        moments, is_merged
    )
    SELECT p.id, breakdown, day, event_type, replace(flow_id, 'flow_proj_1_', 'flow_' || p.id || '_'), screen_id,
        experiment_id, variant, platform, events, devices, moments, is_merged
    FROM (SELECT 'proj_' || n AS id FROM generate_series(2, %(projects)s) n) AS p
    CROSS JOIN {table} AS cell WHERE cell.project_id = 'proj_1' ORDER BY p.id, cell.id
"""


def crowd(database_url: str, *, projects: int, events: int) -> None:
    """Add projects of other users, and this number of events with their rollups to each project."""
    database = Database(DatabaseSettings(database_url=SecretStr(database_url)))
    with closing(database), psycopg.connect(database_url, autocommit=True) as connection:
        for statement in _STATEMENTS:
            connection.execute(statement, {"projects": projects, "events": events})
        copies = {f"proj_{n}" for n in range(2, projects + 1)}
        found = connection.execute("SELECT project_id FROM project_totals WHERE project_id LIKE 'proj\\_%'").fetchall()
        for (project_id,) in found:
            if project_id not in copies:
                rebuild_project(database, project_id, repair=True)
        for table in ROLLUP_TABLES:
            connection.execute(_COPY_ROLLUPS.format(table=table).encode(), {"projects": projects})
        connection.execute("VACUUM ANALYZE")
