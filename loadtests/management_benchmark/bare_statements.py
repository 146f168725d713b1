"""The SQL of the bare service: what a careful hand-written service would run for the same answers, and no more.

They are the statements of the management service, written out: the credential is checked, the role is asked for with
the project, a change locks the project, checks its limit, requests publication, and is noted in the audit log.
"""

USER_OF_KEY = "SELECT user_id, last_used_at FROM api_keys WHERE digest = %s"

COUNT_PROJECTS = "SELECT count(*) FROM members WHERE user_id = %s"

LIST_PROJECTS = """
    SELECT p.id, p.name, p.description, p.platforms, p.default_flow_id, p.created_at, p.updated_at,
        (SELECT count(*) FROM flows WHERE project_id = p.id) AS total_flows,
        (SELECT count(*) FROM flows WHERE project_id = p.id AND status = 'active') AS active_flows,
        coalesce((SELECT devices FROM project_totals WHERE project_id = p.id), 0) AS total_users
    FROM projects p JOIN members m ON m.project_id = p.id
    WHERE m.user_id = %s ORDER BY p.created_at DESC, p.id DESC LIMIT %s OFFSET %s
"""

READ_PROJECT = """
    SELECT p.id, p.name, p.description, p.platforms, p.default_flow_id, p.analytics_enabled, p.custom_domain,
        p.public_key_sealed, p.created_at, p.updated_at, m.role
    FROM projects p JOIN members m ON m.project_id = p.id
    WHERE p.id = %s AND m.user_id = %s
"""

LOCK_PROJECT = READ_PROJECT + "FOR NO KEY UPDATE OF p, m"

FIGURES = """
    SELECT (SELECT count(*) FROM flows WHERE project_id = p.id) AS total_flows,
        (SELECT count(*) FROM flows WHERE project_id = p.id AND status = 'active') AS active_flows,
        coalesce((SELECT devices FROM project_totals WHERE project_id = p.id), 0) AS total_users,
        ARRAY(SELECT devices FROM activity_cells
            WHERE project_id = p.id AND (breakdown = 'all' OR breakdown = 'exposure') AND day = %s) AS seen_today,
        ARRAY(SELECT flow_id FROM activity_cells
            WHERE project_id = p.id AND breakdown = 'ever' AND day IS NULL ORDER BY id) AS flow_ids,
        ARRAY(SELECT event_type FROM activity_cells
            WHERE project_id = p.id AND breakdown = 'ever' AND day IS NULL ORDER BY id) AS event_types,
        ARRAY(SELECT devices FROM activity_cells
            WHERE project_id = p.id AND breakdown = 'ever' AND day IS NULL ORDER BY id) AS sets
    FROM projects p WHERE p.id = %s
"""

LOCK_USER = "SELECT id FROM users WHERE id = %s FOR NO KEY UPDATE"

COUNT_OWNED = "SELECT count(*) FROM members WHERE user_id = %s AND role = 'owner'"

MAKE_PROJECT = """
    INSERT INTO projects (id, name, description, platforms, public_key_sealed) VALUES (%s, %s, %s, %s, %s)
    RETURNING analytics_enabled, custom_domain, created_at, updated_at
"""

MAKE_MEMBER = "INSERT INTO members (project_id, user_id, role) VALUES (%s, %s, 'owner')"

MAKE_PUBLICATION = "INSERT INTO publications (project_id) VALUES (%s)"

MAKE_SECRET_KEY = "INSERT INTO secret_keys (id, project_id, digest, sealed) VALUES (%s, %s, %s, %s)"  # noqa: S105 - SQL

CHANGE_PROJECT = """
    UPDATE projects SET name = %s, description = %s, updated_at = clock_timestamp() WHERE id = %s
    RETURNING updated_at
"""

REQUEST_PUBLICATION = """
    UPDATE publications SET wanted_revision = wanted_revision + 1, deleted = false, updated_at = clock_timestamp()
    WHERE project_id = %s RETURNING pg_notify('publications', '')
"""

WAKE_PUBLISHER = "SELECT pg_notify('publications', '')"

AUDIT = """
    INSERT INTO audit_entries (id, project_id, user_id, action, entity_type, entity_id, before, after)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
"""

COUNT_FLOWS = "SELECT count(*) FROM flows WHERE project_id = %s"

_FLOWS = """
    SELECT f.id, f.project_id, f.name, f.description, f.status,
        f.id IS NOT DISTINCT FROM p.default_flow_id AS is_default, f.theme_id, f.priority, f.rollout_buckets,
        f.conditions, f.created_at, f.updated_at,
        (SELECT coalesce(sum(events), 0)::bigint FROM activity_cells WHERE project_id = f.project_id
            AND breakdown = 'ever' AND day IS NULL AND flow_id = f.id AND event_type = 'flow_started') AS views,
        ARRAY(SELECT devices FROM activity_cells WHERE project_id = f.project_id
            AND breakdown = 'ever' AND day IS NULL AND flow_id = f.id AND event_type = 'flow_started') AS started,
        ARRAY(SELECT devices FROM activity_cells WHERE project_id = f.project_id
            AND breakdown = 'ever' AND day IS NULL AND flow_id = f.id AND event_type = 'flow_completed') AS completed
    FROM flows f JOIN projects p ON p.id = f.project_id
"""

LIST_FLOWS = _FLOWS + "WHERE f.project_id = %s ORDER BY f.created_at DESC, f.id DESC LIMIT %s OFFSET %s"

READ_FLOW = _FLOWS + "JOIN members m ON m.project_id = p.id WHERE f.id = %s AND m.user_id = %s"

CHANGED_FLOW = _FLOWS + "WHERE f.id = %s"

LOCKED_FLOW = "SELECT * FROM flows WHERE id = %s"

PROJECT_OF_FLOW = "SELECT project_id FROM flows WHERE id = %s"

SCREENS = 'SELECT flow_id, id, type, name, "order" FROM screens WHERE flow_id = ANY(%s) ORDER BY "order"'

SCREENS_WITH_CONTENT = """
    SELECT flow_id, id, type, name, "order", content, settings FROM screens WHERE flow_id = ANY(%s) ORDER BY "order"
"""

MAKE_FLOW = """
    INSERT INTO flows (id, project_id, name, description, status, priority, rollout_buckets, conditions)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
    RETURNING created_at, updated_at
"""

CHANGE_FLOW = """
    UPDATE flows SET name = %s, description = %s, priority = %s, updated_at = clock_timestamp() WHERE id = %s
"""
