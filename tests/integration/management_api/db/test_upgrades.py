"""Upgrades are not noticed by the users of a running release, and refused where they would lose something."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from pydantic import SecretStr

from common.settings.shared import DatabaseSettings
from management_api.db import migrations
from management_api.db.engine import Database
from management_api.db.health import SCHEMA_DIFFERS, DatabaseReadiness
from management_api.db.migrate import SchemaFit, SchemaTooNewError, SchemaTooOldError, migrate
from tests.integration.management_api.running_service import ServiceProcess, service_environment
from tests.support.clients.busy_users import BusyUsers
from tests.support.clients.token_issuer import TokenIssuer

pytestmark = pytest.mark.slow

#: A release to come, that only adds to the schema: a column, and an index that is built beside those who write.
EXPANDING = {
    "9001": """
revision, down_revision = "9001", "{head}"
def upgrade():
    op.add_column("flows", sa.Column("subtitle", sa.Text(), nullable=True))
""",
    "9002": """
from management_api.db.migrations.concurrent_indexes import build_concurrently
revision, down_revision = "9002", "9001"
def upgrade():
    with op.get_context().autocommit_block():
        build_concurrently("ix_flows_name", "ON flows (name)")
""",
}
#: The one after, which takes away what releases before the first of those need.
CONTRACTING = {
    "9003": """
revision, down_revision = "9003", "9002"
def upgrade():
    op.execute("UPDATE schema_compatibility SET oldest_revision = '9001'")
""",
}
#: One whose index takes longer than its other statements may.
SLOW = {
    "9004": """
from management_api.db.migrations.concurrent_indexes import build_concurrently
revision, down_revision, statement_timeout = "9004", "{head}", "200ms"
def upgrade():
    op.execute("CREATE FUNCTION slow() RETURNS bool IMMUTABLE LANGUAGE sql AS 'SELECT pg_sleep(0.5) IS NOT NULL'")
    op.execute("CREATE TABLE slowly AS SELECT 1 AS number")
    with op.get_context().autocommit_block():
        build_concurrently("ix_slowly", "ON slowly (slow())")
        op.execute("CREATE TABLE timeouts AS SELECT current_setting('statement_timeout') AS statement_timeout")
""",
}
#: One that is the victim of two deadlocks. A sequence goes on after a rollback.
DEADLOCKED = {
    "9005": """
revision, down_revision = "9005", "{head}"
def upgrade():
    op.execute("DO $$ BEGIN IF nextval('attempts') < 3 THEN RAISE deadlock_detected; END IF; END $$")
""",
}


def scripts_with(folder: Path, *releases: dict[str, str]) -> Path:
    """Write the migrations of releases to come behind those that there are."""
    scripts = folder / f"migrations_{len(releases)}"
    shutil.copytree(migrations.__path__[0], scripts)
    config = Config()
    config.set_main_option("script_location", str(scripts))
    head = ScriptDirectory.from_config(config).get_current_head() or ""
    for release in releases:
        for revision, source in release.items():
            program = "import sqlalchemy as sa\nfrom alembic import op\n" + source.replace("{head}", head)
            (scripts / "versions" / f"{revision}_made_up.py").write_text(program)
    return scripts


def problem(database_url: str) -> str | None:
    """Return the reason why this release is not ready, or None."""
    database = Database(DatabaseSettings(database_url=SecretStr(database_url)))
    try:
        return DatabaseReadiness(database).problem()
    finally:
        database.close()


def test_newer_schema_serves_this_release_within_its_compatibility(database_url: str, tmp_path: Path) -> None:
    settings = DatabaseSettings(database_url=SecretStr(database_url))
    assert problem(database_url) is None
    assert migrate(settings, scripts=scripts_with(tmp_path, EXPANDING)) is SchemaFit.OWN
    assert problem(database_url) is None
    # This release's own job, as a deployment that is rolled back runs it.
    assert migrate(settings) is SchemaFit.NEWER
    migrate(settings, scripts=scripts_with(tmp_path, EXPANDING, CONTRACTING))
    assert problem(database_url) == SCHEMA_DIFFERS
    with pytest.raises(SchemaTooNewError):
        migrate(settings)


def test_schema_from_before_release_0_2_0_is_refused_unchanged(database_url: str) -> None:
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0014'")
        with pytest.raises(SchemaTooOldError, match=r"revision 0014.* to release 0\.2\.0 first"):
            migrate(DatabaseSettings(database_url=SecretStr(database_url)))
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [("0014",)]
    assert problem(database_url) == SCHEMA_DIFFERS


def test_migration_that_is_the_victim_of_a_deadlock_is_applied_again(database_url: str, tmp_path: Path) -> None:
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("CREATE SEQUENCE attempts")
        settings = DatabaseSettings(database_url=SecretStr(database_url))
        assert migrate(settings, scripts=scripts_with(tmp_path, DEADLOCKED)) is SchemaFit.OWN
        assert connection.execute("SELECT last_value FROM attempts").fetchall() == [(3,)]


def test_building_an_index_concurrently_has_no_timeout(database_url: str, tmp_path: Path) -> None:
    settings = DatabaseSettings(database_url=SecretStr(database_url))
    assert migrate(settings, scripts=scripts_with(tmp_path, SLOW)) is SchemaFit.OWN
    with psycopg.connect(database_url) as connection:
        assert connection.execute("SELECT statement_timeout FROM timeouts").fetchall() == [("200ms",)]


def test_running_release_fails_no_request_during_the_next_migrations(
    database_url: str, master_key: str, tmp_path: Path
) -> None:
    issuer = TokenIssuer(tmp_path)
    environment = service_environment(database_url, master_key, tmp_path, identity_jwks_file=str(issuer.jwks_file))
    service = ServiceProcess(environment, tmp_path / "management.log")
    applied: list[str] = []
    settings = DatabaseSettings(database_url=SecretStr(database_url))
    scripts = scripts_with(tmp_path, EXPANDING)
    try:
        service.wait_until_ready()
        users = BusyUsers([service.port], issuer)
        with users.running(2), psycopg.connect(database_url) as reader, ThreadPoolExecutor(1) as pool:
            users.wait_for_responses()
            # Somebody reads for long, as a backup does; the new column has to wait for that.
            reader.execute("SELECT count(*) FROM flows")
            migration = pool.submit(migrate, settings, applied.append, scripts=scripts)
            users.wait_for_responses()
            users.wait_for_responses()
            assert applied == []
            reader.rollback()
            migration.result()
            users.wait_for_responses()
    finally:
        service.stop()
    assert applied == ["9001", "9002"]
    assert users.errors == []
