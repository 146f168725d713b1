"""Migrations: bring a database to the current schema beside running services, and compare releases."""

import time
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from enum import Enum
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import Script, ScriptDirectory
from psycopg import errors
from sqlalchemy import Connection, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Mapped, mapped_column

from common.errors import OnboardingError
from common.process import Backoff
from common.settings.shared import DatabaseSettings
from management_api.db.engine import make_engine
from management_api.db.models.base import Model

# A schema serves this release if it is the release's own, or a newer one that declares it compatible.
# Migrations expand first and contract later (docs/operations/upgrade.md), so a release goes on working while a newer
# one migrates, and can be started again. The database has the oldest release that its schema serves.

VERSIONS = text("SELECT version_num FROM alembic_version")


class SchemaCompatibility(Model):
    """The one row with the oldest release that the schema serves; a migration that removes something raises it."""

    __tablename__ = "schema_compatibility"

    #: Releases whose newest migration is this one or a later one work with the schema.
    oldest_revision: Mapped[str] = mapped_column(primary_key=True)


class SchemaFit(Enum):
    """The schema of a database, compared with that of this release."""

    OWN = "own"
    NEWER = "newer, and serves this release too"
    TOO_NEW = "newer, and does not serve this release"
    #: Older, or of another program.
    OLDER = "older"


def schema_fit(connection: Connection, own: AbstractSet[str]) -> SchemaFit:
    """Return the comparison; `own` are the newest revisions. Raises ProgrammingError for an empty database."""
    found = set(connection.scalars(VERSIONS))
    if found == own:
        return SchemaFit.OWN
    # The names of revisions ascend.
    if not found or min(found) <= max(own):
        return SchemaFit.OLDER
    oldest = connection.scalar(select(SchemaCompatibility.oldest_revision))
    return SchemaFit.NEWER if oldest is not None and oldest <= max(own) else SchemaFit.TOO_NEW


#: Held while migrating, so that two starts at once migrate one after the other.
MIGRATION_LOCK = 7_310_260_517
#: A statement that waits for a lock on a table blocks all later statements on it. So a migration waits only this long
#: for a lock, lets the requests pass, and tries again.
LOCK_TIMEOUT = "500ms"
LOCK_WAITS = (0.2, 2.0)
MAX_LOCK_WAIT_SECONDS = 600.0
#: For a statement that may hold a lock on a table. A migration whose statements hold no lock that requests
#: wait for may set a longer `statement_timeout` of its own. Building an index CONCURRENTLY has no timeout
#: (`migrations/concurrent_indexes.py`).
STATEMENT_TIMEOUT = "5s"

#: A migration that meets the requests of a running release may also be the victim of a deadlock.
_PASSING = (errors.LockNotAvailable, errors.DeadlockDetected)

SCRIPTS = Path(__file__).parent / "migrations"

OnRevision = Callable[[str], None]


class SchemaTooNewError(OnboardingError):
    """The database has the schema of a newer release, which does not serve this one."""

    def __init__(self) -> None:
        super().__init__(
            "the database has the schema of a newer release, which does not serve this one; nothing was done"
        )


class SchemaTooOldError(OnboardingError):
    """The database has a schema from before the oldest release that this one upgrades."""

    def __init__(self, revision: str) -> None:
        super().__init__(
            f"the database has the schema of a release before 0.2.0 (revision {revision}); nothing was done."
            " Upgrade it to release 0.2.0 first, then to this one"
        )


def migrate(
    settings: DatabaseSettings, on_revision: OnRevision = lambda _revision: None, *, scripts: Path = SCRIPTS
) -> SchemaFit:
    """Apply the missing migrations, one transaction each; `on_revision` is called after each.

    Returns NEWER, without a change, for a newer schema that serves this release too. Raises SchemaTooNewError for one
    that does not, SchemaTooOldError for one from before release 0.2.0, and errors of the database: LockNotAvailable
    when a table is locked for MAX_LOCK_WAIT_SECONDS.
    """
    engine = make_engine(settings)
    try:
        with engine.connect() as connection:
            _lock_migrations(connection)
            fit = _upgrade(connection, _config(scripts), on_revision)
            connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": MIGRATION_LOCK})
            connection.commit()
            return fit
    finally:
        engine.dispose()


def is_current(connection: Connection) -> bool:
    """Return whether the database has the schema of this release."""
    return set(MigrationContext.configure(connection).get_current_heads()) == newest_revisions()


def newest_revisions() -> frozenset[str]:
    """Return the revisions in the version table of a database with the schema of this release."""
    return frozenset(ScriptDirectory.from_config(_config(SCRIPTS)).get_heads())


def _config(scripts: Path) -> Config:
    config = Config()
    config.set_main_option("script_location", str(scripts))
    return config


def _lock_migrations(connection: Connection) -> None:
    """Wait until no other migration runs; without a transaction, since building indexes CONCURRENTLY waits for all."""
    wait = Backoff(first=0.05, limit=1.0)
    while not connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": MIGRATION_LOCK}):
        connection.commit()
        time.sleep(wait.next_delay())
    connection.commit()


def _upgrade(connection: Connection, config: Config, on_revision: OnRevision) -> SchemaFit:
    directory = ScriptDirectory.from_config(config)
    current = MigrationContext.configure(connection).get_current_heads()
    if current:
        fit = schema_fit(connection, frozenset(directory.get_heads()))
        if fit is SchemaFit.TOO_NEW:
            raise SchemaTooNewError
        if fit is SchemaFit.NEWER:
            return fit
        if fit is SchemaFit.OLDER and min(current) < (directory.get_base() or ""):
            raise SchemaTooOldError(min(current))
    connection.commit()
    config.attributes["connection"] = connection
    config.attributes["on_revision"] = on_revision
    for script in reversed(list(directory.iterate_revisions("head", current or None))):
        _apply(connection, config, script)
    return SchemaFit.OWN


def _apply(connection: Connection, config: Config, script: Script) -> None:
    """Apply one migration, which is one transaction, as often as it takes to get its locks."""
    deadline = time.monotonic() + MAX_LOCK_WAIT_SECONDS
    wait = Backoff(first=LOCK_WAITS[0], limit=LOCK_WAITS[1])
    timeout = getattr(script.module, "statement_timeout", STATEMENT_TIMEOUT)
    while True:
        connection.execute(text(f"SET lock_timeout = '{LOCK_TIMEOUT}'; SET statement_timeout = '{timeout}'"))
        connection.commit()
        try:
            command.upgrade(config, script.revision)
        except DBAPIError as error:
            connection.rollback()
            if not isinstance(error.orig, _PASSING) or time.monotonic() > deadline:
                raise
            time.sleep(wait.next_delay())
        else:
            return
