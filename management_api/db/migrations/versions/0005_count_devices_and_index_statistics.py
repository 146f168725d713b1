"""Count the devices of each project as they come and go, and index the rollups by flow."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

#: A trigger, because the count is then exact for all changes of devices: by the event consumer, which learns the new
#: devices only from the result of its statement, by the erasure of a device, and by a manual repair.
COUNT_DEVICES = """
    CREATE FUNCTION count_devices() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'INSERT' THEN
            -- In the order of the keys, so that two consumers wait for each other and do not deadlock.
            INSERT INTO project_totals AS totals (project_id, devices)
            SELECT project_id, count(*) FROM changed GROUP BY project_id ORDER BY project_id
            ON CONFLICT (project_id) DO UPDATE SET devices = totals.devices + excluded.devices;
        ELSIF TG_OP = 'DELETE' THEN
            UPDATE project_totals AS totals SET devices = totals.devices - gone.devices
            FROM (SELECT project_id, count(*) AS devices FROM changed GROUP BY project_id) AS gone
            WHERE totals.project_id = gone.project_id;
        ELSE
            DELETE FROM project_totals;
        END IF;
        RETURN NULL;
    END
    $$
"""
TRIGGERS = (
    """
    CREATE TRIGGER devices_added AFTER INSERT ON devices REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_devices()
    """,
    """
    CREATE TRIGGER devices_removed AFTER DELETE ON devices REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_devices()
    """,
    "CREATE TRIGGER devices_emptied AFTER TRUNCATE ON devices FOR EACH STATEMENT EXECUTE FUNCTION count_devices()",
)


def upgrade() -> None:
    op.create_table(
        "project_totals",
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("devices", sa.BigInteger(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_project_totals_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", name=op.f("pk_project_totals")),
    )
    op.create_index(
        "ix_daily_activity_project_id_flow_id",
        "daily_activity",
        ["project_id", "flow_id"],
        unique=False,
        postgresql_include=["starts"],
    )
    op.create_index(
        "ix_flow_journeys_project_id_first_completed_at",
        "flow_journeys",
        ["project_id", "first_completed_at"],
        unique=False,
    )
    for columns in (["project_id", "flow_id"], ["project_id", "device_id"]):
        op.create_index(
            f"ix_flow_journeys_{'_'.join(columns)}",
            "flow_journeys",
            columns,
            unique=False,
            postgresql_include=["first_started_at", "first_completed_at"],
        )
    # No transaction adds a device between the count and the triggers.
    op.execute("LOCK TABLE devices IN SHARE ROW EXCLUSIVE MODE")
    op.execute("INSERT INTO project_totals SELECT project_id, count(*) FROM devices GROUP BY project_id")
    op.execute(COUNT_DEVICES)
    for trigger in TRIGGERS:
        op.execute(trigger)


def downgrade() -> None:
    for name in ("devices_added", "devices_removed", "devices_emptied"):
        op.execute(f"DROP TRIGGER {name} ON devices")
    op.execute("DROP FUNCTION count_devices()")
    op.drop_index("ix_flow_journeys_project_id_device_id", table_name="flow_journeys")
    op.drop_index("ix_flow_journeys_project_id_flow_id", table_name="flow_journeys")
    op.drop_index("ix_flow_journeys_project_id_first_completed_at", table_name="flow_journeys")
    op.drop_index("ix_daily_activity_project_id_flow_id", table_name="daily_activity")
    op.drop_table("project_totals")
