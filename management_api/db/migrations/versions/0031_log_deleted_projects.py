"""Add the log of deleted projects, which are purged in the background.

Release 0.2.0 deletes a project with all of its rows at once, and does not read the table.
"""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "deleted_projects",
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("deleted_by", sa.String(length=40), nullable=False),
        sa.Column(
            "deleted_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("purged_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("project_id", name=op.f("pk_deleted_projects")),
    )
    op.create_index("ix_deleted_projects_deleted_at", "deleted_projects", ["deleted_at"])


def downgrade() -> None:
    op.drop_table("deleted_projects")
