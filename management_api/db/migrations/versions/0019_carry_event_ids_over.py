"""Carry the event ids of the former two tables over, in portions, each in a transaction of its own.

They go to the present week, with which events of the week before and of the next week are compared too. An interrupted
run begins again, and skips the ids that it finds.
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

#: No request waits for a portion.
statement_timeout = "15min"

PORTION_BLOCKS = 2048
BLOCKS = 2048
MAKE_PARTITION = """
    DO $$
    DECLARE
        this_week date := date_trunc('week', now() AT TIME ZONE 'UTC')::date;
    BEGIN
        EXECUTE format(
            'CREATE TABLE IF NOT EXISTS %I PARTITION OF event_ids FOR VALUES FROM (%L) TO (%L)',
            'event_ids_' || to_char(this_week, 'YYYY_MM_DD'), this_week, this_week + 7
        );
    END $$
"""
COUNT_BLOCKS = "SELECT pg_relation_size('{table}') / current_setting('block_size')::int"
CARRY_OVER = """
    INSERT INTO event_ids (project, digest, week)
    SELECT project, uuid_send(digest), date_trunc('week', now() AT TIME ZONE 'UTC')::date FROM {table}
    WHERE ctid >= '({start},0)' AND ctid < '({end},0)'
    ON CONFLICT DO NOTHING
"""


def upgrade() -> None:
    # A batch that began before the migration before may have stored ids in the former tables alone. All batches hold
    # rows of `projects` until they are committed.
    op.execute("LOCK TABLE projects IN EXCLUSIVE MODE")
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        connection = op.get_bind()
        for table in ("recent_event_ids_even", "recent_event_ids_odd"):
            blocks = connection.scalar(sa.text(COUNT_BLOCKS.format(table=table))) or 0
            for start in range(0, blocks, PORTION_BLOCKS):
                op.execute(CARRY_OVER.format(table=table, start=start, end=start + PORTION_BLOCKS))


def downgrade() -> None:
    """Leave the ids where they are: revision 0018 drops the table."""
