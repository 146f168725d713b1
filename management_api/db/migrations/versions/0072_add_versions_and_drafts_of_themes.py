"""Add versions and drafts of themes.

Release 0.2.0 writes rows of `themes` alone. Until a later release drops it, a deferred trigger compares a row with the
live version at the end of the transaction, and stores a difference as a version.
"""

from datetime import datetime

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0072"
down_revision = "0071"
branch_labels = None
depends_on = None

#: Stores the row of a theme as its live version if they differ. Members that release 0.2.0 does not have stay.
RECORD = """
CREATE OR REPLACE FUNCTION record_theme_row(id_of_theme text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    theme themes;
    newest record;
    present jsonb;
BEGIN
    SELECT * INTO theme FROM themes WHERE id = id_of_theme;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT number, document INTO newest FROM theme_versions WHERE theme_id = theme.id ORDER BY number DESC LIMIT 1;
    present := coalesce(newest.document, '{"schema": 1}') || jsonb_build_object(
        'name', theme.name, 'description', theme.description, 'colors', theme.colors,
        'typography', theme.typography, 'borderRadius', theme.border_radius
    );
    IF newest.document IS NOT DISTINCT FROM present THEN
        RETURN;
    END IF;
    INSERT INTO theme_versions (theme_id, number, project_id, origin, document) VALUES (
        theme.id, coalesce(newest.number, 0) + 1, theme.project_id,
        CASE WHEN newest.number IS NULL THEN 'created' ELSE 'direct' END, present
    );
    UPDATE themes SET live_version = coalesce(newest.number, 0) + 1 WHERE id = theme.id;
END
$$
"""
RECORD_THEME = """
CREATE OR REPLACE FUNCTION record_theme() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM record_theme_row(NEW.id);
    RETURN NULL;
END
$$
"""
TRIGGER = """
CREATE CONSTRAINT TRIGGER record_theme
AFTER INSERT OR UPDATE OF name, description, colors, typography, border_radius ON themes DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION record_theme()
"""


def upgrade() -> None:
    op.create_table(
        "theme_versions",
        sa.Column("theme_id", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.String(40), nullable=False),
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("restored_from", sa.Integer(), nullable=True),
        sa.Column("document", postgresql.JSONB(), nullable=False),
        _moment("created_at"),
        sa.Column("created_by", sa.String(40), nullable=True),
        sa.CheckConstraint(
            "origin IN ('created', 'direct', 'published', 'restored', 'scheduled')",
            name=op.f("ck_theme_versions_origin"),
        ),
        sa.CheckConstraint("number > 0", name=op.f("ck_theme_versions_number")),
        sa.CheckConstraint("char_length(note) <= 500", name=op.f("ck_theme_versions_note_length")),
        sa.CheckConstraint("jsonb_typeof(document) = 'object'", name=op.f("ck_theme_versions_document")),
        _theme_key("theme_versions"),
        sa.PrimaryKeyConstraint("theme_id", "number", name=op.f("pk_theme_versions")),
    )
    op.create_table(
        "theme_drafts",
        sa.Column("theme_id", sa.String(40), nullable=False),
        sa.Column("project_id", sa.String(40), nullable=False),
        sa.Column("document", postgresql.JSONB(), nullable=False),
        sa.Column("base_version", sa.Integer(), nullable=False),
        _moment("updated_at"),
        sa.Column("updated_by", sa.String(40), nullable=False),
        sa.CheckConstraint("jsonb_typeof(document) = 'object'", name=op.f("ck_theme_drafts_document")),
        _theme_key("theme_drafts"),
        sa.PrimaryKeyConstraint("theme_id", name=op.f("pk_theme_drafts")),
    )
    op.create_index("ix_theme_drafts_project_id", "theme_drafts", ["project_id"])
    # A constant default is no rewrite of the table.
    op.add_column("themes", sa.Column("live_version", sa.Integer(), server_default="0", nullable=False))
    for statement in (RECORD, RECORD_THEME, TRIGGER):
        op.execute(statement)


def downgrade() -> None:
    op.execute("DROP TRIGGER record_theme ON themes")
    for function in ("record_theme()", "record_theme_row(text)"):
        op.execute(f"DROP FUNCTION {function}")
    op.drop_column("themes", "live_version")
    op.drop_table("theme_drafts")
    op.drop_table("theme_versions")


def _moment(name: str) -> sa.Column[datetime]:
    return sa.Column(name, sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False)


def _theme_key(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["theme_id", "project_id"],
        ["themes.id", "themes.project_id"],
        name=f"fk_{table}_theme",
        ondelete="CASCADE",
    )
