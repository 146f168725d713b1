"""Add the measures of fonts and the tones of images to media files.

Release 0.2.0 has no media files, and files that were uploaded before stay without both.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0076"
down_revision = "0075"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("media", sa.Column("metrics", postgresql.JSONB(), nullable=True))
    op.add_column("media", sa.Column("tones", postgresql.JSONB(), nullable=True))


def downgrade() -> None:
    op.drop_column("media", "tones")
    op.drop_column("media", "metrics")
