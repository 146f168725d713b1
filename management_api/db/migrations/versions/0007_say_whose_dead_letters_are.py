"""Say whose dead letters are and how often they have failed, so that they go with their project and can be replayed."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    now = sa.text("clock_timestamp()")
    op.add_column("dead_letters", sa.Column("project_id", sa.String(length=40), nullable=True))
    op.add_column("dead_letters", sa.Column("attempts", sa.Integer(), server_default="1", nullable=False))
    op.add_column(
        "dead_letters", sa.Column("last_failed_at", sa.DateTime(timezone=True), server_default=now, nullable=False)
    )
    op.add_column("dead_letters", sa.Column("replayed_at", sa.DateTime(timezone=True), nullable=True))
    op.execute("UPDATE dead_letters SET last_failed_at = created_at")
    # A record holds its project's id as it is; the first one in it is its own.
    op.execute("""
        UPDATE dead_letters SET project_id = projects.id
        FROM projects
        WHERE projects.id = substring(encode(body, 'escape') from 'proj_[0-7][0-9a-hjkmnp-tv-z]{25}')
    """)
    # Dead letters of deleted projects are deleted, too.
    op.execute("""
        DELETE FROM dead_letters
        WHERE project_id IS NULL AND encode(body, 'escape') ~ 'proj_[0-7][0-9a-hjkmnp-tv-z]{25}'
    """)
    op.create_foreign_key(
        op.f("fk_dead_letters_project_id"), "dead_letters", "projects", ["project_id"], ["id"], ondelete="CASCADE"
    )
    op.create_index("ix_dead_letters_project_id", "dead_letters", ["project_id"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_dead_letters_project_id", table_name="dead_letters")
    op.drop_constraint(op.f("fk_dead_letters_project_id"), "dead_letters", type_="foreignkey")
    for column in ("replayed_at", "last_failed_at", "attempts", "project_id"):
        op.drop_column("dead_letters", column)
