"""Add the counts of completed experiments, and the time of the last reset of the assignments.

Release 0.2.0 reads neither.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "experiment_counts",
        sa.Column("experiment_id", sa.String(40), nullable=False),
        sa.Column("variants", JSONB(), nullable=False),
        sa.Column("counted_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["experiment_id"],
            ["experiments.id"],
            name=op.f("fk_experiment_counts_experiment_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("experiment_id", name=op.f("pk_experiment_counts")),
    )
    op.add_column("experiments", sa.Column("reset_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("experiments", "reset_at")
    op.drop_table("experiment_counts")
