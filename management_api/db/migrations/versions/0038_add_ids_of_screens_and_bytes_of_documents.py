"""Add the ids of screens and the bytes of documents, and fill them in portions, each in a transaction of its own.

An interrupted run begins again. A flow that a request changes meanwhile is skipped: its next change fills it.
Management of 0.2.0 writes neither; ids of its screens are found in `screens`, too.
"""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0035"
branch_labels = None
depends_on = None

#: Of all requests, only a change of a flow waits for a portion that has the flow, for a fraction of a second.
statement_timeout = "15min"

PORTION = 500
FILL = sa.text("""
    WITH portion AS (
        SELECT id, project_id FROM flows WHERE id > :after ORDER BY id LIMIT :portion FOR NO KEY UPDATE SKIP LOCKED
    ), newest AS (
        SELECT DISTINCT ON (flow_id) flow_id, octet_length(document::text) AS bytes
        FROM flow_versions WHERE flow_id IN (SELECT id FROM portion) ORDER BY flow_id, number DESC
    ), sized AS (
        UPDATE flows SET document_bytes = newest.bytes FROM newest WHERE newest.flow_id = flows.id
    ), drafts AS (
        UPDATE flow_drafts SET document_bytes = octet_length(document::text)
        WHERE flow_id IN (SELECT id FROM portion)
        RETURNING flow_id, project_id, document
    ), claimed AS (
        INSERT INTO screen_ids (id, flow_id, project_id, is_versioned)
        SELECT id, flow_id, project_id, bool_or(is_versioned)
        FROM (
            SELECT id, flow_id, project_id, true AS is_versioned
            FROM screens WHERE flow_id IN (SELECT id FROM portion)
            UNION ALL
            SELECT jsonb_path_query(document, '$.screens[*].id') #>> '{}', flow_id, project_id, true
            FROM flow_versions WHERE flow_id IN (SELECT id FROM portion)
            UNION ALL
            SELECT jsonb_path_query(document, '$.screens[*].id') #>> '{}', flow_id, project_id, false FROM drafts
        ) AS used
        GROUP BY id, flow_id, project_id
        ON CONFLICT DO NOTHING
    )
    SELECT max(id) FROM portion
""")


def upgrade() -> None:
    op.create_table(
        "screen_ids",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("flow_id", sa.String(length=40), nullable=False),
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("is_versioned", sa.Boolean(), server_default="false", nullable=False),
        sa.ForeignKeyConstraint(
            ["flow_id", "project_id"], ["flows.id", "flows.project_id"], name="fk_screen_ids_flow", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_screen_ids")),
        if_not_exists=True,
    )
    op.create_index("ix_screen_ids_flow_id", "screen_ids", ["flow_id"], if_not_exists=True)
    for table in ("flows", "flow_drafts"):
        column = sa.Column("document_bytes", sa.Integer(), server_default="0", nullable=False)
        op.add_column(table, column, if_not_exists=True)
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        connection = op.get_bind()
        # The second pass fills the flows that a request had locked.
        for _ in range(2):
            after = ""
            while after is not None:
                after = connection.scalar(FILL, {"after": after, "portion": PORTION})


def downgrade() -> None:
    for table in ("flow_drafts", "flows"):
        op.drop_column(table, "document_bytes")
    op.drop_table("screen_ids")
