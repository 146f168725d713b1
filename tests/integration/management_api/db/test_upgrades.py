"""Upgrades keep what every earlier release has stored, and are not noticed by those who use the release before."""

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from pydantic import SecretStr
from sqlalchemy import Connection, Engine, text

from common.settings.shared import DatabaseSettings
from management_api.db import migrations
from management_api.db.engine import Database, make_engine
from management_api.db.health import SCHEMA_DIFFERS, DatabaseReadiness
from management_api.db.migrate import SchemaFit, SchemaTooNewError, migrate
from tests.integration.management_api.running_service import ServiceProcess, service_environment
from tests.support.clients.busy_users import BusyUsers
from tests.support.clients.token_issuer import TokenIssuer

pytestmark = pytest.mark.slow

#: What each release could store for the first time, as its schema was.
ROWS = {
    "0001": (
        "INSERT INTO users (id, issuer, subject, email) VALUES ('user_1', 'https://id', 'alice', 'alice@example.com')",
        "INSERT INTO api_keys (user_id, digest, sealed) VALUES ('user_1', 'digest', 'sealed')",
        "INSERT INTO projects (id, name, platforms, public_key_sealed) VALUES ('proj_1', 'Old', '{ios}', 'sealed')",
        "INSERT INTO members (project_id, user_id, role) VALUES ('proj_1', 'user_1', 'owner')",
        "INSERT INTO secret_keys (id, project_id, digest, sealed) VALUES ('key_1', 'proj_1', 'digest', 'sealed')",
        "INSERT INTO themes (id, project_id, name, colors) VALUES ('theme_1', 'proj_1', 'Dark', '{}')",
        "INSERT INTO flows (id, project_id, name, theme_id) VALUES ('flow_1', 'proj_1', 'Flow', 'theme_1')",
        """
        INSERT INTO screens (id, flow_id, project_id, type, "order", content)
        VALUES ('screen_1', 'flow_1', 'proj_1', 'welcome', 0, '{"title": "Hello"}')
        """,
        "UPDATE projects SET default_flow_id = 'flow_1'",
        "INSERT INTO publications (project_id, wanted_revision, published_revision) VALUES ('proj_1', 7, 6)",
        """
        INSERT INTO events (project_id, event_id, event_type, device_id, flow_id, occurred_at, received_at)
        SELECT 'proj_1', 'evt_' || n, 'flow_started', 'phone_' || n % 3, 'flow_1', now() - n * interval '1 h', now()
        FROM generate_series(1, 30) n
        """,
        "INSERT INTO exposures (project_id, device_id, flow_id, exposed_at) VALUES ('proj_1', 'phone_0', 'f', now())",
        "INSERT INTO devices SELECT project_id, device_id, min(occurred_at) FROM events GROUP BY 1, 2",
        "INSERT INTO dead_letters (stream, entry_id, body, reason) VALUES ('events', '1-0', 'junk', 'Unreadable: x')",
    ),
    "0002": (
        """
        INSERT INTO audit_entries (id, project_id, user_id, action, entity_type, entity_id, after)
        VALUES ('audit_1', 'proj_1', 'user_1', 'create', 'flow', 'flow_1', '{"name": "F"}')
        """,
    ),
    "0003": ("INSERT INTO idempotency_keys VALUES ('user_1', 'key', 'print', 201, NULL, 'sealed', now())",),
    "0004": ("INSERT INTO qa_devices VALUES ('proj_1', 'phone_1', 'flow_1')",),
    "0010": (
        """
        INSERT INTO experiments (id, project_id, name, status, variants, primary_event, started_at)
        VALUES ('exp_1', 'proj_1', 'Button', 'running', '[{"key": "a", "flow_id": "flow_1"}]', 'flow_completed', now())
        """,
    ),
    "0024": ("INSERT INTO preview_links VALUES ('preview_1', 'proj_1', 'flow_1', true, now(), 'user_1')",),
}

#: A release to come, that only adds to the schema: a column, and an index that is built beside those who write.
EXPANDING = {
    "9001": """
revision, down_revision = "9001", "{head}"
def upgrade():
    op.add_column("flows", sa.Column("subtitle", sa.Text(), nullable=True))
""",
    "9002": """
revision, down_revision, statement_timeout = "9002", "9001", "15min"
def upgrade():
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS ix_flows_name")
        op.create_index("ix_flows_name", "flows", ["name"], postgresql_concurrently=True)
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


@pytest.fixture
def engine(empty_database_url: str) -> Iterator[Engine]:
    """Return an engine on a database without any table."""
    engine = make_engine(DatabaseSettings(database_url=SecretStr(empty_database_url)))
    yield engine
    engine.dispose()


def contents(connection: Connection) -> dict[str, list[dict[str, Any]]]:
    """Return every row of every table."""
    tables = connection.scalars(
        text("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')")
    ).all()
    return {
        table: [dict(row) for row in connection.scalars(text(f"SELECT to_jsonb(t) FROM {table} t ORDER BY t::text"))]  # noqa: S608 - the names of tables
        for table in tables
        if table != "alembic_version"
    }


def only(rows: list[dict[str, Any]], columns: set[str]) -> list[str]:
    """Return the rows with some of their columns, in an order of their own."""
    return sorted(repr({name: row[name] for name in sorted(columns)}) for row in rows)


def test_rows_of_every_earlier_release_survive_all_upgrades(engine: Engine) -> None:
    config = Config()
    config.set_main_option("script_location", migrations.__path__[0])
    revisions = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    stored: dict[str, dict[str, list[dict[str, Any]]]] = {}
    with engine.connect() as connection:
        config.attributes.update(connection=connection, on_revision=lambda _revision: None)
        for revision in reversed(revisions):
            command.upgrade(config, revision)
            for statement in ROWS.get(revision, ()):
                connection.execute(text(statement))
            stored[revision] = contents(connection)
            connection.commit()
        now = contents(connection)
    for revision, tables in stored.items():
        for table, rows in tables.items():
            # A migration may raise the oldest release that the schema serves.
            if rows and table in now and table != "schema_compatibility":
                columns = rows[0].keys() & now[table][0].keys()
                assert only(now[table], columns) == only(rows, columns), (revision, table)
    assert {"events", "flows", "experiments", "audit_entries", "dead_letters"} <= now.keys()
    assert revisions == sorted(revisions, reverse=True), "what is newer must be told by its name"


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
