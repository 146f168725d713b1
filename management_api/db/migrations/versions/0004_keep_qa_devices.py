"""Keep the devices of testers, which are always given one flow."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "qa_devices",
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("device_id", sa.Text(), nullable=False),
        sa.Column("flow_id", sa.String(length=40), nullable=False),
        sa.CheckConstraint("char_length(device_id) BETWEEN 1 AND 256", name=op.f("ck_qa_devices_device_id_length")),
        sa.ForeignKeyConstraint(
            ["flow_id", "project_id"], ["flows.id", "flows.project_id"], name="fk_qa_devices_flow", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "device_id", name=op.f("pk_qa_devices")),
    )
    op.create_index("ix_qa_devices_flow_id", "qa_devices", ["flow_id"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_qa_devices_flow_id", table_name="qa_devices")
    op.drop_table("qa_devices")
