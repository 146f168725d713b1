"""Add the creator of each project, for quotas, and the start of each preview link, so that links can be revoked.

A project that release 0.2.0 creates meanwhile has no creator, and counts for no quota. A link without a start is valid
until it expires. An interrupted run begins again.
"""

import sqlalchemy as sa
from alembic import op

from management_api.db.migrations.concurrent_indexes import build_concurrently

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

PORTION = 500
# The first owner is taken for the creator: a creator who has left the project is not known.
FILL_IN = sa.text("""
    WITH portion AS (
        SELECT id FROM projects WHERE id > :after ORDER BY id LIMIT :portion
    ), locked AS (
        -- A change of a project may take longer than a portion, so its project waits for the second pass.
        SELECT id FROM projects WHERE id IN (SELECT id FROM portion) AND created_by IS NULL
        FOR NO KEY UPDATE SKIP LOCKED
    ), filled AS (
        UPDATE projects SET created_by = (
            SELECT user_id FROM members WHERE members.project_id = projects.id AND role = 'owner'
            ORDER BY members.created_at, user_id LIMIT 1
        )
        FROM locked WHERE locked.id = projects.id
    )
    SELECT max(id) FROM portion
""")


def upgrade() -> None:
    op.execute("ALTER TABLE preview_links ADD COLUMN IF NOT EXISTS valid_from timestamptz")
    op.execute("ALTER TABLE projects ADD COLUMN IF NOT EXISTS created_by varchar(40)")
    op.execute("""
        ALTER TABLE projects DROP CONSTRAINT IF EXISTS fk_projects_created_by,
        ADD CONSTRAINT fk_projects_created_by FOREIGN KEY (created_by) REFERENCES users (id) ON DELETE SET NULL
    """)
    # The locks of these statements end here.
    with op.get_context().autocommit_block():
        connection = op.get_bind()
        for _ in range(2):
            after = ""
            while after is not None:
                after = connection.scalar(FILL_IN, {"after": after, "portion": PORTION})
        build_concurrently("ix_projects_created_by", "ON projects (created_by)")


def downgrade() -> None:
    op.drop_column("preview_links", "valid_from")
    op.drop_column("projects", "created_by")
