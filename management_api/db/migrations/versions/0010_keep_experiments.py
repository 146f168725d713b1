"""Keep experiments."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0010"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "experiments",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("hypothesis", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), server_default="draft", nullable=False),
        sa.Column("conditions", postgresql.JSONB(), server_default="[]", nullable=False),
        sa.Column("traffic_buckets", sa.Integer(), server_default="10000", nullable=False),
        sa.Column("variants", postgresql.JSONB(), nullable=False),
        sa.Column("primary_event", sa.Text(), nullable=False),
        sa.Column("winner", sa.Text(), nullable=True),
        sa.Column("salt_version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column(
            "updated_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.CheckConstraint("char_length(name) BETWEEN 1 AND 100", name=op.f("ck_experiments_name_length")),
        sa.CheckConstraint("char_length(hypothesis) <= 1000", name=op.f("ck_experiments_hypothesis_length")),
        sa.CheckConstraint("status IN ('draft', 'running', 'paused', 'completed')", name=op.f("ck_experiments_status")),
        sa.CheckConstraint("jsonb_typeof(conditions) = 'array'", name=op.f("ck_experiments_conditions")),
        sa.CheckConstraint("traffic_buckets BETWEEN 0 AND 10000", name=op.f("ck_experiments_traffic_buckets")),
        sa.CheckConstraint("jsonb_typeof(variants) = 'array'", name=op.f("ck_experiments_variants")),
        sa.CheckConstraint("salt_version > 0", name=op.f("ck_experiments_salt_version")),
        sa.CheckConstraint("(status = 'draft') = (started_at IS NULL)", name=op.f("ck_experiments_started_at")),
        sa.CheckConstraint("(status = 'completed') = (ended_at IS NOT NULL)", name=op.f("ck_experiments_ended_at")),
        sa.CheckConstraint("winner IS NULL OR status = 'completed'", name=op.f("ck_experiments_winner")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_experiments_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_experiments")),
    )
    op.create_index("ix_experiments_project_id_created_at", "experiments", ["project_id", "created_at"])
    op.create_index(
        "ix_experiments_under_way",
        "experiments",
        ["project_id"],
        postgresql_where=sa.text("status IN ('running', 'paused')"),
    )


def downgrade() -> None:
    op.drop_table("experiments")
