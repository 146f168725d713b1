"""Fill the live version of each flow in portions, each in a transaction of its own.

A flow that release 0.2.0 has created or changed without a version gets one. An interrupted run begins again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None

#: A change of a project waits for a portion that has a flow of the project, for a fraction of a second.
statement_timeout = "15min"

PORTION = 200
FILL = sa.text("""
    WITH portion AS MATERIALIZED (
        SELECT flows.id FROM flows JOIN projects ON projects.id = flows.project_id
        WHERE flows.id > :after ORDER BY flows.id LIMIT :portion FOR NO KEY UPDATE OF projects
    ), recorded AS MATERIALIZED (
        SELECT id, record_flow_rows(id) FROM portion
    )
    SELECT max(id) FROM recorded
""")


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        connection = op.get_bind()
        after = ""
        while after is not None:
            after = connection.scalar(FILL, {"after": after, "portion": PORTION})


def downgrade() -> None:
    """Leave the versions; the migration before drops the column."""
