"""`onboarding events`: the status of events, and dead letters."""

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from pydantic import SecretStr

from common.settings.shared import DatabaseSettings
from common.wire.redis_keys import EVENT_FIELD, event_streams
from common.wire.stream_records import EventRecord, encode_record
from management_api.db.engine import Database
from management_api.event_consumer.store import BatchStore
from management_api.event_consumer.stream import StreamEntry
from tests.support.command import run_command
from tests.support.data.rows import add_project

Onboarding = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def project_id(database_url: str) -> Iterator[str]:
    database = Database(DatabaseSettings(database_url=SecretStr(database_url)))
    with database.transaction() as session:
        project_id = add_project(session).id
    store = BatchStore(database)
    record = EventRecord(
        project_id, "evt_1", "flow_started", "[red]device[/]\x1b", 1_780_315_200_000, 1_780_315_200_000
    )
    store.store_dead_letter(StreamEntry("stream", "1-0", encode_record(record)), "Odd: [bold]reason")
    store.store_dead_letter(StreamEntry("stream", "2-0", b"\xff"), "StreamRecordError: it cannot be read")
    yield project_id
    database.close()


@pytest.fixture
def onboarding(database_url: str, redis_url: str) -> Onboarding:
    """Return a function that runs the command on the test's servers."""
    variables = {"ONBOARDING_DATABASE_URL": database_url, "ONBOARDING_REDIS_URL": redis_url}

    def run(*arguments: str, **changes: str) -> subprocess.CompletedProcess[str]:
        return run_command("events", *arguments, **{**variables, **changes})

    return run


def letters(onboarding: Onboarding) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(onboarding("dead-letters", "list", "--json").stdout)
    return found


@pytest.mark.usefixtures("project_id")
def test_status_counts_waiting_entries_and_dead_letters(onboarding: Onboarding, redis_url: str) -> None:
    with redis.Redis.from_url(redis_url) as client:
        client.xadd(event_streams()[1], {EVENT_FIELD: b"waits"})
    shown = onboarding("status", "--json", "--seconds", "0.1")
    assert shown.stderr == ""
    status = json.loads(shown.stdout)
    assert (status["waiting"], status["pending"], status["spool_bytes"]) == (1, 0, None)
    assert {letter["kind"]: letter["letters"] for letter in status["dead_letters"]} == {
        "Odd": 1,
        "StreamRecordError": 1,
    }
    table = onboarding("status", "--seconds", "0.1").stdout
    assert [part for part in (event_streams()[1], "Odd", "StreamRecordError") if part not in table] == []


def test_dead_letters_are_printed_without_markup_or_control_characters(onboarding: Onboarding, project_id: str) -> None:
    table = onboarding("dead-letters", "list").stdout
    assert "Odd: [bold]reason" in table
    unreadable, readable = letters(onboarding)
    assert (readable["project_id"], unreadable["project_id"]) == (project_id, None)
    shown = onboarding("dead-letters", "show", str(readable["id"])).stdout
    assert "\x1b" not in shown
    assert json.loads(shown)["record"]["device_id"] == "[red]device[/]\x1b"
    assert json.loads(onboarding("dead-letters", "show", str(unreadable["id"])).stdout)["body"] == "/w=="
    missing = onboarding("dead-letters", "show", "999")
    assert (missing.returncode, missing.stderr) == (1, "onboarding: there is no dead letter 999\n")


@pytest.mark.usefixtures("project_id")
def test_selected_dead_letters_are_replayed(onboarding: Onboarding, redis_url: str) -> None:
    assert onboarding("dead-letters", "replay").returncode == 2
    dry = onboarding("dead-letters", "replay", "--reason", "Odd", "--dry-run")
    assert "1 dead letter would be replayed" in dry.stderr
    with redis.Redis.from_url(redis_url) as client:
        assert not client.exists(*event_streams())
        done = onboarding("dead-letters", "replay", "--reason", "Odd")
        assert (done.returncode, "1 dead letter put back into the streams" in done.stderr) == (0, True)
        assert sum(client.xlen(stream) for stream in event_streams()) == 1
    assert [letter["replayed_at"] is not None for letter in letters(onboarding)] == [False, True]


@pytest.mark.usefixtures("project_id")
def test_selected_dead_letters_are_deleted(onboarding: Onboarding) -> None:
    assert onboarding("dead-letters", "delete").returncode == 2
    assert "1 older dead letter not shown" in onboarding("dead-letters", "list", "--limit", "1").stderr
    assert "2 dead letters would be deleted" in onboarding("dead-letters", "delete", "--all", "--dry-run").stderr
    assert "1 dead letter deleted" in onboarding("dead-letters", "delete", "--reason", "Odd").stderr
    assert [letter["reason"].partition(":")[0] for letter in letters(onboarding)] == ["StreamRecordError"]


@pytest.mark.usefixtures("project_id")
def test_unavailable_redis_is_one_line_and_exit_status_3(onboarding: Onboarding) -> None:
    failed = onboarding("status", ONBOARDING_REDIS_URL="redis://:s3cret@127.0.0.1:1/0")
    assert (failed.returncode, len(failed.stderr.splitlines())) == (3, 1)
    assert failed.stderr.startswith("onboarding: Redis: ")
    assert "s3cret" not in failed.stderr


def test_missing_settings_without_a_stack_are_named(onboarding: Onboarding, tmp_path: Path) -> None:
    lost = onboarding(
        "status", ONBOARDING_DATABASE_URL="", ONBOARDING_REDIS_URL="", ONBOARDING_STATE_DIR=str(tmp_path / "state")
    )
    assert (lost.returncode, len(lost.stderr.splitlines())) == (2, 1)
    assert "ONBOARDING_DATABASE_URL" in lost.stderr
