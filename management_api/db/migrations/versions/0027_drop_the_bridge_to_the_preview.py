"""Drop what served the preview 0.1.0 beside release 0.2.0. Neither release 0.2.0 nor this one uses it."""

from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

# Without the two tables that are dropped here.
REMOVE_ACTIVITY = """
    CREATE OR REPLACE FUNCTION remove_activity_of_project() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM events WHERE project_id = OLD.id;
        DELETE FROM exposures WHERE project_id = OLD.id;
        DELETE FROM devices WHERE project_id = OLD.id;
        DELETE FROM activity_cells WHERE project_id = OLD.id;
        RETURN NULL;
    END
    $$
"""
STORE_EVENT_IDS = (
    "store_event_ids_unless_known(uuid[], bigint[], int[], int[], timestamptz, uuid[], bigint[], int[], int[])"
)


def upgrade() -> None:
    op.execute(REMOVE_ACTIVITY)
    op.execute(f"DROP FUNCTION IF EXISTS {STORE_EVENT_IDS}")
    op.execute("DROP TABLE IF EXISTS recent_event_ids_even, recent_event_ids_odd")
    # The one row keeps its key, 0 in a database that has never been one of the preview.
    op.alter_column("event_storage", "turn", new_column_name="id")
    op.drop_column("event_storage", "turn_since")
    op.execute("UPDATE schema_compatibility SET oldest_revision = '0021'")


def downgrade() -> None:
    op.execute("ALTER TABLE event_storage ADD COLUMN turn_since timestamptz NOT NULL DEFAULT clock_timestamp()")
    op.alter_column("event_storage", "id", new_column_name="turn")
