"""Create the tables of the spine."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "dead_letters",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("stream", sa.Text(), nullable=False),
        sa.Column("entry_id", sa.Text(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dead_letters")),
        sa.UniqueConstraint("stream", "entry_id", name=op.f("uq_dead_letters_stream_entry_id")),
    )
    op.create_table(
        "projects",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("platforms", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("default_flow_id", sa.String(length=40), nullable=True),
        sa.Column("analytics_enabled", sa.Boolean(), server_default="true", nullable=False),
        sa.Column("custom_domain", sa.Text(), nullable=True),
        sa.Column("public_key_sealed", sa.LargeBinary(), nullable=False),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column(
            "updated_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.CheckConstraint(
            "platforms <@ ARRAY['ios', 'android'] AND cardinality(platforms) BETWEEN 1 AND 2",
            name=op.f("ck_projects_platforms"),
        ),
        sa.CheckConstraint("char_length(description) <= 200", name=op.f("ck_projects_description_length")),
        sa.CheckConstraint("char_length(name) BETWEEN 3 AND 50", name=op.f("ck_projects_name_length")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_projects")),
    )
    op.create_index("ix_projects_default_flow_id", "projects", ["default_flow_id"], unique=False)
    op.create_table(
        "publications",
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("wanted_revision", sa.BigInteger(), server_default="1", nullable=False),
        sa.Column("published_revision", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("deleted", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("claimed_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "updated_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.CheckConstraint(
            "0 <= published_revision AND published_revision <= wanted_revision", name=op.f("ck_publications_revisions")
        ),
        sa.PrimaryKeyConstraint("project_id", name=op.f("pk_publications")),
    )
    op.create_index(
        "ix_publications_waiting",
        "publications",
        ["updated_at"],
        unique=False,
        postgresql_where=sa.text("published_revision < wanted_revision"),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("issuer", "subject", name=op.f("uq_users_issuer_subject")),
    )
    op.create_table(
        "api_keys",
        sa.Column("user_id", sa.String(length=40), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_api_keys_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_api_keys")),
        sa.UniqueConstraint("digest", name=op.f("uq_api_keys_digest")),
    )
    op.create_table(
        "daily_activity",
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("flow_id", sa.Text(), nullable=False),
        sa.Column("device_id", sa.Text(), nullable=False),
        sa.Column("starts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("completions", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_daily_activity_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "day", "flow_id", "device_id", name=op.f("pk_daily_activity")),
    )
    op.create_table(
        "devices",
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("device_id", sa.Text(), nullable=False),
        sa.Column("first_seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_devices_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "device_id", name=op.f("pk_devices")),
    )
    op.create_index("ix_devices_project_id_first_seen_at", "devices", ["project_id", "first_seen_at"], unique=False)
    op.create_table(
        "events",
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("event_type", sa.Text(), nullable=False),
        sa.Column("device_id", sa.Text(), nullable=False),
        sa.Column("flow_id", sa.Text(), nullable=True),
        sa.Column("screen_id", sa.Text(), nullable=True),
        sa.Column("experiment_id", sa.Text(), nullable=True),
        sa.Column("variant", sa.Text(), nullable=True),
        sa.Column("session_id", sa.Text(), nullable=True),
        sa.Column("occurred_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("platform", sa.Text(), nullable=True),
        sa.Column("app_version", sa.Text(), nullable=True),
        sa.Column("properties", postgresql.JSONB(astext_type=sa.Text()), server_default="{}", nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_events_project_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("project_id", "event_id", name=op.f("pk_events")),
    )
    op.create_index("ix_events_project_id_occurred_at", "events", ["project_id", "occurred_at"], unique=False)
    op.create_table(
        "exposures",
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("device_id", sa.Text(), nullable=False),
        sa.Column("flow_id", sa.Text(), nullable=False),
        sa.Column("experiment_id", sa.Text(), server_default="", nullable=False),
        sa.Column("variant", sa.Text(), server_default="", nullable=False),
        sa.Column("exposed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("platform", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_exposures_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint(
            "project_id", "device_id", "flow_id", "experiment_id", "variant", name=op.f("pk_exposures")
        ),
    )
    op.create_table(
        "flow_journeys",
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("flow_id", sa.Text(), nullable=False),
        sa.Column("device_id", sa.Text(), nullable=False),
        sa.Column("first_started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("first_completed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_flow_journeys_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "flow_id", "device_id", name=op.f("pk_flow_journeys")),
    )
    op.create_table(
        "members",
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("user_id", sa.String(length=40), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.CheckConstraint("role IN ('viewer', 'editor', 'admin', 'owner')", name=op.f("ck_members_role")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_members_project_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_members_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("project_id", "user_id", name=op.f("pk_members")),
    )
    op.create_index("ix_members_user_id", "members", ["user_id"], unique=False)
    op.create_table(
        "secret_keys",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_secret_keys_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_secret_keys")),
        sa.UniqueConstraint("digest", name=op.f("uq_secret_keys_digest")),
    )
    op.create_index("ix_secret_keys_project_id", "secret_keys", ["project_id"], unique=False)
    op.create_table(
        "themes",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("is_default", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("colors", postgresql.JSONB(astext_type=sa.Text()), server_default="{}", nullable=False),
        sa.Column("typography", postgresql.JSONB(astext_type=sa.Text()), server_default="{}", nullable=False),
        sa.Column("border_radius", postgresql.JSONB(astext_type=sa.Text()), server_default="{}", nullable=False),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column(
            "updated_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.CheckConstraint("jsonb_typeof(border_radius) = 'object'", name=op.f("ck_themes_border_radius")),
        sa.CheckConstraint("jsonb_typeof(colors) = 'object'", name=op.f("ck_themes_colors")),
        sa.CheckConstraint("jsonb_typeof(typography) = 'object'", name=op.f("ck_themes_typography")),
        sa.CheckConstraint("char_length(description) <= 500", name=op.f("ck_themes_description_length")),
        sa.CheckConstraint("char_length(name) BETWEEN 1 AND 50", name=op.f("ck_themes_name_length")),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_themes_project_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_themes")),
        sa.UniqueConstraint("id", "project_id", name=op.f("uq_themes_id_project_id")),
    )
    op.create_index("ix_themes_project_id_created_at", "themes", ["project_id", "created_at"], unique=False)
    op.create_index("uq_themes_default", "themes", ["project_id"], unique=True, postgresql_where=sa.text("is_default"))
    op.create_table(
        "flows",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), server_default="draft", nullable=False),
        sa.Column("theme_id", sa.String(length=40), nullable=True),
        sa.Column("priority", sa.Integer(), server_default="0", nullable=False),
        sa.Column("rollout_buckets", sa.Integer(), server_default="10000", nullable=False),
        sa.Column("conditions", postgresql.JSONB(astext_type=sa.Text()), server_default="[]", nullable=False),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column(
            "updated_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.CheckConstraint("jsonb_typeof(conditions) = 'array'", name=op.f("ck_flows_conditions")),
        sa.CheckConstraint("status IN ('draft', 'active', 'archived')", name=op.f("ck_flows_status")),
        sa.CheckConstraint("char_length(description) <= 500", name=op.f("ck_flows_description_length")),
        sa.CheckConstraint("char_length(name) BETWEEN 1 AND 100", name=op.f("ck_flows_name_length")),
        sa.CheckConstraint("rollout_buckets BETWEEN 0 AND 10000", name=op.f("ck_flows_rollout_buckets")),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_flows_project_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["theme_id", "project_id"],
            ["themes.id", "themes.project_id"],
            name="fk_flows_theme",
            ondelete="SET NULL (theme_id)",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_flows")),
        sa.UniqueConstraint("id", "project_id", name=op.f("uq_flows_id_project_id")),
    )
    op.create_index("ix_flows_project_id_created_at", "flows", ["project_id", "created_at"], unique=False)
    op.create_index("ix_flows_theme_id", "flows", ["theme_id"], unique=False)
    op.create_table(
        "screens",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("flow_id", sa.String(length=40), nullable=False),
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("content", postgresql.JSONB(astext_type=sa.Text()), server_default="{}", nullable=False),
        sa.Column("settings", postgresql.JSONB(astext_type=sa.Text()), server_default="{}", nullable=False),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column(
            "updated_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.CheckConstraint("jsonb_typeof(content) = 'object'", name=op.f("ck_screens_content")),
        sa.CheckConstraint("jsonb_typeof(settings) = 'object'", name=op.f("ck_screens_settings")),
        sa.CheckConstraint(
            "type IN ('welcome', 'feature', 'permissions', 'signup', 'question_text', 'question_single_choice',"
            " 'question_multiple_choice', 'question_picker', 'paywall', 'custom')",
            name=op.f("ck_screens_type"),
        ),
        sa.CheckConstraint('"order" >= 0', name=op.f("ck_screens_order")),
        sa.CheckConstraint("char_length(name) <= 100", name=op.f("ck_screens_name_length")),
        sa.ForeignKeyConstraint(
            ["flow_id", "project_id"], ["flows.id", "flows.project_id"], name="fk_screens_flow", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_screens")),
        sa.UniqueConstraint(
            "flow_id", "order", deferrable=True, initially="DEFERRED", name=op.f("uq_screens_flow_id_order")
        ),
    )
    op.create_index("ix_screens_project_id", "screens", ["project_id"], unique=False)
    # Projects and flows refer to each other, so this reference comes when both are there.
    op.create_foreign_key(
        "fk_projects_default_flow",
        "projects",
        "flows",
        ["default_flow_id", "id"],
        ["id", "project_id"],
        ondelete="SET NULL (default_flow_id)",
    )


def downgrade() -> None:
    op.drop_constraint("fk_projects_default_flow", "projects", type_="foreignkey")
    op.drop_index("ix_screens_project_id", table_name="screens")
    op.drop_table("screens")
    op.drop_index("ix_flows_theme_id", table_name="flows")
    op.drop_index("ix_flows_project_id_created_at", table_name="flows")
    op.drop_table("flows")
    op.drop_index("uq_themes_default", table_name="themes", postgresql_where=sa.text("is_default"))
    op.drop_index("ix_themes_project_id_created_at", table_name="themes")
    op.drop_table("themes")
    op.drop_index("ix_secret_keys_project_id", table_name="secret_keys")
    op.drop_table("secret_keys")
    op.drop_index("ix_members_user_id", table_name="members")
    op.drop_table("members")
    op.drop_table("flow_journeys")
    op.drop_table("exposures")
    op.drop_index("ix_events_project_id_occurred_at", table_name="events")
    op.drop_table("events")
    op.drop_index("ix_devices_project_id_first_seen_at", table_name="devices")
    op.drop_table("devices")
    op.drop_table("daily_activity")
    op.drop_table("api_keys")
    op.drop_table("users")
    op.drop_index(
        "ix_publications_waiting",
        table_name="publications",
        postgresql_where=sa.text("published_revision < wanted_revision"),
    )
    op.drop_table("publications")
    op.drop_index("ix_projects_default_flow_id", table_name="projects")
    op.drop_table("projects")
    op.drop_table("dead_letters")
