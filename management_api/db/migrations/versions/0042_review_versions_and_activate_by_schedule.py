"""Add the review of versions, the authors of drafts, and schedules that activate.

Where a project requires approvals already, the versions of the flows that devices get are reviewed, because they were
live before the rule began.
"""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Constant defaults: no table is rewritten, and the release before goes on inserting.
    op.add_column("flow_versions", sa.Column("is_reviewed", sa.Boolean(), server_default="false", nullable=False))
    op.add_column("flow_drafts", sa.Column("authors", sa.ARRAY(sa.Text()), server_default="{}", nullable=False))
    op.add_column("flow_schedules", sa.Column("activate", sa.Boolean(), server_default="false", nullable=False))
    op.execute(
        """
        UPDATE flow_versions SET is_reviewed = true
        FROM flows JOIN projects ON projects.id = flows.project_id
        WHERE flow_versions.flow_id = flows.id AND projects.required_approvals > 0 AND (
            flows.status = 'active' OR EXISTS (
                SELECT FROM experiments
                WHERE experiments.project_id = flows.project_id AND experiments.status IN ('running', 'paused')
                AND experiments.variants @> jsonb_build_array(jsonb_build_object('flow_id', flows.id))
            )
        )
        """
    )


def downgrade() -> None:
    op.drop_column("flow_schedules", "activate")
    op.drop_column("flow_drafts", "authors")
    op.drop_column("flow_versions", "is_reviewed")
