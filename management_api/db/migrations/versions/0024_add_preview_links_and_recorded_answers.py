"""Add preview links of flows, and the project setting for the answers of hosted pages."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # A constant default: the table is not rewritten, and release 0.2.0 goes on inserting.
    op.add_column("projects", sa.Column("record_answers", sa.Boolean(), server_default="false", nullable=False))
    op.create_table(
        "preview_links",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("flow_id", sa.String(length=40), nullable=False),
        sa.Column("draft", sa.Boolean(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_by", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(
            ["flow_id", "project_id"],
            ["flows.id", "flows.project_id"],
            name="fk_preview_links_flow",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_preview_links")),
    )
    op.create_index("ix_preview_links_flow_id", "preview_links", ["flow_id"])
    op.create_index("ix_preview_links_project_id", "preview_links", ["project_id"])
    op.create_index("ix_preview_links_expires_at", "preview_links", ["expires_at"])


def downgrade() -> None:
    op.drop_table("preview_links")
    op.drop_column("projects", "record_answers")
