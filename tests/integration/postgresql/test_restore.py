"""A backup is worth what its restore is: dumped, restored into a fresh server, and published into a fresh Redis."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
import redis
from pydantic import SecretStr

from common.settings.shared import DatabaseSettings
from common.wire.redis_keys import snapshot_key
from management_api.db.migrate import migrate
from publisher.main import rebuild_all
from publisher.settings import PublisherSettings
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.integration.management_api.db.crowded_database import crowd
from tests.integration.management_api.event_consumer.stored_tables import count
from tests.support.clients.management import data_of, management_service
from tests.support.databases.private_postgresql import own_postgresql, run_program
from tests.support.servers.running_server import RunningServer
from tests.support.soak import report, soak_setting

pytestmark = pytest.mark.slow

PROJECTS = soak_setting("RESTORED_PROJECTS", 3, 100)
EVENTS_OF_EACH = soak_setting("RESTORED_EVENTS", 20, 5000)
EVENTS = PROJECTS * EVENTS_OF_EACH


def no_progress(_done: int, _total: int) -> None:
    """Listen to no progress."""


@pytest.mark.timeout(240 + 10 * PROJECTS + EVENTS / 1000)
def test_restored_service_serves_equal_responses_with_the_master_key(
    database_url: str, redis_url: str, private_redis_server: RunningServer, master_key: str, tmp_path: Path
) -> None:
    crowd(database_url, projects=PROJECTS, events=EVENTS_OF_EACH)
    with management_service(database_url, master_key, tmp_path) as before:
        owner = before.user("owner")
        project_id = owner.create_project()["id"]
        flow = {"projectId": project_id, "name": "Welcome", "status": "active", "is_default": True}
        data_of(owner.post("/api/flows", {**flow, "screens": [{"type": "welcome"}]}), 201)
        secret_key, api_key = owner.secret_key(project_id), owner.api_key()
    with psycopg.connect(database_url) as connection:
        connection.execute("INSERT INTO publications (project_id) SELECT id FROM projects ON CONFLICT DO NOTHING")
    published = PublisherSettings(
        database_url=SecretStr(database_url), redis_url=SecretStr(redis_url), master_key=SecretStr(master_key)
    )
    assert rebuild_all(published, no_progress) == PROJECTS + 1
    seconds: dict[str, float] = {}
    dump = tmp_path / "onboarding.dump"
    with timed(seconds, "dump"):
        run_program("pg_dump", f"--dbname={database_url}", "--format=custom", f"--file={dump}")
    with own_postgresql(tmp_path / "fresh") as fresh:
        with timed(seconds, "restore"):
            run_program("pg_restore", f"--dbname={fresh.url}", "--no-owner", "--exit-on-error", "--jobs=2", str(dump))
        restored = DatabaseSettings(database_url=SecretStr(fresh.url))
        with timed(seconds, "publishing"):
            said = onboarding(
                ["snapshots", "rebuild"],
                {
                    "ONBOARDING_DATABASE_URL": fresh.url,
                    "ONBOARDING_REDIS_URL": private_redis_server.url,
                    "ONBOARDING_MASTER_KEY": master_key,
                },
            )
        assert f"{PROJECTS + 1} snapshots rebuilt." in said
        # Each rebuild gives every project a higher revision.
        assert rebuild_all(published, no_progress) == PROJECTS + 1
        assert snapshots_of(private_redis_server.url) == snapshots_of(redis_url)
        applied: list[str] = []
        migrate(restored, applied.append)
        assert applied == []
        with (
            management_service(fresh.url, master_key, tmp_path) as after,
            running_edge(edge_settings(private_redis_server.url)) as edge,
        ):
            keys = {"X-Project-Id": project_id, "X-Secret-Key": secret_key}
            resolved = edge.post("/api/onboarding/resolve", json={"deviceId": "phone"}, headers=keys)
            assert resolved.json()["flow"]["name"] == "Welcome"
            again = after.anonymous(Authorization=f"Bearer {api_key}")
            assert again.secret_key(project_id) == secret_key
            with after.database.transaction() as session:
                assert count(session, "events") == EVENTS
    report(
        f"Restore of {PROJECTS + 1} projects and {EVENTS} events",
        {"dump in MB": round(dump.stat().st_size / 1e6, 1), **{step: round(took, 1) for step, took in seconds.items()}},
    )


@contextmanager
def timed(seconds: dict[str, float], step: str) -> Iterator[None]:
    begun = time.monotonic()
    yield
    seconds[step] = time.monotonic() - begun


def onboarding(arguments: list[str], settings: Mapping[str, str]) -> str:
    """Run a command; return its output."""
    ended = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-P", "-m", "cli.main", *arguments],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(__file__).parents[3]), **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stderr


def snapshots_of(redis_url: str) -> dict[bytes, dict[bytes, bytes]]:
    """Return every snapshot that Redis holds, revision and body."""
    with redis.Redis.from_url(redis_url, protocol=2) as client:
        keys = sorted(client.scan_iter(match=snapshot_key("*"), count=1000))
        return {key: client.hgetall(key) for key in keys}
