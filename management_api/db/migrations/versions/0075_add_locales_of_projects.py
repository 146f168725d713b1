"""Add the locales of projects.

Release 0.2.0 neither reads nor writes them.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0075"
down_revision = "0074"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("projects", sa.Column("locales", postgresql.ARRAY(sa.Text()), server_default="{en}", nullable=False))
    op.create_check_constraint(op.f("ck_projects_locales"), "projects", "cardinality(locales) BETWEEN 1 AND 40")


def downgrade() -> None:
    op.drop_column("projects", "locales")
