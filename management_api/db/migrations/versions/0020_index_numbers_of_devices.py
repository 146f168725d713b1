"""Build the next index of the primary key of devices, which includes the number."""

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

#: The index is built beside requests and consumers.
statement_timeout = "15min"


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        # An interrupted run leaves an invalid index.
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS pk_devices_with_number")
        op.execute("""
            CREATE UNIQUE INDEX CONCURRENTLY pk_devices_with_number ON devices (project_id, device_id) INCLUDE (number)
        """)


def downgrade() -> None:
    op.execute("DROP INDEX IF EXISTS pk_devices_with_number")
