"""Index the audit log by entity and waiting erasures by device, beside requests and consumers."""

from alembic import op

from management_api.db.migrations.concurrent_indexes import build_concurrently

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

INDEXES = {
    "ix_audit_entries_project_id_entity_type_entity_id": "ON audit_entries (project_id, entity_type, entity_id)",
    "ix_pending_erasures_project_id_device_id": "ON pending_erasures (project_id, device_id)",
}


def upgrade() -> None:
    with op.get_context().autocommit_block():
        for name, definition in INDEXES.items():
            build_concurrently(name, definition)


def downgrade() -> None:
    for name in INDEXES:
        op.execute(f"DROP INDEX IF EXISTS {name}")
