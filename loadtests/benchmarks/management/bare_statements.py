"""The SQL of the bare service: the statements of a hand-written service for the same responses.

They do the work of the statements of the management service, one for one: the credential is checked, the role is read
with the project, a lock of a project also requests its publication, and a change and its entry in the audit
log are one statement. A change of a flow compares the newest version with the flow and stores a version.
"""

USER_OF_KEY = "SELECT user_id, last_used_at FROM api_keys WHERE digest = %s"

ROLE = "SELECT role FROM members WHERE project_id = %s AND user_id = %s"

_FIGURES = """
        (SELECT count(*) FROM flows WHERE project_id = p.id) AS total_flows,
        (SELECT count(*) FROM flows WHERE project_id = p.id AND status = 'active') AS active_flows,
        coalesce((SELECT devices FROM project_totals WHERE project_id = p.id), 0) AS total_users
"""

COUNT_PROJECTS = "SELECT count(*) FROM projects p JOIN members m ON m.project_id = p.id WHERE m.user_id = %s"

LIST_PROJECTS = f"""
    SELECT p.id, p.name, p.description, p.platforms, p.default_flow_id, p.created_at, p.updated_at, {_FIGURES}
    FROM projects p JOIN members m ON m.project_id = p.id
    WHERE m.user_id = %s ORDER BY p.created_at DESC, p.id DESC LIMIT %s OFFSET %s
"""  # noqa: S608 - put together of constants

_PROJECT = """
    SELECT p.id, p.name, p.description, p.platforms, p.default_flow_id, p.analytics_enabled, p.custom_domain,
        p.direct_writes, p.required_approvals, p.record_answers, p.public_key_sealed, p.created_at, p.updated_at, m.role
"""
_PROJECT_OF_MEMBER = """
    FROM projects p JOIN members m ON m.project_id = p.id WHERE p.id = %s AND m.user_id = %s
"""

READ_PROJECT = f"""
    {_PROJECT}, {_FIGURES},
        ARRAY(SELECT devices FROM activity_cells
            WHERE project_id = p.id AND (breakdown = 'all' OR breakdown = 'exposure') AND day = %s) AS seen_today,
        ARRAY(SELECT flow_id FROM activity_cells
            WHERE project_id = p.id AND breakdown = 'ever' AND day IS NULL ORDER BY id) AS flow_ids,
        ARRAY(SELECT event_type FROM activity_cells
            WHERE project_id = p.id AND breakdown = 'ever' AND day IS NULL ORDER BY id) AS event_types,
        ARRAY(SELECT devices FROM activity_cells
            WHERE project_id = p.id AND breakdown = 'ever' AND day IS NULL ORDER BY id) AS sets
    {_PROJECT_OF_MEMBER}
"""  # noqa: S608 - put together of constants


def _requesting_publication(locking: str, project_id: str) -> str:
    """Make a statement request publication of the project that it locks."""
    return f"""
        WITH locked AS ({locking}), requested AS (
            UPDATE publications SET wanted_revision = publications.wanted_revision + 1, updated_at = clock_timestamp()
            FROM locked WHERE publications.project_id = locked.{project_id} RETURNING pg_notify('publications', '')
        )
        SELECT * FROM locked
    """  # noqa: S608 - put together of constants


def _audited(change: str) -> str:
    """Make a change write its entry in the audit log; the values of the entry come first."""
    return f"""
        WITH entry AS (
            INSERT INTO audit_entries (id, project_id, user_id, action, entity_type, entity_id, before, after)
            VALUES (%s, %s, %s, %s, %s, %s, %s, %s) RETURNING id
        ), stored AS ({change} RETURNING *)
        SELECT * FROM stored
    """  # noqa: S608 - put together of constants


LOCK_PROJECT = _requesting_publication(_PROJECT + _PROJECT_OF_MEMBER + "FOR NO KEY UPDATE OF p, m", "id")

LOCK_FLOW = _requesting_publication(
    """
    SELECT f.id, f.project_id, f.name, f.description, f.status, f.theme_id, f.priority, f.rollout_buckets, f.conditions,
        f.created_at, f.updated_at, p.default_flow_id, m.role
    FROM flows f JOIN projects p ON p.id = f.project_id JOIN members m ON m.project_id = f.project_id
    WHERE f.id = %s AND m.user_id = %s FOR NO KEY UPDATE OF p, m, f
    """,
    "project_id",
)

MAKE_PROJECT = _audited(
    """
    INSERT INTO projects
        (id, name, description, platforms, default_flow_id, analytics_enabled, custom_domain, public_key_sealed)
    VALUES (%s, %s, %s, %s, NULL, true, NULL, %s)
    """
)

MAKE_MEMBER = _audited("INSERT INTO members (project_id, user_id, role) VALUES (%s, %s, 'owner')")

MAKE_SECRET_KEY = _audited(
    "INSERT INTO secret_keys (id, project_id, digest, sealed, expires_at) VALUES (%s, %s, %s, %s, NULL)"
)

MAKE_PUBLICATION = "INSERT INTO publications (project_id) VALUES (%s) RETURNING pg_notify('publications', '')"

