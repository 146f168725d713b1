"""Write the columns of `flows` and the rows of `screens` that release 0.2.0 reads, from each new live document.

This release writes the version and the ids of screens, and then names the live version: the trigger is of that
statement. The changes of rows by the trigger are no changes that migration 0050 records.
"""

from alembic import op

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None

WRITE = """
CREATE FUNCTION write_flow_rows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    live jsonb;
BEGIN
    SELECT document INTO live FROM flow_versions WHERE flow_id = NEW.id AND number = NEW.live_version;
    NEW.description := live ->> 'description';
    NEW.rollout_buckets := coalesce(round((live #>> '{targeting,percentage}')::numeric * 100), 10000);
    NEW.conditions := coalesce(live #> '{targeting,conditions}', '[]');
    DELETE FROM screens WHERE flow_id = NEW.id AND id NOT IN (
        SELECT screen ->> 'id' FROM jsonb_array_elements(live -> 'screens') AS screen
    );
    INSERT INTO screens AS stored (
        id, flow_id, project_id, type, name, "order", content, settings, created_at, updated_at
    )
    SELECT screen_ids.id, NEW.id, NEW.project_id, screen ->> 'type', screen ->> 'name', place - 1,
        coalesce(screen -> 'content', '{}'), coalesce(screen -> 'settings', '{}'),
        screen_ids.created_at, screen_ids.updated_at
    FROM jsonb_array_elements(live -> 'screens') WITH ORDINALITY AS listed (screen, place)
    JOIN screen_ids ON screen_ids.flow_id = NEW.id AND screen_ids.id = screen ->> 'id'
    ON CONFLICT (id) DO UPDATE SET
        type = excluded.type, name = excluded.name, "order" = excluded."order", content = excluded.content,
        settings = excluded.settings, created_at = excluded.created_at, updated_at = excluded.updated_at
    WHERE (stored."order", stored.created_at, stored.updated_at)
        IS DISTINCT FROM (excluded."order", excluded.created_at, excluded.updated_at);
    RETURN NEW;
END
$$
"""
TRIGGER = """
CREATE TRIGGER write_flow_rows BEFORE UPDATE OF live_version ON flows
FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND NEW.live_version > 0) EXECUTE FUNCTION write_flow_rows()
"""


def upgrade() -> None:
    op.execute(WRITE)
    op.execute(TRIGGER)


def downgrade() -> None:
    op.execute("DROP TRIGGER write_flow_rows ON flows")
    op.execute("DROP FUNCTION write_flow_rows()")
