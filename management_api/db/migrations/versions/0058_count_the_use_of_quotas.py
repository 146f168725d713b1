"""Add what each project has used of its quotas on the present day.

Release 0.2.0 neither reads nor writes it: events that its consumers store are not counted.
"""

import sqlalchemy as sa
from alembic import op

revision = "0058"
down_revision = "0052"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "project_usage",
        sa.Column("project_id", sa.String(40), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("events", sa.BigInteger(), nullable=False),
        sa.Column("property_bytes", sa.BigInteger(), nullable=False),
        sa.Column("new_devices", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_project_usage_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", name=op.f("pk_project_usage")),
    )
    op.create_index("ix_project_usage_day", "project_usage", ["day"])


def downgrade() -> None:
    op.drop_table("project_usage")
