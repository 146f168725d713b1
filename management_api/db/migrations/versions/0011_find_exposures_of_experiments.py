"""Find the exposures of an experiment, and note when it last shared out its devices anew."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("experiments", sa.Column("reallocated_at", sa.DateTime(timezone=True), nullable=True))
    # Most exposures are of no experiment, and are not in it.
    op.create_index(
        "ix_exposures_experiment_id",
        "exposures",
        ["project_id", "experiment_id", "device_id"],
        unique=False,
        postgresql_include=["variant", "exposed_at"],
        postgresql_where=sa.text("experiment_id <> ''"),
    )


def downgrade() -> None:
    op.drop_index("ix_exposures_experiment_id", table_name="exposures")
    op.drop_column("experiments", "reallocated_at")
