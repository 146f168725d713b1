"""Add the records that rollups do not count yet, and the names of events that statistics count apart.

Release 0.2.0 counts in the transaction of each batch, and neither reads nor writes the new tables and the new column.
"""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "uncounted_batches",
        sa.Column("project_id", sa.String(40), nullable=False),
        sa.Column(
            "stored_no", sa.BigInteger(), server_default=sa.text("nextval('event_stored_no'::regclass)"), nullable=False
        ),
        sa.Column("stored_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("events", sa.Integer(), nullable=False),
        sa.Column("records", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_uncounted_batches_project_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("project_id", "stored_no", name=op.f("pk_uncounted_batches")),
    )
    op.create_table(
        "event_types",
        sa.Column("project_id", sa.String(40), nullable=False),
        sa.Column("event_type", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_event_types_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "event_type", name=op.f("pk_event_types")),
    )
    op.add_column("erased_devices", sa.Column("last_stored_no", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.drop_column("erased_devices", "last_stored_no")
    op.drop_table("event_types")
    op.drop_table("uncounted_batches")
