"""Count events by type, with each device's last moment, for the results of experiments.

The cells stand in a table of their own: the release before reads all breakdowns of `activity_cells`. It does not write
these either, so readers compare their numbers of events with those of `activity_cells` (`rollups/conversions.py`).
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "result_cells",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("breakdown", sa.Text(), nullable=False),
        sa.Column("day", sa.Date(), nullable=True),
        *(
            sa.Column(name, sa.Text(), nullable=True)
            for name in ("event_type", "flow_id", "screen_id", "experiment_id", "variant", "platform")
        ),
        sa.Column("events", sa.BigInteger(), nullable=False),
        sa.Column("devices", sa.LargeBinary(), nullable=False),
        sa.Column("moments", sa.LargeBinary(), nullable=True),
        sa.Column("is_merged", sa.Boolean(), server_default="false", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_result_cells")),
    )
    # Bitmaps are as small as they get.
    for column in ("devices", "moments"):
        op.execute(f"ALTER TABLE result_cells ALTER COLUMN {column} SET STORAGE EXTERNAL")
    op.create_index("ix_result_cells_place", "result_cells", ["project_id", "day", "event_type"], unique=False)
    op.create_index(
        "ix_result_cells_pieces",
        "result_cells",
        ["project_id", "day"],
        unique=False,
        postgresql_where=sa.text("NOT is_merged"),
    )
    op.execute("""
        CREATE FUNCTION remove_result_cells_of_project() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            DELETE FROM result_cells WHERE project_id = OLD.id;
            RETURN NULL;
        END
        $$
    """)
    op.execute("""
        CREATE TRIGGER result_cells_removed AFTER DELETE ON projects
        FOR EACH ROW EXECUTE FUNCTION remove_result_cells_of_project()
    """)


def downgrade() -> None:
    op.execute("DROP TRIGGER result_cells_removed ON projects")
    op.execute("DROP FUNCTION remove_result_cells_of_project()")
    op.drop_table("result_cells")
