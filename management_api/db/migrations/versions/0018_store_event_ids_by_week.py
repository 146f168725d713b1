"""Store event ids by the week of their receipt.

Consumers of the release before go on with their two tables: the function that they call stores each id in `event_ids`
too, and finds there the ids that newer consumers have stored. So both may run at once, in either order.
"""

import sqlalchemy as sa
from alembic import context, op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

ARGUMENTS = """
    digests uuid[], projects bigint[], firsts integer[], lasts integer[], known_turn_since timestamptz,
    suspects uuid[], suspect_projects bigint[], suspect_firsts integer[], suspect_lasts integer[]
"""
# An id that another consumer is storing is waited for at the unique key of `event_ids`. Where an id is known, the known
# ones are put into the table of the present turn, because the caller looks there next and stores the rest by itself.
# Where all are new, a unique violation means that another consumer of that release was quicker: the caller tries again.
STORE_FOR_RELEASE_BEFORE = f"""
    CREATE OR REPLACE FUNCTION store_event_ids_unless_known({ARGUMENTS})
    RETURNS boolean LANGUAGE plpgsql AS $$
    DECLARE
        this_week date := date_trunc('week', now() AT TIME ZONE 'UTC')::date;
        table_of_turn text;
        any_known boolean;
        former_projects bigint[];
        former_digests uuid[];
    BEGIN
        SELECT CASE turn % 2 WHEN 0 THEN 'recent_event_ids_even' ELSE 'recent_event_ids_odd' END
        INTO STRICT table_of_turn FROM event_storage WHERE turn >= 0 FOR SHARE;
        WITH given AS MATERIALIZED (
            SELECT listed.project, digest FROM unnest(projects, firsts, lasts) AS listed (project, first, last)
            CROSS JOIN LATERAL unnest(digests[listed.first:listed.last]) AS digest
        ), stored AS (
            INSERT INTO event_ids (project, digest, week)
            SELECT project, uuid_send(digest), this_week FROM given
            WHERE NOT EXISTS (
                SELECT FROM event_ids AS known
                WHERE known.project = given.project AND known.digest = uuid_send(given.digest) OFFSET 0
            ) AND NOT EXISTS (
                SELECT FROM recent_event_ids_even AS known
                WHERE known.project = given.project AND known.digest = given.digest OFFSET 0
            ) AND NOT EXISTS (
                SELECT FROM recent_event_ids_odd AS known
                WHERE known.project = given.project AND known.digest = given.digest OFFSET 0
            )
            ON CONFLICT DO NOTHING
            RETURNING event_ids.digest
        ), compared AS (
            SELECT project, digest, uuid_send(digest) NOT IN (SELECT stored.digest FROM stored) AS is_known FROM given
        )
        SELECT coalesce(bool_or(is_known), false),
            coalesce(array_agg(project) FILTER (WHERE is_known), array_agg(project)),
            coalesce(array_agg(digest) FILTER (WHERE is_known), array_agg(digest))
        INTO any_known, former_projects, former_digests FROM compared;
        EXECUTE format(
            'INSERT INTO %I (project, digest) SELECT * FROM unnest($1, $2) %s',
            table_of_turn, CASE WHEN any_known THEN 'ON CONFLICT DO NOTHING' ELSE '' END
        ) USING former_projects, former_digests;
        RETURN NOT any_known;
    END $$
"""
# Where there are ids to carry over. Consumers make all further partitions.
MAKE_PARTITIONS = """
    DO $$
    DECLARE
        week date := date_trunc('week', now() AT TIME ZONE 'UTC')::date;
    BEGIN
        IF EXISTS (SELECT FROM recent_event_ids_even) OR EXISTS (SELECT FROM recent_event_ids_odd) THEN
            FOR n IN 0..1 LOOP
                EXECUTE format(
                    'CREATE TABLE event_ids_%s PARTITION OF event_ids FOR VALUES FROM (%L) TO (%L)',
                    to_char(week + 7 * n, 'YYYY_MM_DD'), week + 7 * n, week + 7 * (n + 1)
                );
            END LOOP;
        END IF;
    END $$
"""
PROJECT_KEY = "('x' || encode(substring(sha256(convert_to(OLD.id, 'UTF8')) FOR 8), 'hex'))::bit(64)::bigint"
REMOVE_IDS = f"""
    CREATE FUNCTION remove_event_ids_of_project() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM event_ids WHERE project = {PROJECT_KEY};
        RETURN NULL;
    END $$
"""


def upgrade() -> None:
    op.create_table(
        "event_ids",
        sa.Column("project", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("week", sa.Date(), nullable=False),
        sa.PrimaryKeyConstraint("project", "digest", "week", name=op.f("pk_event_ids")),
        postgresql_partition_by="RANGE (week)",
    )
    op.execute("CREATE TABLE event_ids_default PARTITION OF event_ids DEFAULT")
    op.execute(MAKE_PARTITIONS)
    op.execute(REMOVE_IDS)
    op.execute("""
        CREATE TRIGGER event_ids_removed AFTER DELETE ON projects
        FOR EACH ROW EXECUTE FUNCTION remove_event_ids_of_project()
    """)
    op.execute(STORE_FOR_RELEASE_BEFORE)
    # Releases before 0014 store ids by other ways, which nothing here sees.
    op.execute("DROP FUNCTION store_event_ids_if_new(uuid[], bigint[], integer[], integer[])")
    op.execute("UPDATE schema_compatibility SET oldest_revision = greatest(oldest_revision, '0014')")


def downgrade() -> None:
    op.execute("DROP TRIGGER event_ids_removed ON projects")
    op.execute("DROP FUNCTION remove_event_ids_of_project()")
    op.drop_table("event_ids")
    for revision in ("0013", "0014"):
        function = context.script.get_revision(revision).module.STORE_IF_NEW
        op.execute(function.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION"))
    op.execute("UPDATE schema_compatibility SET oldest_revision = '0011'")
