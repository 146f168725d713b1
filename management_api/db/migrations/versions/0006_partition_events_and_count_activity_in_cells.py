"""Partition the events by the month of their receipt, tell repeated ones by digests, and count activity in cells."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

#: As `recent_event_ids.py` computes both.
PROJECT_KEY = "('x' || encode(substring(sha256(convert_to({id}, 'UTF8')) FOR 8), 'hex'))::bit(64)::bigint"
EVENT_ID_DIGEST = """
    encode(substring(sha256(convert_to(project_id || ' ' || event_id, 'UTF8')) FOR 16), 'hex')::uuid
"""

#: A trigger, because every deletion of a project deletes all of its rows, and a foreign key would be checked for every
#: event. It is the only way by which these tables lose a project; the consumer holds the project's row while it writes.
REMOVE_ACTIVITY = f"""
    CREATE FUNCTION remove_activity_of_project() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        gone bigint := {PROJECT_KEY.format(id="OLD.id")};
    BEGIN
        DELETE FROM events WHERE project_id = OLD.id;
        DELETE FROM exposures WHERE project_id = OLD.id;
        DELETE FROM devices WHERE project_id = OLD.id;
        DELETE FROM activity_cells WHERE project_id = OLD.id;
        DELETE FROM recent_event_ids_even WHERE project = gone;
        DELETE FROM recent_event_ids_odd WHERE project = gone;
        RETURN NULL;
    END
    $$
"""


#: The function and the trigger of revision 0005 that count devices.
COUNT_DEVICES = """
    CREATE FUNCTION count_devices() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'INSERT' THEN
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


def upgrade() -> None:
    _partition_events()
    _remember_event_ids()
    _number_devices()
    _make_cells()
    for table in ("exposures", "devices"):
        op.drop_constraint(f"fk_{table}_project_id", table, type_="foreignkey")
    op.execute(REMOVE_ACTIVITY)
    op.execute("""
        CREATE TRIGGER activity_removed AFTER DELETE ON projects
        FOR EACH ROW EXECUTE FUNCTION remove_activity_of_project()
    """)


def _free_constraint_names(table: str) -> None:
    """Rename the constraints NOT NULL of a table that was called `events`; from PostgreSQL 18 on they have names."""
    op.execute(f"""
        DO $$
        DECLARE
            name text;
        BEGIN
            FOR name IN SELECT conname FROM pg_constraint WHERE conrelid = '{table}'::regclass AND contype = 'n' LOOP
                EXECUTE format(
                    'ALTER TABLE {table} RENAME CONSTRAINT %I TO %I', name, replace(name, 'events_', '{table}_')
                );
            END LOOP;
        END
        $$
    """)


