"""Add the count of devices whose ids are deleted for their age, and the mark of keyed digests.

Release 0.2.0 reads neither, and inserts rows with the defaults.
"""

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("project_totals", sa.Column("aged_devices", sa.BigInteger(), server_default="0", nullable=False))
    op.add_column("project_totals", sa.Column("aged_to", sa.Date(), nullable=True))
    op.add_column("erased_devices", sa.Column("is_keyed", sa.Boolean(), server_default="false", nullable=False))


def downgrade() -> None:
    op.drop_column("erased_devices", "is_keyed")
    op.drop_column("project_totals", "aged_to")
    op.drop_column("project_totals", "aged_devices")
