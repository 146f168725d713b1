"""The migrations make exactly the tables of the models."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from pydantic import SecretStr
from sqlalchemy import Connection, Engine, text

from common.settings.shared import DatabaseSettings
from management_api.db import migrations
from management_api.db.engine import make_engine
from management_api.db.migrate import is_current, migrate
from management_api.db.models.metadata import metadata
from tests.integration.management_api.db.schema_description import described

#: Below it there is no release to return to.
BASELINE = "0021"


@pytest.fixture
def settings(empty_database_url: str) -> DatabaseSettings:
    """Return the settings of a database without any table."""
    return DatabaseSettings(database_url=SecretStr(empty_database_url))


@pytest.fixture
def engine(settings: DatabaseSettings) -> Iterator[Engine]:
    engine = make_engine(settings)
    yield engine
    engine.dispose()


def downgrade(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", migrations.__path__[0])
    config.attributes.update(connection=connection, on_revision=lambda _revision: None)
    command.downgrade(config, BASELINE)


def described_by_models(connection: Connection) -> list[list[str]]:
    """Describe columns, constraints and indexes, without what SQLAlchemy has no words for.

    These are default partitions, the number in the index of the primary key of devices, and how columns are stored.
    """
    found = described(connection)
    columns = [re.sub(r", '[a-z]', ''", ", None, ''", line, count=1) for line in found["columns"]]
    return [
        [line.replace(" INCLUDE (number)", "") for line in lines if not re.match(r"\('\w+_default'", line)]
        for lines in (columns, found["constraints"], found["indexes"])
    ]


def test_models_equal_migrations(settings: DatabaseSettings, engine: Engine) -> None:
    migrate(settings)
    with engine.connect() as connection:
        migrated = described_by_models(connection)
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
        metadata.create_all(connection)
        assert described_by_models(connection) == migrated
        connection.rollback()


@pytest.mark.slow
def test_migrations_can_be_taken_back_and_applied_again(settings: DatabaseSettings, engine: Engine) -> None:
    migrate(settings)
    with engine.connect() as connection:
        migrated = described(connection)
        connection.rollback()
        downgrade(connection)
        assert described(connection) != migrated
    migrate(settings)
    with engine.connect() as connection:
        assert described(connection) == migrated


def test_migrations_build_indexes_concurrently_without_a_timeout() -> None:
    versions = Path(migrations.__path__[0]) / "versions"
    found = re.compile(r"CREATE (UNIQUE )?INDEX CONCURRENTLY|postgresql_concurrently")
    # `build_concurrently` lifts the timeouts of a migration.
    assert [file.name for file in versions.glob("*.py") if found.search(file.read_text())] == []


@pytest.mark.slow
def test_migration_that_commits_in_between_can_be_interrupted(settings: DatabaseSettings, engine: Engine) -> None:
    config = Config()
    config.set_main_option("script_location", migrations.__path__[0])
    scripts = list(ScriptDirectory.from_config(config).walk_revisions())[::-1]
    with engine.connect() as connection:
        config.attributes.update(connection=connection, on_revision=lambda _revision: None)
        for script in scripts:
            command.upgrade(config, script.revision)
            if "autocommit_block" in Path(script.path).read_text():
                # Its statements are committed, and its revision is not.
                connection.execute(text("UPDATE alembic_version SET version_num = :n"), {"n": script.down_revision})
                connection.commit()
                command.upgrade(config, script.revision)
        connection.commit()
        repeated = described(connection)
        assert is_current(connection)
        connection.rollback()
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
        connection.commit()
    migrate(settings)
    with engine.connect() as connection:
        assert described(connection) == repeated


def test_migrating_again_changes_nothing(settings: DatabaseSettings) -> None:
    applied: list[str] = []
    migrate(settings, applied.append)
    first = list(applied)
    migrate(settings, applied.append)
    assert first
    assert applied == first


@pytest.mark.slow
def test_migrating_at_once_applies_each_migration_once(settings: DatabaseSettings, engine: Engine) -> None:
    applied: list[str] = []
    with ThreadPoolExecutor(max_workers=4) as threads:
        list(threads.map(lambda _number: migrate(settings, applied.append), range(4)))
    assert sorted(applied) == sorted(set(applied))
    with engine.connect() as connection:
        assert is_current(connection)


def test_database_without_migrations_is_not_current(engine: Engine) -> None:
    with engine.connect() as connection:
        assert not is_current(connection)
