"""Add the creator of each project, for quotas, and the start of each preview link, so that links can be revoked.

A project of a release before this one has no creator, and counts for no quota. A link without a start is valid until
it expires.
"""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("projects", sa.Column("created_by", sa.String(length=40), nullable=True))
    op.create_foreign_key(
        op.f("fk_projects_created_by"), "projects", "users", ["created_by"], ["id"], ondelete="SET NULL"
    )
    op.create_index("ix_projects_created_by", "projects", ["created_by"])
    # The first owner: a creator who has left the project is not known.
    op.execute(
        "UPDATE projects SET created_by = (SELECT user_id FROM members WHERE members.project_id = projects.id"
        " AND role = 'owner' ORDER BY members.created_at, user_id LIMIT 1)"
    )
    op.add_column("preview_links", sa.Column("valid_from", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("preview_links", "valid_from")
    op.drop_column("projects", "created_by")
