"""PostgreSQL over TLS: the parameters of libpq in the URL reach every process, and a wrong one is reported."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from pydantic import SecretStr
from sqlalchemy import text

from cli.connections import server_errors_as_one_line
from cli.errors import CommandError
from common.errors import SettingsError
from common.process import ShutdownSignal
from common.settings.shared import DatabaseSettings
from management_api.db.engine import Database
from management_api.db.migrate import migrate
from management_api.db.models.outbox import NOTIFY_CHANNEL
from management_api.db.psycopg_connection import driver_connection
from publisher.outbox import NotifyListener
from tests.support.servers.certificates import Authority
from tests.support.servers.tls_proxy import tls_context, tls_proxy

pytestmark = pytest.mark.slow

ADDRESS = "127.0.0.1"


@pytest.fixture
def trusted(tmp_path: Path) -> Authority:
    return Authority("trusted", tmp_path)


@pytest.fixture
def server_url(trusted: Authority, database_url: str, tmp_path: Path) -> Iterator[str]:
    """Return the URL of a server with a certificate for its address, and for no name."""
    certificate, key = tmp_path / "server.pem", tmp_path / "server.key"
    trusted.sign_address(ADDRESS, certificate, key)
    with tls_proxy(database_url, tls_context(certificate, key)) as url:
        yield url


def with_tls(url: str, authority: Path) -> str:
    """Return the URL of a client that verifies the server's certificate."""
    return f"{url}?{urlencode({'sslmode': 'verify-full', 'sslrootcert': str(authority)})}"


def test_migrations_requests_and_notifications_go_over_tls(server_url: str, trusted: Authority) -> None:
    settings = DatabaseSettings(database_url=SecretStr(with_tls(server_url, trusted.file)))
    migrate(settings)
    database = Database(settings)
    listener = NotifyListener(database)
    listener.listen()
    with database.transaction() as session:
        assert driver_connection(session).pgconn.ssl_in_use
        session.execute(text("SELECT pg_notify(:channel, '')"), {"channel": NOTIFY_CHANNEL})
    listener.wait(20, ShutdownSignal())
    listener.close()
    database.close()


def test_server_without_a_valid_certificate_is_rejected_with_a_reason(
    server_url: str, trusted: Authority, tmp_path: Path
) -> None:
    strange = Authority("strange", tmp_path)
    reasons = {
        with_tls(server_url, strange.file): "certificate verify failed",
        with_tls(server_url.replace(ADDRESS, "localhost"), trusted.file): "does not match host name",
        with_tls(server_url, tmp_path / "forgotten.pem"): "forgotten.pem",
    }
    for url, reason in reasons.items():
        with pytest.raises(CommandError) as refused, server_errors_as_one_line():
            migrate(DatabaseSettings(database_url=SecretStr(url)))
        assert reason in str(refused.value)
        assert len(str(refused.value).splitlines()) == 1


def test_command_reports_the_error_in_one_line_without_the_password(server_url: str, tmp_path: Path) -> None:
    strange = Authority("strange", tmp_path)
    ended = migrating(with_tls(server_url, strange.file))
    [line] = ended.stderr.splitlines()
    assert (ended.returncode, line.startswith("onboarding: PostgreSQL: ")) == (3, True), line
    assert "certificate verify failed" in line
    assert (urlsplit(server_url).password or "") not in line


def test_a_url_that_libpq_does_not_take_stops_the_start(database_url: str) -> None:
    with pytest.raises(SettingsError, match="ONBOARDING_DATABASE_URL: is no connection URI") as refused:
        Database(DatabaseSettings(database_url=SecretStr(f"{database_url}?sslmod=require")))
    assert (urlsplit(database_url).password or "") not in str(refused.value)


def migrating(url: str) -> "subprocess.CompletedProcess[str]":
    """Run `onboarding migrate` on that URL to its end."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "cli.main", "migrate"],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(__file__).parents[3]), "ONBOARDING_DATABASE_URL": url},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
