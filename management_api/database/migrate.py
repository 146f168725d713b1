"""Brings a database to the current schema, and tells whether it is there."""

from collections.abc import Callable
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from common.settings import DatabaseSettings
from management_api.database.transactions import make_engine

#: Held while migrating, so that two starts at once migrate one after the other.
MIGRATION_LOCK = 7_310_260_517

#: A migration may take longer than a request's statement, but it must not queue behind a lock and block the others.
MIGRATION_TIMEOUTS = "SET lock_timeout = '10s'; SET statement_timeout = '15min'"


def migrate(settings: DatabaseSettings, on_revision: Callable[[str], None] = lambda _revision: None) -> None:
    """Apply the missing migrations, one transaction each; `on_revision` hears of each one that is applied."""
    engine = make_engine(settings)
    try:
        with engine.connect() as connection:
            connection.execute(text("SET lock_timeout = 0; SET statement_timeout = 0"))
            connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": MIGRATION_LOCK})
            connection.execute(text(MIGRATION_TIMEOUTS))
            connection.commit()
            config = _config()
            config.attributes["connection"] = connection
            config.attributes["on_revision"] = on_revision
            command.upgrade(config, "head")
            connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": MIGRATION_LOCK})
            connection.commit()
    finally:
        engine.dispose()


def is_current(connection: Connection) -> bool:
    """Tell whether the database has the schema of this release."""
    return set(MigrationContext.configure(connection).get_current_heads()) == newest_revisions()


def newest_revisions() -> frozenset[str]:
    """Give the revisions that a database with the schema of this release names."""
    return frozenset(ScriptDirectory.from_config(_config()).get_heads())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config
