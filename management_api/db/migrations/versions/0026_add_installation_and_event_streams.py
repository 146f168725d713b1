"""Add the id of the database, and the event streams that have had a consumer group.

Publishers compare the id with that in Redis. A release before this one reads neither table.
"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "installation",
        sa.Column("id", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_installation")),
    )
    op.execute("INSERT INTO installation VALUES (replace(gen_random_uuid()::text, '-', ''))")
    op.create_table(
        "event_streams",
        sa.Column("stream", sa.Text(), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("lost_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("stream", name=op.f("pk_event_streams")),
    )


def downgrade() -> None:
    op.drop_table("event_streams")
    op.drop_table("installation")
