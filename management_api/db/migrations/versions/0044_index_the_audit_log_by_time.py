"""Index the audit log by time, for its retention, and its digests without a key, beside requests."""

from alembic import op

from management_api.db.migrations.concurrent_indexes import build_concurrently

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None

INDEXES = {
    "ix_audit_entries_at": "ON audit_entries (at)",
    "ix_audit_entries_unkeyed": "ON audit_entries (id) WHERE entity_id ~ '^sha256:[0-9a-f]{64}$'",
}


def upgrade() -> None:
    with op.get_context().autocommit_block():
        for name, definition in INDEXES.items():
            build_concurrently(name, definition)


def downgrade() -> None:
    for name in INDEXES:
        op.execute(f"DROP INDEX IF EXISTS {name}")