LOCK_USER = "SELECT id FROM users WHERE id = %s FOR NO KEY UPDATE"

COUNT_OWNED = "SELECT count(*) FROM members WHERE user_id = %s AND role = 'owner'"

CHANGE_PROJECT = _audited(
    "UPDATE projects SET name = %s, description = %s, updated_at = clock_timestamp() WHERE id = %s"
)

COUNT_OF_PROJECT = "SELECT count(*) FROM flows WHERE project_id = %s"

COUNT_FLOWS = "SELECT count(*) FROM flows f JOIN projects p ON p.id = f.project_id WHERE f.project_id = %s"

_FLOW = """
    SELECT f.id, f.project_id, f.name, f.description, f.status,
        f.id IS NOT DISTINCT FROM p.default_flow_id AS is_default, f.theme_id, f.priority, f.rollout_buckets,
        f.conditions, f.created_at, f.updated_at,
        (SELECT coalesce(sum(events), 0)::bigint FROM activity_cells WHERE project_id = f.project_id
            AND breakdown = 'ever' AND day IS NULL AND flow_id = f.id AND event_type = 'flow_started') AS views,
        ARRAY(SELECT devices FROM activity_cells WHERE project_id = f.project_id
            AND breakdown = 'ever' AND day IS NULL AND flow_id = f.id AND event_type = 'flow_started') AS started,
        ARRAY(SELECT devices FROM activity_cells WHERE project_id = f.project_id
            AND breakdown = 'ever' AND day IS NULL AND flow_id = f.id AND event_type = 'flow_completed') AS completed
"""


def _screens(content: str = "") -> str:
    """Make a statement of flows read their screens."""
    return f""", (
        SELECT json_agg(json_build_object('id', id, 'type', type, 'name', name, 'order', "order" {content})
            ORDER BY "order") FROM screens WHERE flow_id = f.id
    ) AS screens
    """  # noqa: S608 - put together of constants


_FLOWS = _FLOW + _screens() + "FROM flows f JOIN projects p ON p.id = f.project_id "

LIST_FLOWS = _FLOWS + "WHERE f.project_id = %s ORDER BY f.created_at DESC, f.id DESC LIMIT %s OFFSET %s"

READ_FLOW = f"""{_FLOW} {_screens(", 'content', content, 'settings', settings")}, m.role
    FROM flows f JOIN projects p ON p.id = f.project_id JOIN members m ON m.project_id = f.project_id
    WHERE f.id = %s AND m.user_id = %s
"""

CHANGED_FLOW = _FLOWS + "WHERE f.id = %s"

MAKE_FLOW = _audited(
    """
    INSERT INTO flows
        (id, project_id, name, description, status, theme_id, priority, rollout_buckets, conditions)
    VALUES (%s, %s, %s, %s, %s, NULL, %s, %s, %s)
    """
)

CHANGE_FLOW = _audited(
    "UPDATE flows SET name = %s, description = %s, priority = %s, updated_at = clock_timestamp() WHERE id = %s"
)

_DOCUMENT = """
    jsonb_build_object('name', f.name, 'description', f.description, 'theme_id', f.theme_id, 'priority', f.priority,
        'targeting', jsonb_build_object(
            'percentage', trim_scale(f.rollout_buckets / 100.0), 'conditions', f.conditions),
        'screens', coalesce((SELECT jsonb_agg(jsonb_build_object(
                'id', s.id, 'type', s.type, 'name', s.name, 'content', s.content, 'settings', s.settings
            ) ORDER BY s."order") FROM screens s WHERE s.flow_id = f.id), '[]'::jsonb))
"""

NEWEST_VERSION = f"""
    SELECT v.number, v.document = {_DOCUMENT} AS is_live,
        v.origin = 'direct' AND v.created_by = %s AND v.created_at > clock_timestamp() - interval '5 minutes'
        AND NOT EXISTS (SELECT FROM flow_drafts WHERE flow_id = v.flow_id AND base_version = v.number)
        AND NOT EXISTS (
            SELECT FROM flow_schedules WHERE flow_id = v.flow_id AND state = 'pending' AND version = v.number
        ) AS is_replaceable
    FROM flow_versions v JOIN flows f ON f.id = v.flow_id WHERE v.flow_id = %s ORDER BY v.number DESC LIMIT 1
"""  # noqa: S608 - put together of constants

REPLACE_VERSION = f"""
    UPDATE flow_versions v SET document = {_DOCUMENT} FROM flows f
    WHERE f.id = v.flow_id AND v.flow_id = %s AND v.number = %s
"""  # noqa: S608 - put together of constants

MAKE_VERSION = f"""
    INSERT INTO flow_versions (flow_id, project_id, number, origin, document, created_by)
    SELECT f.id, f.project_id,
        (SELECT coalesce(max(number), 0) + 1 FROM flow_versions WHERE flow_id = f.id), %s, {_DOCUMENT}, %s
    FROM flows f WHERE f.id = %s RETURNING *
"""  # noqa: S608 - put together of constants
