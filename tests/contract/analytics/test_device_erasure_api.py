"""The row that erases a device (contract, section 3)."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import func, insert, select

from common.ids import IdPrefix, new_id
from common.timestamps import utc_now
from common.wire.stream_records import EventRecord, encode_record
from management_api.db.models.analytics import DeadLetter, Device, Event, Exposure
from management_api.db.models.audit_log import AuditEntry
from management_api.db.models.projects import QaDevice
from management_api.rollups.erasure import complete_erasures
from management_api.rollups.rebuild import rebuild_project
from tests.support.clients.management import Management, User, data_of
from tests.support.data.analytics_events import activity, add_events, add_exposure

TABLES = (Event, Exposure, Device, QaDevice)
NOW = utc_now()


def _path(project_id: str, device_id: str) -> str:
    return f"/api/projects/{project_id}/devices/{quote(device_id, safe='')}"


def _seed(management: Management, project_id: str, device_ids: Iterable[str]) -> None:
    """Put one row into every table for each device: it started and completed a flow yesterday."""
    flow_id = management.add_flow(project_id)
    moment = NOW - timedelta(days=1)
    with management.database.transaction() as session:
        for device_id in device_ids:
            add_events(session, project_id, activity(moment, device_id, flow_id, 1, 1))
            add_exposure(session, project_id, device_id, flow_id, moment)
            session.execute(insert(QaDevice).values(project_id=project_id, device_id=device_id, flow_id=flow_id))


def _known(management: Management, project_id: str) -> list[list[str]]:
    """Return the ids of the devices that are left, table by table."""
    with management.database.transaction() as session:
        return [
            list(
                session.scalars(
                    select(table.device_id).where(table.project_id == project_id).distinct().order_by("device_id")
                )
            )
            for table in TABLES
        ]


def _letter(project_id: str, device_id: str) -> bytes:
    return encode_record(EventRecord(project_id, "e", "flow_started", device_id, 0, 0))


def _store_letter(management: Management, stream: str, body: bytes) -> None:
    with management.database.transaction() as session:
        session.execute(
            insert(DeadLetter).values(stream=stream, entry_id=new_id(IdPrefix.EVENT), body=body, reason="a test")
        )


def test_erasure_deletes_all_rows_of_the_device_and_no_other_rows(
    management: Management, alice: User, project_id: str
) -> None:
    other_project = alice.create_project("Other")["id"]
    _seed(management, project_id, ["d1", "d2"])
    _seed(management, other_project, ["d1"])
    erased = alice.delete(_path(project_id, "d1"))
    complete_erasures(management.database, project_id)
    assert (erased.status_code, erased.json) == (200, {"success": True, "message": "Device erased"})
    assert _known(management, project_id) == [["d2"]] * len(TABLES)
    assert _known(management, other_project) == [["d1"]] * len(TABLES)


def test_statistics_are_as_if_the_device_had_never_been_there(
    management: Management, alice: User, project_id: str
) -> None:
    _seed(management, project_id, ["d1", "d2"])
    alice.delete(_path(project_id, "d1"))
    complete_erasures(management.database, project_id)
    overview = data_of(alice.get(f"/api/projects/{project_id}/stats"))["overview"]
    assert (overview["total_users"], overview["new_users"], overview["completion_rate"]) == (1, 1, 1)
    (flow,) = data_of(alice.get("/api/flows", params={"projectId": project_id}))
    assert flow["stats"] == {"total_views": 1, "completion_rate": 1}


def test_a_device_id_may_be_any_text(management: Management, alice: User, project_id: str) -> None:
    device_ids = [
        "a/b",
        "/",
        "a//b/",
        "..",
        "../../flows",
        "%2F",
        "a%",
        "?x=1#y",
        "a b+c",
        "\N{PARTY POPPER} \u00e9",
        "\ufffd",
        "x" * 256,
        ":path}",
        "proj_1",
    ]
    _seed(management, project_id, [*device_ids, "other"])
    assert {alice.delete(_path(project_id, device_id)).status_code for device_id in device_ids} == {200}
    complete_erasures(management.database, project_id)
    assert _known(management, project_id) == [["other"]] * len(TABLES)


def test_white_space_around_an_id_is_ignored(management: Management, alice: User, project_id: str) -> None:
    _seed(management, project_id, ["d 1"])
    assert alice.delete(_path(project_id, " d 1\t")).status_code == 200
    complete_erasures(management.database, project_id)
    assert _known(management, project_id) == [[]] * len(TABLES)


def test_unknown_device_counts_as_erased(management: Management, alice: User, project_id: str) -> None:
    _seed(management, project_id, ["d1"])
    for _ in range(2):
        for device_id in ("unknown", "a\0b", "a\x01", "x" * 257, " "):
            assert alice.delete(_path(project_id, device_id)).status_code == 200
        complete_erasures(management.database, project_id)
    assert _known(management, project_id) == [["d1"]] * len(TABLES)


def test_id_that_is_not_utf_8_erases_nothing(management: Management, alice: User, project_id: str) -> None:
    _seed(management, project_id, ["\ufffd"])
    # The path that a server passes to Falcon for %FF; Falcon's client would send a replacement character.
    refused = alice.delete("/", extras={"PATH_INFO": f"/api/projects/{project_id}/devices/\xff"})
    assert (refused.status_code, refused.json["code"]) == (400, "INVALID_PARAMETER")
    assert _known(management, project_id) == [["\ufffd"]] * len(TABLES)


@pytest.mark.parametrize("path", ["/devices", "/devices/"])
def test_no_id_is_no_path(alice: User, project_id: str, path: str) -> None:
    refused = alice.delete(f"/api/projects/{project_id}{path}")
    assert (refused.status_code, refused.json["code"]) == (404, "NOT_FOUND")


def test_readable_dead_letters_of_the_device_are_deleted(management: Management, alice: User, project_id: str) -> None:
    other_project = alice.create_project("Other")["id"]
    for letter in (_letter(project_id, "d1"), _letter(project_id, "d11"), _letter(other_project, "d1")):
        _store_letter(management, project_id, letter)
    _store_letter(management, project_id, b"\xff" + project_id.encode() + b"d1")
    alice.delete(_path(project_id, "d1"))
    complete_erasures(management.database, project_id)
    with management.database.transaction() as session:
        left = session.scalar(select(func.count()).where(DeadLetter.stream == project_id))
    assert left == 3


def test_audit_log_has_the_erasure_without_the_device(management: Management, alice: User, project_id: str) -> None:
    flow_id = management.add_flow(project_id)
    data_of(alice.put(f"/api/projects/{project_id}/qa-devices", {"devices": {"d1": flow_id, "d2": flow_id}}))
    alice.delete(_path(project_id, "d1"))
    complete_erasures(management.database, project_id)
    with management.database.transaction() as session:
        query = select(AuditEntry.action, AuditEntry.entity_id).where(AuditEntry.project_id == project_id)
        entries: list[Any] = list(session.execute(query.order_by(AuditEntry.id)))
    actions = [action for action, _ in entries]
    assert actions[-1] == "device.erase"
    assert "qa_device.delete" not in actions
    named = [entity_id for action, entity_id in entries if action in {"qa_device.create", "device.erase"}]
    assert "d1" not in named
    pseudonym = entries[-1].entity_id
    assert pseudonym.startswith("sha256:")
    assert sorted(named) == ["d2", pseudonym, pseudonym]


def test_an_erased_override_is_published(management: Management, alice: User, project_id: str) -> None:
    _seed(management, project_id, ["d1"])
    before, _ = management.publication_of(project_id)
    alice.delete(_path(project_id, "d1"))
    complete_erasures(management.database, project_id)
    assert management.publication_of(project_id) == (before + 1, False)


def test_the_cells_are_as_if_the_device_had_never_been_there(
    management: Management, alice: User, project_id: str
) -> None:
    _seed(management, project_id, ["d1", "d2"])
    alice.delete(_path(project_id, "d1"))
    complete_erasures(management.database, project_id)
    assert rebuild_project(management.database, project_id, repair=False) == []
    for group_by in ("day", "flow", "platform"):
        params = {"projectId": project_id, "group_by": group_by}
        assert data_of(alice.get("/api/analytics", params=params))["totals"] == {"events": 2, "users": 1}


def test_events_in_flight_during_an_erasure_are_dropped(management: Management, alice: User, project_id: str) -> None:
    flow_id = management.add_flow(project_id)
    before = utc_now() - timedelta(seconds=1)
    on_its_way = activity(before, "d1", flow_id, 1, 0)
    with management.database.transaction() as session:
        add_events(session, project_id, on_its_way)
    for _ in range(2):
        alice.delete(_path(project_id, "d1"))
        complete_erasures(management.database, project_id)
        with management.database.transaction() as session:
            add_events(session, project_id, on_its_way)
            add_events(session, project_id, activity(before, "d1", flow_id, 1, 1))
            add_exposure(session, project_id, "d1", flow_id, before)
        assert _known(management, project_id) == [[]] * len(TABLES)
    # Later events of the device are stored; earlier ones stay erased.
    with management.database.transaction() as session:
        add_events(session, project_id, activity(utc_now() + timedelta(seconds=1), "d1", flow_id, 1, 0))
        add_events(session, project_id, activity(before, "d1", flow_id, 1, 0))
    assert (
        data_of(alice.get("/api/analytics", params={"projectId": project_id, "period": "1d"}))["totals"]["users"] <= 1
    )
    with management.database.transaction() as session:
        events = select(func.count()).select_from(Event).where(Event.project_id == project_id)
        assert session.scalar(events) == 1
    assert rebuild_project(management.database, project_id, repair=False) == []


def test_erasure_lists_the_conditions_that_still_name_the_device(alice: User, project_id: str) -> None:
    conditions = [{"attribute": "deviceId", "operator": "in", "value": ["other", "alice@example.com"]}]
    named = alice.create_flow(project_id, targeting={"conditions": conditions})["id"]
    drafted = alice.create_flow(project_id)["id"]
    exact = [{"attribute": "deviceId", "operator": "eq", "value": "alice@example.com"}]
    document = {"name": "Drafted", "targeting": {"conditions": exact}}
    assert alice.put(f"/api/flows/{drafted}/draft", {"document": document}).status_code == 201
    erased = alice.delete(f"/api/projects/{project_id}/devices/alice@example.com")
    places = ", ".join(sorted([named, drafted]))
    assert erased.json["message"] == f"Device erased; conditions still name it: {places}"
    assert alice.delete(f"/api/projects/{project_id}/devices/bob@example.com").json["message"] == "Device erased"
