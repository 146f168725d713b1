"""Make the index with the number the one of the primary key of devices.

Results of experiments then read the number of each device from the index alone. `ON CONFLICT (project_id, device_id)`
of the release before finds the index by its columns.
"""

from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        ALTER TABLE devices
        DROP CONSTRAINT pk_devices, ADD CONSTRAINT pk_devices PRIMARY KEY USING INDEX pk_devices_with_number
    """)


def downgrade() -> None:
    op.execute("""
        ALTER TABLE devices
        DROP CONSTRAINT pk_devices, ADD CONSTRAINT pk_devices PRIMARY KEY (project_id, device_id)
    """)
