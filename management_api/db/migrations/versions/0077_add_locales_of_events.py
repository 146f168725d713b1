"""Add the languages of events, and their rollups.

Release 0.2.0 neither reads nor writes them.
"""

import sqlalchemy as sa
from alembic import op

revision = "0077"
down_revision = "0076"
branch_labels = None
depends_on = None

KEYS = ("event_type", "flow_id", "screen_id", "experiment_id", "variant", "platform", "locale")
#: Rollups have no foreign keys, so a trigger empties a deleted project.
DELETION = """
    CREATE FUNCTION remove_locale_cells_of_project() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM locale_cells WHERE project_id = OLD.id;
        RETURN NULL;
    END
    $$;
    CREATE TRIGGER locale_cells_removed AFTER DELETE ON projects
        FOR EACH ROW EXECUTE FUNCTION remove_locale_cells_of_project();
"""


def upgrade() -> None:
    op.add_column("events", sa.Column("locale", sa.Text(), nullable=True))
    op.create_table(
        "locale_cells",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("project_id", sa.String(40), nullable=False),
        sa.Column("breakdown", sa.Text(), nullable=False),
        sa.Column("day", sa.Date(), nullable=True),
        *(sa.Column(name, sa.Text(), nullable=True) for name in KEYS),
        sa.Column("events", sa.BigInteger(), nullable=False),
        sa.Column("devices", sa.LargeBinary(), nullable=False),
        sa.Column("moments", sa.LargeBinary(), nullable=True),
        sa.Column("is_merged", sa.Boolean(), server_default="false", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_locale_cells")),
    )
    # Bitmaps are compressed already.
    op.execute("ALTER TABLE locale_cells ALTER COLUMN devices SET STORAGE EXTERNAL")
    op.execute("ALTER TABLE locale_cells ALTER COLUMN moments SET STORAGE EXTERNAL")
    op.create_index("ix_locale_cells_place", "locale_cells", ["project_id", "day", "flow_id"])
    op.create_index(
        "ix_locale_cells_pieces", "locale_cells", ["project_id", "day"], postgresql_where=sa.text("NOT is_merged")
    )
    op.execute(DELETION)


def downgrade() -> None:
    op.execute("DROP TRIGGER locale_cells_removed ON projects")
    op.execute("DROP FUNCTION remove_locale_cells_of_project()")
    op.drop_table("locale_cells")
    op.drop_column("events", "locale")
