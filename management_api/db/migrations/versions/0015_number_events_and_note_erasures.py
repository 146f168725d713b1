"""Number events in the order of their storing, and note erasures until nothing of the device is left."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("CREATE SEQUENCE event_stored_no")
    # Two steps, because a column that is added with a volatile default rewrites the table. Events that are there have
    # none. The consumer of the release before leaves the column out and gets the default.
    op.add_column("events", sa.Column("stored_no", sa.BigInteger(), nullable=True))
    op.alter_column("events", "stored_no", server_default=sa.text("nextval('event_stored_no'::regclass)"))
    op.create_table(
        "pending_erasures",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("device_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("last_stored_no", sa.BigInteger(), nullable=False),
        sa.Column("last_dead_letter_id", sa.BigInteger(), nullable=False),
        sa.Column("noted_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_pending_erasures_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pending_erasures")),
    )


def downgrade() -> None:
    op.drop_table("pending_erasures")
    op.drop_column("events", "stored_no")
    op.execute("DROP SEQUENCE event_stored_no")
