"""The row that exports the data of a device (contract, section 3, Devices)."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import delete, insert, select, text

from common.ids import IdPrefix, new_id
from common.timestamps import format_timestamp, utc_now
from common.wire.stream_records import EventRecord, ExposureRecord, encode_record
from management_api.analytics import device_export
from management_api.db.models.analytics import DeadLetter, Device
from management_api.db.models.audit_log import AuditEntry
from management_api.db.models.projects import Role
from management_api.event_consumer.store import BatchStore
from management_api.event_consumer.stream import StreamEntry
from management_api.rollups.erasure import complete_erasures, pseudonym_of
from tests.support.clients.management import Management, User, data_of
from tests.support.data.analytics_events import add_events, add_exposures, an_event

NOW = utc_now().replace(microsecond=0)
YESTERDAY = NOW - timedelta(days=1)
NOTHING: dict[str, Any] = {
    "qa_flow_id": None,
    "exposures": [],
    "named_in": [],
    "events": [],
    "dead_letters": [],
    "next": None,
}


def path(project_id: str, device_id: str) -> str:
    return f"/api/projects/{project_id}/devices/{quote(device_id, safe='')}/export"


def export(user: User, project_id: str, device_id: str = "d1") -> Iterator[dict[str, Any]]:
    params: dict[str, str] = {}
    while True:
        page = data_of(user.get(path(project_id, device_id), params=params))
        yield page
        if page["next"] is None:
            return
        params = {"cursor": page["next"]}


def exported(user: User, project_id: str, device_id: str = "d1") -> list[str]:
    return [event["event_id"] for page in export(user, project_id, device_id) for event in page["events"]]


def add(management: Management, project_id: str, *events: dict[str, Any]) -> list[str]:
    """Add events, and return their ids."""
    with management.database.transaction() as session:
        add_events(session, project_id, events)
    return [event["event_id"] for event in events]


def add_letter(management: Management, body: bytes) -> None:
    with management.database.transaction() as session:
        values = {"stream": "s", "entry_id": new_id(IdPrefix.EVENT), "body": body, "reason": "Odd: a test"}
        session.execute(insert(DeadLetter).values(**values))


def letter(project_id: str, device_id: str, event_id: str = "e") -> bytes:
    return encode_record(EventRecord(project_id, event_id, "flow_started", device_id, 0, 0, secret_key_id="key_1"))


def test_export_has_all_data_of_the_device_and_no_other_data(
    management: Management, alice: User, project_id: str
) -> None:
    conditions = [{"attribute": "deviceId", "operator": "eq", "value": "d1"}]
    flow_id = alice.create_flow(project_id, targeting={"conditions": conditions})["id"]
    data_of(alice.put(f"/api/projects/{project_id}/qa-devices", {"devices": {"d1": flow_id, "d2": flow_id}}))
    answer = {"answer": ["a", "b"]}
    event = an_event(YESTERDAY, event_type="question_answered", flow_id=flow_id, properties=answer, platform="ios")
    add(management, project_id, event, an_event(YESTERDAY, device_id="d2"))
    other_project = alice.create_project("Other")["id"]
    add(management, other_project, an_event(YESTERDAY))
    with management.database.transaction() as session:
        add_exposures(session, project_id, ["d1", "d2"], flow_id, YESTERDAY, "exp_1", "a")
    for of_project, device in ((project_id, "d1"), (project_id, "d2"), (other_project, "d1")):
        add_letter(management, letter(of_project, device))
    add_letter(management, b"\xff no record")
    (page,) = export(alice, project_id)
    (found,) = page.pop("events")
    (dead_letter,) = page.pop("dead_letters")
    assert found["event_id"] == event["event_id"]
    assert (found["properties"], found["timestamp"]) == (answer, format_timestamp(YESTERDAY))
    assert (dead_letter["reason"], dead_letter["record"]["event_type"]) == ("Odd: a test", "flow_started")
    assert "secret_key_id" not in dead_letter["record"]
    assert page == {
        "project_id": project_id,
        "device_id": "d1",
        "qa_flow_id": flow_id,
        "exposures": [
            {
                "flow_id": flow_id,
                "experiment_id": "exp_1",
                "variant": "a",
                "exposed_at": format_timestamp(YESTERDAY),
                "platform": None,
            }
        ],
        "named_in": [flow_id],
        "next": None,
    }


@pytest.mark.parametrize("device_id", ["unknown", "a\0b", "a\x01", "x" * 257, " "])
def test_unknown_device_has_an_empty_export(alice: User, project_id: str, device_id: str) -> None:
    (page,) = export(alice, project_id, device_id)
    assert page == {"project_id": project_id, "device_id": device_id.strip(), **NOTHING}


@pytest.mark.parametrize(
    "device_id",
    ["a/b", "/", "a//b/", "..", "%2F", "a%", "?x=1#y", "a b+c", "\N{PARTY POPPER}", "export", "a/export", "x" * 256],
)
def test_device_id_may_be_any_text(management: Management, alice: User, project_id: str, device_id: str) -> None:
    events = add(management, project_id, an_event(YESTERDAY, device_id=device_id), an_event(YESTERDAY))
    assert exported(alice, project_id, device_id) == events[:1]


def test_id_that_ends_in_export_is_erased_by_its_own_path(management: Management, alice: User, project_id: str) -> None:
    kept = add(management, project_id, an_event(YESTERDAY, device_id="d1"))
    add(management, project_id, an_event(YESTERDAY, device_id="d1/export"))
    assert alice.delete(path(project_id, "d1")).status_code == 200
    complete_erasures(management.database, project_id)
    assert exported(alice, project_id, "d1/export") == []
    assert exported(alice, project_id) == kept


def test_id_that_is_not_utf_8_is_refused(alice: User, project_id: str) -> None:
    # The path that a server passes to Falcon for %FF; Falcon's client would send a replacement character.
    refused = alice.get("/", extras={"PATH_INFO": f"/api/projects/{project_id}/devices/\xff/export"})
    assert (refused.status_code, refused.json["code"]) == (400, "INVALID_PARAMETER")


@pytest.mark.parametrize("page_size", [1, 3, 100])
@pytest.mark.parametrize("readable", [1, 4, 500_000])
def test_pages_have_each_event_once_in_the_order_of_time(
    management: Management,
    alice: User,
    project_id: str,
    monkeypatch: pytest.MonkeyPatch,
    page_size: int,
    readable: int,
) -> None:
    days = [NOW - timedelta(days=day) for day in (40, 7, 2, 1)]
    mine = [an_event(day + timedelta(seconds=second)) for day in days for second in (0, 0, 5)]
    others = [an_event(day + timedelta(seconds=1), device_id="d2") for day in [*days, NOW] for _ in range(3)]
    add(management, project_id, *mine, *others)
    for _ in range(3):
        add_letter(management, letter(project_id, "d1"))
    monkeypatch.setattr(device_export, "MAX_ITEMS", page_size)
    monkeypatch.setattr(device_export, "MAX_READ", readable)
    monkeypatch.setattr(device_export, "MAX_LETTERS_READ", readable)
    pages = list(export(alice, project_id))
    expected = sorted(mine, key=lambda event: (event["occurred_at"], event["event_id"]))
    assert [event["event_id"] for page in pages for event in page["events"]] == [e["event_id"] for e in expected]
    assert sum(len(page["dead_letters"]) for page in pages) == 3
    assert max(len(page["events"]) + len(page["dead_letters"]) for page in pages) <= page_size


def test_page_ends_at_a_bound_of_bytes(
    management: Management, alice: User, project_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(management, project_id, *(an_event(YESTERDAY, properties={"text": "x" * 1000}) for _ in range(5)))
    monkeypatch.setattr(device_export, "MAX_BYTES", 1500)
    assert [len(page["events"]) for page in export(alice, project_id)] == [2, 2, 1]


@pytest.mark.parametrize("cursor", ["x", "9" * 19, "WyJ4Il0", "W10"])
def test_cursor_of_no_page_is_refused(alice: User, project_id: str, cursor: str) -> None:
    refused = alice.get(path(project_id, "d1"), params={"cursor": cursor})
    assert (refused.status_code, refused.json["details"][0]["field"]) == (400, "cursor")


def test_data_that_waits_for_its_erasure_is_left_out(management: Management, alice: User, project_id: str) -> None:
    flow_id = management.add_flow(project_id)
    data_of(alice.put(f"/api/projects/{project_id}/qa-devices", {"devices": {"d1": flow_id}}))
    add(management, project_id, an_event(YESTERDAY, flow_id=flow_id))
    with management.database.transaction() as session:
        add_exposures(session, project_id, ["d1"], flow_id, YESTERDAY, "", "")
    add_letter(management, letter(project_id, "d1"))
    assert alice.delete(f"/api/projects/{project_id}/devices/d1").status_code == 200
    (page,) = export(alice, project_id)
    assert page == {"project_id": project_id, "device_id": "d1", **NOTHING}
    # The device comes back before the pass, with events of the day whose former events are not erased yet.
    back = add(management, project_id, an_event(utc_now() + timedelta(seconds=1)))
    add_letter(management, letter(project_id, "d1", "later"))
    (page,) = export(alice, project_id)
    assert [event["event_id"] for event in page["events"]] == back
    assert [found["record"]["event_id"] for found in page["dead_letters"]] == ["later"]
    complete_erasures(management.database, project_id)
    assert exported(alice, project_id) == back


def test_events_that_no_rollup_counts_yet_are_exported(management: Management, alice: User, project_id: str) -> None:
    counted = add(management, project_id, an_event(YESTERDAY))
    now_ms = int(NOW.timestamp() * 1000)
    days_ms = 86_400_000
    records: list[EventRecord | ExposureRecord] = [
        EventRecord(project_id, f"evt_{device}_{age}", "opened", device, now_ms - age * days_ms, now_ms)
        for device in ("d1", "d2", "new")
        for age in (9, 3)
    ]
    records.append(ExposureRecord(project_id, "d1", "flow_1", now_ms))
    entries = [
        StreamEntry("stream", f"{now_ms}-{number}", encode_record(record)) for number, record in enumerate(records)
    ]
    BatchStore(management.database).store(entries)
    assert exported(alice, project_id) == ["evt_d1_9", "evt_d1_3", *counted]
    assert exported(alice, project_id, "new") == ["evt_new_9", "evt_new_3"]


@pytest.fixture
def first_kept(management: Management) -> Iterator[datetime]:
    """Drop the events of three months ago, as the retention does."""
    statement = text("UPDATE event_storage SET complete_from = :moment")
    moment = NOW - timedelta(days=90)
    with management.database.transaction() as session:
        session.execute(statement, {"moment": moment})
    yield moment
    with management.database.transaction() as session:
        session.execute(statement, {"moment": None})


def test_late_event_of_a_device_whose_number_is_deleted_is_exported(
    management: Management, alice: User, project_id: str, first_kept: datetime
) -> None:
    """Its day is before the first kept one, but it was received later, so the retention has left it."""
    late = [an_event(first_kept - timedelta(days=day)) | {"received_at": NOW} for day in (200, 3)]
    events = add(management, project_id, *late)
    with management.database.transaction() as session:
        session.execute(delete(Device).where(Device.project_id == project_id))
    assert exported(alice, project_id) == events
    back = add(management, project_id, an_event(YESTERDAY))
    assert exported(alice, project_id) == [*events, *back]


def test_audit_log_has_an_export_once_in_an_hour_without_the_device(
    management: Management, alice: User, project_id: str
) -> None:
    admin = management.member("admin", project_id, Role.ADMIN)
    for user, device in ((alice, "d1"), (alice, "d1"), (alice, "d2"), (admin, "d1"), (alice, " ")):
        list(export(user, project_id, device))
    with management.database.transaction() as session:
        exports = (AuditEntry.project_id == project_id, AuditEntry.action == "device.export")
        found = session.scalars(select(AuditEntry.entity_id).where(*exports).order_by(AuditEntry.id)).all()
    assert found == [pseudonym_of(project_id, device) for device in ("d1", "d2", "d1")]
