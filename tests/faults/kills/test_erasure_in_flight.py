"""Events, answers and dead letters under way do not restore an erased device or a deleted project."""

import os
import signal
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import psycopg
import pytest
import redis

from common.wire.redis_keys import EVENT_FIELD, event_stream_of, event_streams
from common.wire.stream_records import EventRecord, encode_record
from tests.e2e.api_clients import Dashboard, Phone
from tests.faults.conftest import KillableStack
from tests.support.polling import eventually

pytestmark = pytest.mark.slow

TABLES = ("events", "devices", "exposures", "dead_letters")


@pytest.fixture
def project(dashboard: Dashboard) -> dict[str, Any]:
    project: dict[str, Any] = dashboard.post("/projects", {"name": "Erased"})
    dashboard.post("/flows", {"projectId": project["id"], "name": "Only", "status": "active", "is_default": True})
    return project


@pytest.fixture
def phone(http: httpx.Client, killable_stack: KillableStack, dashboard: Dashboard, project: dict[str, Any]) -> Phone:
    """Return a phone of the project, which the edge has loaded."""
    key = dashboard.get(f"/projects/{project['id']}/api-keys")["secret_keys"][0]["secret_key"]
    phone = Phone(http, killable_stack.stack.edge_url, project["id"], key)
    eventually(lambda: phone.config().is_success)
    return phone


@contextmanager
def paused_consumer(killable_stack: KillableStack) -> Iterator[None]:
    """Pause the consumer until the block ends, so that posted events wait in Redis."""
    consumer = killable_stack.stack.pid_of("consumer")
    os.kill(consumer, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(consumer, signal.SIGCONT)


def events_of(device_id: str, count: int = 5) -> list[dict[str, Any]]:
    return [{"eventType": "opened", "deviceId": device_id, "eventId": uuid.uuid4().hex} for _ in range(count)]


def send_poison(killable_stack: KillableStack, project_id: str, device_id: str) -> None:
    """Add an event of the device to the stream that PostgreSQL rejects."""
    poison = EventRecord(project_id, uuid.uuid4().hex, "opened", device_id, 2**62, 2**40)
    with redis.Redis.from_url(killable_stack.redis_url) as client:
        client.xadd(event_stream_of(project_id, device_id), {EVENT_FIELD: encode_record(poison)})


def is_drained(killable_stack: KillableStack) -> bool:
    with redis.Redis.from_url(killable_stack.redis_url) as client:
        return not any(client.xlen(stream) for stream in event_streams())


def counts(killable_stack: KillableStack, project_id: str) -> dict[str, int]:
    """Return the number of the project's rows in each table."""
    with psycopg.connect(killable_stack.database_url) as connection:
        queries = {table: f"SELECT count(*) FROM {table} WHERE project_id = %s" for table in TABLES}  # noqa: S608 - ours
        rows = {table: connection.execute(query, [project_id]).fetchone() for table, query in queries.items()}
    return {table: row[0] for table, row in rows.items() if row is not None}


def is_settled(killable_stack: KillableStack, project_id: str) -> bool:
    """Return whether no erasure of the project waits for its chore, and all of its events are counted."""
    with psycopg.connect(killable_stack.database_url) as connection:
        waiting = connection.execute(
            "SELECT FROM pending_erasures WHERE project_id = %(project)s"
            " UNION ALL SELECT FROM uncounted_batches WHERE project_id = %(project)s",
            {"project": project_id},
        )
        return waiting.fetchone() is None


def test_deleted_project_keeps_no_row_of_events_under_way(
    killable_stack: KillableStack, dashboard: Dashboard, project: dict[str, Any], phone: Phone
) -> None:
    phone.report_batch(events_of("before"))
    send_poison(killable_stack, project["id"], "before")
    eventually(lambda: counts(killable_stack, project["id"])["dead_letters"] == 1)
    with paused_consumer(killable_stack):
        phone.report_batch(events_of("under way"))
        send_poison(killable_stack, project["id"], "under way")
        assert dashboard.delete(f"/projects/{project['id']}").is_success
    eventually(lambda: is_drained(killable_stack))
    # A chore purges the rows in portions.
    eventually(lambda: counts(killable_stack, project["id"]) == dict.fromkeys(TABLES, 0), within=60)


def test_erased_device_keeps_no_row_of_events_under_way(
    killable_stack: KillableStack, dashboard: Dashboard, project: dict[str, Any], phone: Phone
) -> None:
    phone.report_batch(events_of("erased"))
    send_poison(killable_stack, project["id"], "erased")
    eventually(lambda: counts(killable_stack, project["id"])["dead_letters"] == 1)
    with paused_consumer(killable_stack):
        phone.report_batch([*events_of("erased"), *events_of("kept")])
        send_poison(killable_stack, project["id"], "erased")
        assert dashboard.delete(f"/projects/{project['id']}/devices/erased").is_success
    eventually(lambda: is_drained(killable_stack))
    # A chore removes what was stored before the erasure. It does not remove later rows, so none may have come.
    eventually(lambda: is_settled(killable_stack, project["id"]), within=60)
    found = counts(killable_stack, project["id"])
    assert found == {"events": 5, "devices": 1, "exposures": 0, "dead_letters": 0}


def answers_of(device_id: str, flow: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the events of a page whose question the device has answered."""
    properties = {"answer_key": "name", "question_type": "question_text", "answer": f"answer of {device_id}"}
    members = {"deviceId": device_id, "flowId": flow["id"], "screenId": flow["screens"][0]["id"]}
    event = {"eventType": "question_answered", "eventId": uuid.uuid4().hex, "properties": properties}
    return [{**members, **event}]


def test_erased_device_keeps_no_answer_under_way(
    killable_stack: KillableStack, dashboard: Dashboard, project: dict[str, Any], phone: Phone
) -> None:
    dashboard.put(f"/projects/{project['id']}", {"settings": {"record_answers": True}})
    screens = [{"type": "question_text", "content": {"question": "Your name?", "answer_key": "name"}}]
    flow = dashboard.post(
        "/flows", {"projectId": project["id"], "name": "Asking", "status": "active", "screens": screens}
    )
    responses = f"/analytics/responses?flowId={flow['id']}&period=1d"

    def samples() -> list[str]:
        (question,) = dashboard.get(responses)["questions"]
        return sorted(question["samples"] or [])

    # The edge rejects events of a flow that it does not have yet.
    eventually(lambda: flow["id"] in phone.config().text)
    phone.report_batch(answers_of("erased", flow))
    eventually(lambda: samples() == ["answer of erased"])
    with paused_consumer(killable_stack):
        phone.report_batch([*answers_of("erased", flow), *answers_of("kept", flow)])
        assert dashboard.delete(f"/projects/{project['id']}/devices/erased").is_success
    eventually(lambda: is_drained(killable_stack))
    eventually(lambda: is_settled(killable_stack, project["id"]), within=60)
    assert samples() == ["answer of kept"]
    with psycopg.connect(killable_stack.database_url) as connection:
        stored = connection.execute("SELECT count(*) FROM events WHERE properties::text LIKE '%answer of erased%'")
        assert stored.fetchone() == (0,)
