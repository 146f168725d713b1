"""Add media files of projects.

Release 0.2.0 neither reads nor writes them.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0067"
down_revision = "0066"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "media",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("project_id", sa.String(40), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("alt", sa.Text(), server_default="", nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("width", sa.Integer(), nullable=True),
        sa.Column("height", sa.Integer(), nullable=True),
        sa.Column("duration_seconds", sa.Float(), nullable=True),
        sa.Column("family", sa.Text(), nullable=True),
        sa.Column("weight", sa.Integer(), nullable=True),
        sa.Column("style", sa.Text(), nullable=True),
        sa.Column("placeholder_color", sa.Text(), nullable=True),
        sa.Column("focal_point", postgresql.JSONB(), nullable=True),
        sa.Column("dark_media_id", sa.String(40), nullable=True),
        sa.Column("poster_media_id", sa.String(40), nullable=True),
        sa.Column("upload_digest", sa.Text(), nullable=False),
        sa.Column("stored_bytes", sa.BigInteger(), nullable=False),
        sa.Column("files", postgresql.JSONB(), nullable=False),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column(
            "updated_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("created_by", sa.String(40), nullable=True),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("char_length(name) BETWEEN 1 AND 100", name=op.f("ck_media_name_length")),
        sa.CheckConstraint("char_length(alt) <= 300", name=op.f("ck_media_alt_length")),
        sa.CheckConstraint("kind IN ('image', 'animation', 'lottie', 'video', 'font')", name=op.f("ck_media_kind")),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_media_project_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["created_by"], ["users.id"], name=op.f("fk_media_created_by"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_media")),
        sa.UniqueConstraint("id", "project_id", name=op.f("uq_media_id_project_id")),
    )
    for column, name in (("dark_media_id", "fk_media_dark"), ("poster_media_id", "fk_media_poster")):
        op.create_foreign_key(
            name,
            "media",
            "media",
            [column, "project_id"],
            ["id", "project_id"],
            ondelete=f"SET NULL ({column})",
        )
        op.create_index(f"ix_media_{column}", "media", [column])
    op.create_index("ix_media_project_id_created_at", "media", ["project_id", "created_at"])
    op.create_index("ix_media_created_by", "media", ["created_by"])
    op.create_index("ix_media_deleted_at", "media", ["deleted_at"], postgresql_where=sa.text("deleted_at IS NOT NULL"))
    op.create_table(
        "media_objects",
        sa.Column("project_id", sa.String(40), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("media_id", sa.String(40), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_media_objects_project_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["media_id"], ["media.id"], name=op.f("fk_media_objects_media_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("project_id", "name", "media_id", name=op.f("pk_media_objects")),
    )
    op.create_index("ix_media_objects_media_id", "media_objects", ["media_id"])


def downgrade() -> None:
    op.drop_table("media_objects")
    op.drop_table("media")
