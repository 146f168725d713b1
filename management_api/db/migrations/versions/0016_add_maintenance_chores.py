"""Add a table with the last success, and the present failure, of each maintenance chore."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "maintenance_chores",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("succeeded_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failing_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_maintenance_chores")),
    )


def downgrade() -> None:
    op.drop_table("maintenance_chores")
