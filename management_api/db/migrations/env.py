"""Alembic's entry: it runs migrations on the connection that `migrate.py` hands over."""

from collections.abc import Collection, Mapping
from typing import Any

from alembic import context
from alembic.runtime.migration import MigrationContext, MigrationInfo

from management_api.db.models.metadata import metadata

connection = context.config.attributes["connection"]
on_revision = context.config.attributes["on_revision"]


def _report(ctx: MigrationContext, step: MigrationInfo, heads: Collection[Any], run_args: Mapping[str, Any]) -> None:
    # Alembic passes all four by these names.
    del ctx, heads, run_args
    on_revision(str(step.up_revision_id))


context.configure(
    connection=connection, target_metadata=metadata, transaction_per_migration=True, on_version_apply=_report
)
with context.begin_transaction():
    context.run_migrations()
