"""Name the live version of each flow, and make a version of each change of rows by release 0.2.0.

This release reads and writes documents. Release 0.2.0 reads and writes the columns of `flows` and the rows of
`screens`. Until a later release drops both, deferred triggers compare the rows that 0.2.0 has written with the live
document at the end of its transaction, and store the difference as a version.
"""

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0044"
branch_labels = None
depends_on = None

#: Stores the rows of a flow as its live version if they differ from the document. Members that release 0.2.0 does not
#: have stay. A flow whose live version this transaction has written is up to date.
RECORD = """
CREATE OR REPLACE FUNCTION record_flow_rows(id_of_flow text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    flow flows;
    newest record;
    former jsonb;
    present jsonb;
BEGIN
    SELECT * INTO flow FROM flows WHERE id = id_of_flow;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT number, document, xmin = pg_current_xact_id()::xid AS is_new INTO newest
    FROM flow_versions WHERE flow_id = flow.id ORDER BY number DESC LIMIT 1;
    IF newest.is_new AND flow.live_version = newest.number THEN
        RETURN;
    END IF;
    SELECT coalesce(jsonb_object_agg(screen ->> 'id', screen), '{}') INTO former
    FROM jsonb_array_elements(newest.document -> 'screens') AS screen;
    SELECT (coalesce(newest.document, '{}') - 'priority') || jsonb_build_object(
        'name', flow.name, 'description', flow.description, 'theme_id', flow.theme_id,
        'targeting', coalesce(newest.document -> 'targeting', '{}') || jsonb_build_object(
            'percentage', trim_scale(flow.rollout_buckets / 100.0), 'conditions', flow.conditions
        ),
        'screens', coalesce(
            jsonb_agg(
                coalesce(former -> screens.id, '{}') || jsonb_build_object(
                    'id', screens.id, 'type', screens.type, 'name', screens.name, 'content', screens.content,
                    'settings', screens.settings
                ) ORDER BY screens."order"
            ) FILTER (WHERE screens.id IS NOT NULL),
            '[]'
        )
    ) INTO present
    FROM (SELECT) AS one
    LEFT JOIN screens ON screens.flow_id = flow.id;
    INSERT INTO screen_ids (id, flow_id, project_id, is_versioned, created_at, updated_at)
    SELECT id, flow_id, project_id, true, created_at, updated_at FROM screens WHERE flow_id = flow.id
    ON CONFLICT (id) DO UPDATE
        SET is_versioned = true, created_at = excluded.created_at, updated_at = excluded.updated_at
        WHERE screen_ids.flow_id = excluded.flow_id AND NOT (
            screen_ids.is_versioned AND screen_ids.created_at = excluded.created_at
            AND screen_ids.updated_at = excluded.updated_at
        );
    IF present - 'schema' = newest.document - 'schema' - 'priority' THEN
        UPDATE flows SET live_version = newest.number WHERE id = flow.id AND live_version <> newest.number;
        RETURN;
    END IF;
    present := '{"schema": 2}' || present;
    INSERT INTO flow_versions (flow_id, number, project_id, origin, document) VALUES (
        flow.id, coalesce(newest.number, 0) + 1, flow.project_id,
        CASE WHEN newest.number IS NULL THEN 'created' ELSE 'direct' END, present
    );
    UPDATE flows
    SET live_version = coalesce(newest.number, 0) + 1, document_bytes = octet_length(present::text)
    WHERE id = flow.id;
END
$$
"""
RECORD_FLOW = """
CREATE OR REPLACE FUNCTION record_flow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM record_flow_rows(NEW.id);
    RETURN NULL;
END
$$
"""
RECORD_SCREEN = """
CREATE OR REPLACE FUNCTION record_screen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM record_flow_rows(coalesce(NEW.flow_id, OLD.flow_id));
    RETURN NULL;
END
$$
"""
#: A theme that is deleted takes itself from its flows by a foreign key, so the depth of triggers does not decide here.
TRIGGERS = (
    """
    CREATE CONSTRAINT TRIGGER record_new_flow AFTER INSERT ON flows DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION record_flow()
    """,
    """
    CREATE CONSTRAINT TRIGGER record_changed_flow
    AFTER UPDATE OF name, description, theme_id, rollout_buckets, conditions ON flows DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (
        (OLD.name, OLD.description, OLD.theme_id, OLD.rollout_buckets, OLD.conditions)
        IS DISTINCT FROM (NEW.name, NEW.description, NEW.theme_id, NEW.rollout_buckets, NEW.conditions)
    ) EXECUTE FUNCTION record_flow()
    """,
    """
    CREATE CONSTRAINT TRIGGER record_screen AFTER INSERT OR UPDATE OR DELETE ON screens DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION record_screen()
    """,
)


def upgrade() -> None:
    op.add_column("flows", sa.Column("live_version", sa.Integer(), server_default="0", nullable=False))
    for column in ("created_at", "updated_at"):
        # A constant default is no rewrite of the table.
        added = sa.Column(column, sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False)
        op.add_column("screen_ids", added)
        op.alter_column("screen_ids", column, server_default=sa.text("clock_timestamp()"))
    for statement in (RECORD, RECORD_FLOW, RECORD_SCREEN, *TRIGGERS):
        op.execute(statement)


def downgrade() -> None:
    op.execute("DROP TRIGGER record_screen ON screens")
    for trigger in ("record_new_flow", "record_changed_flow"):
        op.execute(f"DROP TRIGGER {trigger} ON flows")
    for function in ("record_screen()", "record_flow()", "record_flow_rows(text)"):
        op.execute(f"DROP FUNCTION {function}")
    for column in ("created_at", "updated_at"):
        op.drop_column("screen_ids", column)
    op.drop_column("flows", "live_version")
