"""Allow new types of screens: the schemas of requests check them, and the rows of release 0.2.0 need no check."""

from alembic import op

revision = "0071"
down_revision = "0070"
branch_labels = None
depends_on = None

_TYPES = (
    *("welcome", "feature", "permissions", "signup", "question_text", "question_single_choice"),
    *("question_multiple_choice", "question_picker", "paywall", "custom"),
)


def upgrade() -> None:
    op.drop_constraint(op.f("ck_screens_type"), "screens")


def downgrade() -> None:
    types = ", ".join(map(repr, _TYPES))
    # Screens of the new types stay.
    op.execute(f"ALTER TABLE screens ADD CONSTRAINT ck_screens_type CHECK (type IN ({types})) NOT VALID")
