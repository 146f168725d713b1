"""The publisher as a process."""

import base64
from pathlib import Path

import pytest

from management_api.db.engine import Database
from publisher.settings import PublisherSettings
from tests.integration.publisher.published import revisions
from tests.support.data.rows import add_project, add_secret_key
from tests.support.polling import eventually
from tests.support.servers.service_process import StartedProcess

pytestmark = pytest.mark.slow


def is_published(database: Database, project_id: str) -> bool:
    """Return whether the newest revision is published. Where pages are built, the first start requests another one."""
    wanted, published = revisions(database, project_id)
    return wanted == published


def test_process_publishes_until_sigterm_and_logs_no_secret(
    settings: PublisherSettings, database: Database, master_key: str, tmp_path: Path
) -> None:
    with database.transaction() as session:
        project = add_project(session)
        _, key = add_secret_key(session, project, master_key)
        project_id = project.id
    environment = {
        "ONBOARDING_DATABASE_URL": settings.database_url.get_secret_value(),
        "ONBOARDING_REDIS_URL": settings.redis_url.get_secret_value(),
        "ONBOARDING_MASTER_KEY": master_key,
        "ONBOARDING_LOG_LEVEL": "debug",
        "ONBOARDING_PUBLISHER_HEARTBEAT_FILE": str(tmp_path / "heartbeat"),
    }
    log_file = tmp_path / "publisher.log"
    with StartedProcess("publisher.main", "PublisherSettings", environment, log_file) as process:
        eventually(lambda: is_published(database, project_id), within=30)
        first = (tmp_path / "heartbeat").stat().st_mtime_ns
        eventually(lambda: (tmp_path / "heartbeat").stat().st_mtime_ns > first, within=30)
        assert process.terminate() == 0
    log = log_file.read_text()
    assert "publisher.stopped" in log
    assert not [secret for secret in (key, master_key, environment["ONBOARDING_DATABASE_URL"]) if secret in log]


def test_wrong_master_key_stops_no_other_project_and_logs_no_secret(
    settings: PublisherSettings, database: Database, master_key: str, tmp_path: Path
) -> None:
    with database.transaction() as session:
        unreadable = add_project(session)
        add_secret_key(session, unreadable, master_key)
        unreadable_id, sound_id = unreadable.id, add_project(session).id
    other_key = base64.b64encode(bytes(range(32))).decode()
    environment = {
        "ONBOARDING_DATABASE_URL": settings.database_url.get_secret_value(),
        "ONBOARDING_REDIS_URL": settings.redis_url.get_secret_value(),
        "ONBOARDING_MASTER_KEY": other_key,
    }
    log_file = tmp_path / "publisher.log"
    with StartedProcess("publisher.main", "PublisherSettings", environment, log_file) as process:
        eventually(lambda: is_published(database, sound_id), within=30)
        assert process.terminate() == 0
    assert revisions(database, unreadable_id)[1] == 0
    log = log_file.read_text()
    assert "InvalidTag" in log
    assert other_key not in log
