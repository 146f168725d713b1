"""Index rollups by type of events too: the starts of flows are found among the rows of custom events."""

from alembic import op

from management_api.db.migrations.concurrent_indexes import build_concurrently

revision = "0070"
down_revision = "0069"
branch_labels = None
depends_on = None

COLUMNS = "project_id, breakdown, day, flow_id"


def upgrade() -> None:
    with op.get_context().autocommit_block():
        build_concurrently("ix_activity_cells_types", f"ON activity_cells ({COLUMNS}, event_type)")
    op.execute("DROP INDEX IF EXISTS ix_activity_cells_place")


def downgrade() -> None:
    op.execute(f"CREATE INDEX IF NOT EXISTS ix_activity_cells_place ON activity_cells ({COLUMNS})")
    op.execute("DROP INDEX IF EXISTS ix_activity_cells_types")
