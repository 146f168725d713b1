"""Store the ids of a batch in one step if none of them is known, without an error in the log if one is."""

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

# The limit is there for a look-up of each project by the key: a join might read the whole table.
# In the table of the present turn the unique key finds known ids: a look-up before takes as long as storing an id.
BRANCH = """
    IF EXISTS (
        SELECT FROM unnest(projects, firsts, lasts) AS listed (project, first, last)
        CROSS JOIN LATERAL (
            SELECT FROM recent_event_ids_{former} AS former
            WHERE former.project = listed.project AND former.digest = ANY(digests[listed.first:listed.last])
            LIMIT 1
        ) AS found
    ) THEN
        RETURN false;
    END IF;
    INSERT INTO recent_event_ids_{current} (project, digest)
    SELECT listed.project, digest FROM unnest(projects, firsts, lasts) AS listed (project, first, last)
    CROSS JOIN LATERAL unnest(digests[listed.first:listed.last]) AS digest;
"""

# Each statement of a volatile function sees what is committed when it begins: so the look-up sees all that was stored
# before the turn was held.
STORE_IF_NEW = f"""
    CREATE FUNCTION store_event_ids_if_new(digests uuid[], projects bigint[], firsts integer[], lasts integer[])
    RETURNS boolean LANGUAGE plpgsql AS $$
    DECLARE
        is_even boolean;
    BEGIN
        SELECT turn % 2 = 0 INTO STRICT is_even FROM event_storage WHERE turn >= 0 FOR SHARE;
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
    op.execute("DROP FUNCTION store_event_ids_if_new(uuid[], bigint[], integer[], integer[])")
