"""Add the checkpoints of statistics in large projects.

Release 0.2.0 neither reads nor writes them. A chore makes them after the upgrade; until then statistics read all days.
"""

import sqlalchemy as sa
from alembic import op

revision = "0064"
down_revision = "0063"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "rollup_checkpoints",
        sa.Column("project_id", sa.String(40), nullable=False),
        sa.Column("before", sa.Date(), nullable=False),
        sa.Column("flow_id", sa.Text(), nullable=False),
        sa.Column("last_row_id", sa.BigInteger(), nullable=False),
        sa.Column("devices", sa.LargeBinary(), nullable=False),
        sa.Column("starts", sa.LargeBinary(), nullable=True),
        sa.Column("completed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_rollup_checkpoints_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "before", "flow_id", name=op.f("pk_rollup_checkpoints")),
    )
    # Readers take single values out of it, which PostgreSQL can only where it does not compress.
    op.execute("ALTER TABLE rollup_checkpoints ALTER COLUMN starts SET STORAGE EXTERNAL")


def downgrade() -> None:
    op.drop_table("rollup_checkpoints")
