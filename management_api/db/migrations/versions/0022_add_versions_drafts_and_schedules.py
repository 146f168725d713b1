"""Add versions, drafts and schedules of flows. The only table that others use and that is locked is `flows`."""

from datetime import datetime

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "flow_versions",
        sa.Column("flow_id", sa.String(length=40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("restored_from", sa.Integer(), nullable=True),
        sa.Column("document", postgresql.JSONB(), nullable=False),
        _moment("created_at"),
        sa.Column("created_by", sa.String(length=40), nullable=True),
        sa.CheckConstraint(
            "origin IN ('created', 'direct', 'published', 'restored', 'scheduled')",
            name=op.f("ck_flow_versions_origin"),
        ),
        sa.CheckConstraint("number > 0", name=op.f("ck_flow_versions_number")),
        sa.CheckConstraint("char_length(note) <= 500", name=op.f("ck_flow_versions_note_length")),
        sa.CheckConstraint("jsonb_typeof(document) = 'object'", name=op.f("ck_flow_versions_document")),
        _flow_key("flow_versions"),
        sa.PrimaryKeyConstraint("flow_id", "number", name=op.f("pk_flow_versions")),
    )
    op.create_index("ix_flow_versions_project_id", "flow_versions", ["project_id"])
    op.create_table(
        "flow_drafts",
        sa.Column("flow_id", sa.String(length=40), nullable=False),
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("document", postgresql.JSONB(), nullable=False),
        sa.Column("base_version", sa.Integer(), nullable=False),
        _moment("updated_at"),
        sa.Column("updated_by", sa.String(length=40), nullable=False),
        sa.CheckConstraint("jsonb_typeof(document) = 'object'", name=op.f("ck_flow_drafts_document")),
        _flow_key("flow_drafts"),
        sa.PrimaryKeyConstraint("flow_id", name=op.f("pk_flow_drafts")),
    )
    op.create_index("ix_flow_drafts_project_id", "flow_drafts", ["project_id"])
    op.create_table(
        "draft_approvals",
        sa.Column("flow_id", sa.String(length=40), nullable=False),
        sa.Column("user_id", sa.String(length=40), nullable=False),
        _moment("created_at"),
        sa.ForeignKeyConstraint(
            ["flow_id"], ["flow_drafts.flow_id"], name=op.f("fk_draft_approvals_flow_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("flow_id", "user_id", name=op.f("pk_draft_approvals")),
    )
    op.create_table(
        "flow_schedules",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("flow_id", sa.String(length=40), nullable=False),
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("draft_tag", sa.Text(), nullable=True),
        sa.Column("run_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), server_default="pending", nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("created_by", sa.String(length=40), nullable=False),
        _moment("created_at"),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "action IN ('publish', 'restore', 'activate', 'archive')", name=op.f("ck_flow_schedules_action")
        ),
        sa.CheckConstraint("state IN ('pending', 'done', 'failed', 'cancelled')", name=op.f("ck_flow_schedules_state")),
        sa.CheckConstraint("char_length(note) <= 500", name=op.f("ck_flow_schedules_note_length")),
        _flow_key("flow_schedules"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_flow_schedules")),
    )
    op.create_index("ix_flow_schedules_flow_id_created_at", "flow_schedules", ["flow_id", "created_at"])
    op.create_index("ix_flow_schedules_project_id", "flow_schedules", ["project_id"])
    op.create_index(
        "ix_flow_schedules_run_at", "flow_schedules", ["run_at"], postgresql_where=sa.text("state = 'pending'")
    )


def downgrade() -> None:
    op.drop_table("flow_schedules")
    op.drop_table("draft_approvals")
    op.drop_table("flow_drafts")
    op.drop_table("flow_versions")


def _moment(name: str) -> sa.Column[datetime]:
    return sa.Column(name, sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False)


def _flow_key(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["flow_id", "project_id"], ["flows.id", "flows.project_id"], name=f"fk_{table}_flow", ondelete="CASCADE"
    )
