"""Index the events with an answer, partition by partition, beside requests and consumers.

An interrupted run begins again with the partitions that have no index yet.
"""

from alembic import op
from sqlalchemy import text

from management_api.db.migrations.concurrent_indexes import build_concurrently

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

COLUMNS = "(project_id, screen_id, occurred_at) WHERE event_type = 'question_answered' AND properties ? 'answer'"
#: As PostgreSQL names the indexes of new partitions.
NAME = "project_id_screen_id_occurred_at_idx"
#: The partitions without an index that is attached to the one of the whole table.
PARTITIONS = text("""
    SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'events'::regclass AND NOT EXISTS (
        SELECT FROM pg_index JOIN pg_inherits AS attached ON attached.inhrelid = indexrelid
        WHERE indrelid = pg_inherits.inhrelid AND attached.inhparent = 'ix_events_answers'::regclass
    )
    ORDER BY 1
""")


def upgrade() -> None:
    with op.get_context().autocommit_block():
        # Partitions that are made from now on get theirs with it.
        op.execute(f"CREATE INDEX IF NOT EXISTS ix_events_answers ON ONLY events {COLUMNS}")
        for partition in op.get_bind().scalars(PARTITIONS).all():
            build_concurrently(f"{partition}_{NAME}", f"ON {partition} {COLUMNS}")
            op.execute(f"ALTER INDEX ix_events_answers ATTACH PARTITION {partition}_{NAME}")


def downgrade() -> None:
    op.execute("DROP INDEX IF EXISTS ix_events_answers")
