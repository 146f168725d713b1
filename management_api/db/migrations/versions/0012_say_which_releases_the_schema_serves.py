"""Say which releases the schema serves, so that one that meets a newer schema knows whether it can go on."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "schema_compatibility",
        sa.Column("oldest_revision", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("oldest_revision", name=op.f("pk_schema_compatibility")),
    )
    op.execute("INSERT INTO schema_compatibility VALUES ('0011')")


def downgrade() -> None:
    op.drop_table("schema_compatibility")
