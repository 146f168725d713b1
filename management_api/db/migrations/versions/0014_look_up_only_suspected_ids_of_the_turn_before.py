"""Store the ids of a batch, and look up in the table of the turn before only those that it may have."""

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

# `suspects` are the ids that can be in the table of the turn before, in the same form as all ids.
# They hold for one turn; in any other all are looked up. The function of migration 0013 stays for the release before.
# The limit is there for a look-up of each project by the key: a join might read the whole table.
BRANCH = """
    IF EXISTS (
        SELECT FROM unnest(suspect_projects, suspect_firsts, suspect_lasts) AS listed (project, first, last)
        CROSS JOIN LATERAL (
            SELECT FROM recent_event_ids_{former} AS former
            WHERE former.project = listed.project AND former.digest = ANY(suspects[listed.first:listed.last])
            LIMIT 1
        ) AS found
    ) THEN
        RETURN false;
    END IF;
    INSERT INTO recent_event_ids_{current} (project, digest)
    SELECT listed.project, digest FROM unnest(projects, firsts, lasts) AS listed (project, first, last)
    CROSS JOIN LATERAL unnest(digests[listed.first:listed.last]) AS digest;
"""
ARGUMENTS = "uuid[], bigint[], integer[], integer[], timestamptz, uuid[], bigint[], integer[], integer[]"

# Each statement of a volatile function sees what is committed when it begins: so the look-up sees all that was stored
# before the turn was held.
STORE_IF_NEW = f"""
    CREATE FUNCTION store_event_ids_unless_known(
        digests uuid[], projects bigint[], firsts integer[], lasts integer[], known_turn_since timestamptz,
        suspects uuid[], suspect_projects bigint[], suspect_firsts integer[], suspect_lasts integer[]
    )
    RETURNS boolean LANGUAGE plpgsql AS $$
    DECLARE
        is_even boolean;
        this_turn_since timestamptz;
    BEGIN
        SELECT turn % 2 = 0, turn_since INTO STRICT is_even, this_turn_since
        FROM event_storage WHERE turn >= 0 FOR SHARE;
        IF known_turn_since IS DISTINCT FROM this_turn_since THEN
            suspects := digests;
            suspect_projects := projects;
            suspect_firsts := firsts;
            suspect_lasts := lasts;
        END IF;
        IF is_even THEN
            {BRANCH.format(current="even", former="odd")}
        ELSE
            {BRANCH.format(current="odd", former="even")}
        END IF;
        RETURN true;
    EXCEPTION WHEN unique_violation THEN
        RETURN false;
    END $$
"""


def upgrade() -> None:
    op.execute(STORE_IF_NEW)


def downgrade() -> None:
    op.execute(f"DROP FUNCTION store_event_ids_unless_known({ARGUMENTS})")
