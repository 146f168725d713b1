"""Add the groups of the identity provider that give roles: what was applied to a user, and which members they made.

Release 0.2.0 makes members by hand, which is the default of the column.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0068"
down_revision = "0067"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("users", sa.Column("groups_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("users", sa.Column("group_roles", JSONB(), nullable=True))
    op.add_column("members", sa.Column("from_groups", sa.Boolean(), server_default="false", nullable=False))


def downgrade() -> None:
    op.drop_column("members", "from_groups")
    op.drop_column("users", "group_roles")
    op.drop_column("users", "groups_at")
