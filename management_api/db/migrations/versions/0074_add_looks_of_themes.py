"""Add the looks of themes.

Release 0.2.0 neither reads nor writes them.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0074"
down_revision = "0073"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("themes", sa.Column("looks", postgresql.JSONB(), server_default="{}", nullable=False))
    op.create_check_constraint(op.f("ck_themes_looks"), "themes", "jsonb_typeof(looks) = 'object'")


def downgrade() -> None:
    op.drop_column("themes", "looks")
