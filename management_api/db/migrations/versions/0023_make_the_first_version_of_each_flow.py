"""Make version 1 of the flows that have none, in portions, each in a transaction of its own.

An interrupted run begins again, and skips the flows that have a version. Flows that release 0.2.0 creates
meanwhile get their first version with their next change.
"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022a"
branch_labels = None
depends_on = None

#: Of all requests, only the deletion of a flow waits for a portion, for a fraction of a second.
statement_timeout = "15min"

PORTION = 500
MAKE_VERSIONS = sa.text("""
    WITH portion AS (
        SELECT * FROM flows
        WHERE id > :after AND NOT EXISTS (SELECT FROM flow_versions WHERE flow_versions.flow_id = flows.id)
        ORDER BY id LIMIT :portion
        -- A flow that is being deleted is skipped: its version would have no flow.
        FOR KEY SHARE OF flows SKIP LOCKED
    ), made AS (
        INSERT INTO flow_versions (flow_id, number, project_id, origin, document, created_at)
        SELECT id, 1, project_id, 'created', jsonb_build_object(
            'name', name, 'description', description, 'theme_id', theme_id, 'priority', priority,
            'targeting', jsonb_build_object(
                'percentage', trim_scale(rollout_buckets / 100.0), 'conditions', conditions
            ),
            'screens', coalesce((
                SELECT jsonb_agg(
                    jsonb_build_object(
                        'id', screens.id, 'type', screens.type, 'name', screens.name,
                        'content', screens.content, 'settings', screens.settings
                    ) ORDER BY screens."order"
                ) FROM screens WHERE screens.flow_id = portion.id
            ), '[]'::jsonb)
        ), clock_timestamp()
        FROM portion
        ON CONFLICT DO NOTHING
    )
    SELECT max(id) FROM portion
""")


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        connection = op.get_bind()
        # The second pass makes the versions of flows whose deletion was rolled back.
        for _ in range(2):
            after = ""
            while after is not None:
                after = connection.scalar(MAKE_VERSIONS, {"after": after, "portion": PORTION})


def downgrade() -> None:
    """Leave the versions where they are: revision 0022 drops the table."""
