"""Add the totals of flows in large projects.

Release 0.2.0 neither reads nor writes them. A chore fills them after the upgrade; until then reads count the rollups.
"""

import sqlalchemy as sa
from alembic import op

revision = "0063"
down_revision = "0058"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "flow_totals",
        sa.Column("project_id", sa.String(40), nullable=False),
        sa.Column("flow_id", sa.Text(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=False),
        sa.Column("completed", sa.BigInteger(), nullable=False),
        sa.Column("covered", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_flow_totals_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "flow_id", name=op.f("pk_flow_totals")),
    )


def downgrade() -> None:
    op.drop_table("flow_totals")
