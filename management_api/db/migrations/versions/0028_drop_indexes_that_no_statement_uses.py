"""Drop two indexes that no statement uses: versions and schedules are found by their flow."""

from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

TABLES = ("flow_versions", "flow_schedules")


def upgrade() -> None:
    for table in TABLES:
        op.drop_index(f"ix_{table}_project_id", table_name=table)


def downgrade() -> None:
    for table in TABLES:
        op.create_index(f"ix_{table}_project_id", table, ["project_id"])