def _partition_events() -> None:
    """Make the partitioned table; what there is becomes its first partition, where it lies."""
    op.execute("ALTER TABLE events RENAME TO events_before_partitions")
    op.execute("ALTER TABLE events_before_partitions DROP CONSTRAINT pk_events")
    op.execute("ALTER TABLE events_before_partitions DROP CONSTRAINT fk_events_project_id")
    op.execute("ALTER INDEX ix_events_project_id_occurred_at RENAME TO ix_events_before_partitions_occurred_at")
    _free_constraint_names("events_before_partitions")
    op.create_table(
        "events",
        sa.Column("project_id", sa.String(length=40), nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("event_id", "event_type", "device_id")),
        *(
            sa.Column(name, sa.Text(), nullable=True)
            for name in ("flow_id", "screen_id", "experiment_id", "variant", "session_id")
        ),
        sa.Column("occurred_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("platform", sa.Text(), nullable=True),
        sa.Column("app_version", sa.Text(), nullable=True),
        sa.Column("properties", sa.dialects.postgresql.JSONB(), server_default="{}", nullable=False),
        postgresql_partition_by="RANGE (received_at)",
    )
    op.create_index("ix_events_project_id_occurred_at", "events", ["project_id", "occurred_at"], unique=False)
    op.execute("CREATE TABLE events_default PARTITION OF events DEFAULT")
    op.execute("""
        DO $$
        DECLARE
            until timestamptz;
        BEGIN
            SELECT date_trunc('month', greatest(max(received_at), now()), 'UTC') + interval '1 month' INTO until
            FROM events_before_partitions HAVING count(*) > 0;
            IF until IS NULL THEN
                DROP TABLE events_before_partitions;
            ELSE
                EXECUTE format(
                    'ALTER TABLE events ATTACH PARTITION events_before_partitions FOR VALUES FROM (MINVALUE) TO (%L)',
                    until
                );
            END IF;
        END
        $$
    """)


def _remember_event_ids() -> None:
    for name in ("even", "odd"):
        op.create_table(
            f"recent_event_ids_{name}",
            sa.Column("project", sa.BigInteger(), autoincrement=False, nullable=False),
            sa.Column("digest", sa.Uuid(), nullable=False),
            sa.PrimaryKeyConstraint("project", "digest", name=op.f(f"pk_recent_event_ids_{name}")),
        )
    op.create_table(
        "event_storage",
        sa.Column("turn", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column(
            "turn_since", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("complete_from", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("turn", name=op.f("pk_event_storage")),
    )
    op.execute("INSERT INTO event_storage (turn) VALUES (0)")
    op.execute(f"""
        INSERT INTO recent_event_ids_even
        SELECT {PROJECT_KEY.format(id="project_id")}, {EVENT_ID_DIGEST} FROM events
        WHERE received_at > now() - interval '8 days'
    """)


def _number_devices() -> None:
    for name in ("devices_added", "devices_removed", "devices_emptied"):
        op.execute(f"DROP TRIGGER {name} ON devices")
    op.execute("DROP FUNCTION count_devices()")
    op.add_column("devices", sa.Column("number", sa.Integer(), nullable=True))
    op.add_column("devices", sa.Column("erased_at", sa.DateTime(timezone=True), nullable=True))
    op.execute("""
        UPDATE devices SET number = numbered.number - 1
        FROM (
            SELECT project_id, device_id, row_number() OVER (PARTITION BY project_id ORDER BY first_seen_at) AS number
            FROM devices
        ) AS numbered
        WHERE numbered.project_id = devices.project_id AND numbered.device_id = devices.device_id
    """)
    op.alter_column("devices", "number", nullable=False)
    op.drop_index("ix_devices_project_id_first_seen_at", table_name="devices")
    op.drop_column("devices", "first_seen_at")
    op.add_column("project_totals", sa.Column("next_number", sa.Integer(), server_default="0", nullable=False))
    op.add_column("project_totals", sa.Column("is_uncounted", sa.Boolean(), server_default="false", nullable=False))
    # Their cells are counted by the first upkeep, or by `onboarding analytics recompute`.
    op.execute("UPDATE project_totals SET next_number = devices, is_uncounted = devices > 0")
    op.create_table(
        "erased_devices",
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("erased_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("pending_number", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_erased_devices_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "digest", name=op.f("pk_erased_devices")),
    )


def _make_cells() -> None:
    op.create_table(
        "activity_cells",
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
        sa.PrimaryKeyConstraint("id", name=op.f("pk_activity_cells")),
    )
    # Bitmaps are as small as they get.
    for column in ("devices", "moments"):
        op.execute(f"ALTER TABLE activity_cells ALTER COLUMN {column} SET STORAGE EXTERNAL")
    op.create_index(
        "ix_activity_cells_place", "activity_cells", ["project_id", "breakdown", "day", "flow_id"], unique=False
    )
    op.create_index(
        "ix_activity_cells_pieces",
        "activity_cells",
        ["project_id", "day"],
        unique=False,
        postgresql_where=sa.text("NOT is_merged"),
    )
    op.drop_table("daily_activity")
    op.drop_table("flow_journeys")


def downgrade() -> None:
    op.execute("DROP TRIGGER activity_removed ON projects")
    op.execute("DROP FUNCTION remove_activity_of_project()")
    for table in ("activity_cells", "erased_devices", "event_storage", "recent_event_ids_odd", "recent_event_ids_even"):
        op.drop_table(table)
    _gather_events()
    _make_rollups()
    for statement in _rollup_statements():
        op.execute(statement)


def _gather_events() -> None:
    """Move the events into one table again."""
    op.execute("ALTER TABLE events RENAME TO partitioned_events")
    op.execute("ALTER INDEX ix_events_project_id_occurred_at RENAME TO ix_partitioned_events")
    _free_constraint_names("partitioned_events")
    op.execute("CREATE TABLE events (LIKE partitioned_events INCLUDING DEFAULTS)")
    op.execute("INSERT INTO events SELECT * FROM partitioned_events")
    op.execute("DROP TABLE partitioned_events")
    op.create_primary_key(op.f("pk_events"), "events", ["project_id", "event_id"])
    op.create_index("ix_events_project_id_occurred_at", "events", ["project_id", "occurred_at"], unique=False)
    for table in ("events", "exposures"):
        op.create_foreign_key(
            op.f(f"fk_{table}_project_id"), table, "projects", ["project_id"], ["id"], ondelete="CASCADE"
        )


def _make_rollups() -> None:
    op.drop_table("devices")
    op.drop_column("project_totals", "is_uncounted")
    op.drop_column("project_totals", "next_number")
    moment, text = sa.DateTime(timezone=True), sa.Text()
    tables: dict[str, tuple[list[sa.Column[Any]], list[str]]] = {
        "devices": (
            [sa.Column("device_id", text, nullable=False), sa.Column("first_seen_at", moment, nullable=False)],
            ["project_id", "device_id"],
        ),
        "daily_activity": (
            [
                sa.Column("day", sa.Date(), nullable=False),
                sa.Column("flow_id", text, nullable=False),
                sa.Column("device_id", text, nullable=False),
                sa.Column("starts", sa.Integer(), server_default="0", nullable=False),
                sa.Column("completions", sa.Integer(), server_default="0", nullable=False),
            ],
            ["project_id", "day", "flow_id", "device_id"],
        ),
        "flow_journeys": (
            [
                sa.Column("flow_id", text, nullable=False),
                sa.Column("device_id", text, nullable=False),
                sa.Column("first_started_at", moment, nullable=True),
                sa.Column("first_completed_at", moment, nullable=True),
            ],
            ["project_id", "flow_id", "device_id"],
        ),
    }
    for name, (columns, key) in tables.items():
        op.create_table(
            name,
            sa.Column("project_id", sa.String(length=40), nullable=False),
            *columns,
            sa.ForeignKeyConstraint(
                ["project_id"], ["projects.id"], name=op.f(f"fk_{name}_project_id"), ondelete="CASCADE"
            ),
            sa.PrimaryKeyConstraint(*key, name=op.f(f"pk_{name}")),
        )
    moments = ["first_started_at", "first_completed_at"]
    op.create_index("ix_devices_project_id_first_seen_at", "devices", ["project_id", "first_seen_at"])
    op.create_index(
        "ix_daily_activity_project_id_flow_id",
        "daily_activity",
        ["project_id", "flow_id"],
        postgresql_include=["starts"],
    )
    op.create_index(
        "ix_flow_journeys_project_id_first_completed_at", "flow_journeys", ["project_id", "first_completed_at"]
    )
    for column in ("flow_id", "device_id"):
        op.create_index(
            f"ix_flow_journeys_project_id_{column}",
            "flow_journeys",
            ["project_id", column],
            postgresql_include=moments,
        )


def _rollup_statements() -> tuple[str, ...]:
    """Count as release 0005 did, and let its triggers count the devices again."""
    sightings = """
        SELECT project_id, device_id, coalesce(flow_id, '') AS flow_id, event_type, occurred_at AS seen_at FROM events
        UNION ALL SELECT project_id, device_id, flow_id, '', exposed_at FROM exposures
    """
    return (
        f"INSERT INTO devices SELECT project_id, device_id, min(seen_at) FROM ({sightings}) AS sightings GROUP BY 1, 2",
        f"""
        INSERT INTO daily_activity
        SELECT project_id, (seen_at AT TIME ZONE 'UTC')::date, flow_id, device_id,
            sum((event_type = 'flow_started')::int), sum((event_type = 'flow_completed')::int)
        FROM ({sightings}) AS sightings GROUP BY 1, 2, 3, 4
        """,
        """
        INSERT INTO flow_journeys
        SELECT project_id, flow_id, device_id,
            min(CASE event_type WHEN 'flow_started' THEN occurred_at END),
            min(CASE event_type WHEN 'flow_completed' THEN occurred_at END)
        FROM events WHERE flow_id IS NOT NULL AND event_type IN ('flow_started', 'flow_completed') GROUP BY 1, 2, 3
        """,
        "DELETE FROM project_totals",
        "INSERT INTO project_totals SELECT project_id, count(*) FROM devices GROUP BY 1",
        COUNT_DEVICES,
        *(
            f"""
            CREATE TRIGGER devices_{name} AFTER {event} ON devices {changed}
            FOR EACH STATEMENT EXECUTE FUNCTION count_devices()
            """
            for name, event, changed in (
                ("added", "INSERT", "REFERENCING NEW TABLE AS changed"),
                ("removed", "DELETE", "REFERENCING OLD TABLE AS changed"),
                ("emptied", "TRUNCATE", ""),
            )
        ),
    )
