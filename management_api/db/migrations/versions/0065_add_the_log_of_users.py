"""Add the deactivation of users, and the log of the installation.

Release 0.2.0 accepts the credentials of a deactivated user, so users are deactivated after the upgrade.
"""

import sqlalchemy as sa
from alembic import op

revision = "0065"
down_revision = "0064"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("users", sa.Column("deactivated_at", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "installation_entries",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.func.clock_timestamp(), nullable=False),
        sa.Column("user_id", sa.String(40), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("entity_type", sa.Text(), nullable=False),
        sa.Column("entity_id", sa.String(40), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_installation_entries")),
    )
    op.create_index("ix_installation_entries_at", "installation_entries", ["at"])


def downgrade() -> None:
    op.drop_table("installation_entries")
    op.drop_column("users", "deactivated_at")
