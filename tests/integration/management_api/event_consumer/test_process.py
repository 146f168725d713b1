"""The event consumer as a process."""

from pathlib import Path

import redis

from management_api.db.engine import Database
from management_api.event_consumer.settings import ConsumerSettings
from tests.integration.management_api.event_consumer.stored_tables import count
from tests.integration.management_api.event_consumer.stream_records import an_event, send
from tests.support.data.rows import add_project
from tests.support.polling import eventually
from tests.support.servers.service_process import StartedProcess


def test_process_consumes_until_sigterm_and_logs_no_secret(
    settings: ConsumerSettings, database: Database, redis_client: redis.Redis, tmp_path: Path
) -> None:
    with database.transaction() as session:
        project_id = add_project(session).id
    send(redis_client, [an_event(project_id)])
    environment = {
        "ONBOARDING_DATABASE_URL": settings.database_url.get_secret_value(),
        "ONBOARDING_REDIS_URL": settings.redis_url.get_secret_value(),
        "ONBOARDING_LOG_LEVEL": "debug",
    }
    log_file = tmp_path / "consumer.log"
    with StartedProcess("management_api.event_consumer.main", "ConsumerSettings", environment, log_file) as process:

        def is_stored() -> bool:
            with database.transaction() as session:
                return count(session, "events") == 1

        eventually(is_stored, within=30)
        assert process.terminate() == 0
    log = log_file.read_text()
    assert "consumer.stopped" in log
    assert environment["ONBOARDING_DATABASE_URL"] not in log
