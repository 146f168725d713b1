"""deploy/postgresql/database.sh: two roles without the rights of a superuser, and a backup that it restores."""

import base64
import os
import secrets
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from pydantic import SecretStr

from common.settings.shared import DatabaseSettings
from common.wire.redis_keys import snapshot_key
from management_api.db.migrate import migrate
from publisher.main import rebuild_all
from publisher.settings import PublisherSettings
from tests.integration.postgresql.test_pooler import use_everything
from tests.integration.postgresql.test_restore import no_progress, onboarding, snapshots_of
from tests.support.clients.management import management_service
from tests.support.databases.private_postgresql import PROGRAMS, own_postgresql
from tests.support.servers.compose_redis import DEPLOY, make_secrets

pytestmark = pytest.mark.slow


class Installation:
    """A server with the secrets of compose, and its script."""

    def __init__(self, server_url: str, folder: Path) -> None:
        self._secrets = folder / "secrets"
        make_secrets(self._secrets)
        # The administrator of the image; that of the embedded server has the name of the owner.
        self._server = urlsplit(server_url)
        self._execute("CREATE ROLE postgres SUPERUSER LOGIN PASSWORD 'secret'")
        self._server = urlsplit(f"postgresql://postgres:secret@{self._server.hostname}:{self._server.port}/postgres")
        self._execute("ALTER ROLE onboarding RENAME TO embedded")
        self._execute("CREATE DATABASE onboarding_installation")

    def url(self, secret: str, database: str = "onboarding_installation") -> str:
        """Return the URL in a secret, with the address of this server."""
        configured = urlsplit((self._secrets / secret).read_text())
        netloc = f"{configured.username}:{configured.password}@{self._server.hostname}:{self._server.port}"
        return configured._replace(netloc=netloc, path=f"/{database}").geturl()

    def run(self, *arguments: str, given: bytes = b"") -> bytes:
        """Run the script as the administrator, as the containers do."""
        environment = {
            "PATH": f"{PROGRAMS}:{os.environ['PATH']}",
            "PGHOST": str(self._server.hostname),
            "PGPORT": str(self._server.port),
            "PGUSER": str(self._server.username),
            "PGPASSWORD": str(self._server.password),
            "POSTGRES_DB": "onboarding_installation",
            "SECRETS": str(self._secrets),
        }
        command = ["/bin/sh", str(DEPLOY / "postgresql" / "database.sh"), *arguments]
        ended = subprocess.run(command, env=environment, input=given, capture_output=True, check=False)  # noqa: S603 - our own script
        assert ended.returncode == 0, ended.stderr.decode()
        return ended.stdout

    def databases(self) -> set[str]:
        with psycopg.connect(self._server.geturl()) as connection:
            return {name for (name,) in connection.execute("SELECT datname FROM pg_database")}

    def _execute(self, statement: str) -> None:
        with psycopg.connect(self._server.geturl(), autocommit=True) as connection:
            connection.execute(statement.encode())


@pytest.fixture(scope="module")
def master_key() -> str:
    """Return the master key of the installation, which all tests of the module share."""
    return base64.b64encode(secrets.token_bytes(32)).decode()


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """Return an installation whose roles the script has made twice."""
    folder = tmp_path_factory.mktemp("installation")
    with own_postgresql(folder / "server") as server:
        made = Installation(server.url, folder)
        made.run("roles")
        migrate(DatabaseSettings(database_url=SecretStr(made.url("database_url"))))
        made.run("roles")
        yield made


def test_service_works_with_an_owner_and_a_role_for_rows(
    installation: Installation, redis_url: str, master_key: str, tmp_path: Path
) -> None:
    with management_service(installation.url("database_url_app"), master_key, tmp_path) as management:
        project_id = management.user("owner").create_project()["id"]
    published = PublisherSettings(
        database_url=SecretStr(installation.url("database_url_app")),
        redis_url=SecretStr(redis_url),
        master_key=SecretStr(master_key),
    )
    assert rebuild_all(published, no_progress) == 1
    assert list(snapshots_of(redis_url)) == [snapshot_key(project_id).encode()]
    # Storing events and the chores make and drop partitions.
    with management_service(installation.url("database_url"), master_key, tmp_path) as management:
        use_everything(management)


@pytest.mark.parametrize(
    ("secret", "statement"),
    [
        ("database_url_app", "DROP TABLE projects"),
        ("database_url_app", "CREATE TABLE mine (id int)"),
        ("database_url_app", "TRUNCATE audit_entries"),
        ("database_url_app", "COPY projects TO PROGRAM 'cat'"),
        ("database_url", "COPY projects TO PROGRAM 'cat'"),
        ("database_url", "CREATE ROLE mine"),
        ("database_url", "ALTER ROLE onboarding SUPERUSER"),
    ],
)
def test_role_has_no_right_beyond_its_work(installation: Installation, secret: str, statement: str) -> None:
    with (
        psycopg.connect(installation.url(secret)) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(statement.encode())


def test_dump_is_restored_beside_the_former_database_and_drilled(installation: Installation, master_key: str) -> None:
    with psycopg.connect(installation.url("database_url_app")) as connection:
        connection.execute("INSERT INTO users (id, issuer, subject) VALUES ('user_kept', 'x', 'kept')")
    dump = installation.run("dump")
    with psycopg.connect(installation.url("database_url_app")) as connection:
        connection.execute("DELETE FROM users WHERE id = 'user_kept'")
    for _ in range(2):
        installation.run("drill", given=dump)
    drilled = {"ONBOARDING_DATABASE_URL": installation.url("database_url_app", "onboarding_drill")}
    onboarding(
        ["doctor", "--only", "PostgreSQL", "--only", "master key"], {**drilled, "ONBOARDING_MASTER_KEY": master_key}
    )
    installation.run("restore", "onboarding_installation", given=dump)
    for secret in ("database_url", "database_url_app"):
        with psycopg.connect(installation.url(secret)) as connection:
            assert connection.execute("SELECT 1 FROM users WHERE id = 'user_kept'").fetchone() == (1,)
    applied: list[str] = []
    migrate(DatabaseSettings(database_url=SecretStr(installation.url("database_url"))), applied.append)
    assert applied == []
    kept = [name for name in installation.databases() if name.startswith("onboarding_installation_before_")]
    assert len(kept) == 1


def test_dump_that_ends_early_replaces_nothing(installation: Installation) -> None:
    dump = installation.run("dump")
    with pytest.raises(AssertionError):
        installation.run("restore", "onboarding_installation", given=dump[: len(dump) // 2])
    with psycopg.connect(installation.url("database_url_app")) as connection:
        connection.execute("SELECT FROM projects")
