"""Count the events without a language, which are all that release 0.2.0 has stored, as a language of their own: null.

The rollups by type and flow have them. Release 0.2.0 neither reads nor writes the rollups by language.
"""

from alembic import op

revision = "0079"
down_revision = "0078"
branch_labels = None
depends_on = None

COPY = """
    INSERT INTO locale_cells (project_id, breakdown, day, event_type, flow_id, locale, events, devices, is_merged)
    SELECT project_id, 'locale', day, event_type, flow_id, CASE flow_id WHEN '(other)' THEN '(other)' END,
        events, devices, is_merged
    FROM activity_cells AS counted
    WHERE breakdown = 'flow' AND NOT EXISTS (
        SELECT FROM locale_cells AS known
        WHERE known.project_id = counted.project_id AND known.day = counted.day
            AND known.event_type = counted.event_type AND known.flow_id IS NOT DISTINCT FROM counted.flow_id
    )
"""


def upgrade() -> None:
    # Large projects have gigabytes of them. Nothing waits for the statement.
    op.execute("SET LOCAL statement_timeout = 0")
    op.execute(COPY)


def downgrade() -> None:
    op.execute("DELETE FROM locale_cells WHERE locale IS NULL")
