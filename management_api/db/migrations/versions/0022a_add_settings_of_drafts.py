"""Add the settings of projects about drafts, and drafts for QA devices.

Apart from 0022, which locks `flows`: a writer that has locked one table never waits for a migration that waits for it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0022a"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Constant defaults: no table is rewritten, and release 0.2.0 goes on inserting.
    op.add_column("projects", sa.Column("direct_writes", sa.Text(), server_default="allowed", nullable=False))
    op.add_column("projects", sa.Column("required_approvals", sa.Integer(), server_default="0", nullable=False))
    _add_check("projects", "direct_writes", "direct_writes IN ('allowed', 'refused')")
    _add_check("projects", "required_approvals", "required_approvals BETWEEN 0 AND 5")
    op.add_column("qa_devices", sa.Column("draft", sa.Boolean(), nullable=True))


def downgrade() -> None:
    op.drop_column("qa_devices", "draft")
    op.drop_column("projects", "required_approvals")
    op.drop_column("projects", "direct_writes")


def _add_check(table: str, name: str, condition: str) -> None:
    """Add a constraint that existing rows satisfy by the default, without reading them under the lock."""
    op.execute(f"ALTER TABLE {table} ADD CONSTRAINT ck_{table}_{name} CHECK ({condition}) NOT VALID")
    op.execute(f"ALTER TABLE {table} VALIDATE CONSTRAINT ck_{table}_{name}")
