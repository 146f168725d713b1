"""Make version 1 of each theme, in portions, each in a transaction of its own. An interrupted run begins again."""

import sqlalchemy as sa
from alembic import op

revision = "0073"
down_revision = "0072"
branch_labels = None
depends_on = None

#: A change of a project waits for a portion that has a theme of the project, for a fraction of a second.
statement_timeout = "15min"

PORTION = 500
FILL = sa.text("""
    WITH portion AS MATERIALIZED (
        SELECT themes.id FROM themes JOIN projects ON projects.id = themes.project_id
        WHERE themes.id > :after ORDER BY themes.id LIMIT :portion FOR NO KEY UPDATE OF projects
    ), recorded AS MATERIALIZED (
        SELECT id, record_theme_row(id) FROM portion
    )
    SELECT max(id) FROM recorded
""")


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        connection = op.get_bind()
        after: str | None = ""
        while after is not None:
            after = connection.scalar(FILL, {"after": after, "portion": PORTION})


def downgrade() -> None:
    """Leave the versions; the migration before drops the table."""
