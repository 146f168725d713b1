"""The rows of a project's QA devices (contract, section 3)."""

from typing import Any

import pytest
from sqlalchemy import select

from management_api.db.models.audit_log import AuditEntry
from tests.support.clients.management import Management, User, data_of


@pytest.fixture
def flow_id(management: Management, project_id: str) -> str:
    return management.add_flow(project_id, "draft")


def _path(project_id: str) -> str:
    return f"/api/projects/{project_id}/qa-devices"


def _put(user: User, project_id: str, devices: object) -> dict[str, Any]:
    shown: dict[str, Any] = data_of(user.put(_path(project_id), {"devices": devices}))
    return shown


def test_a_new_project_has_no_qa_devices(alice: User, project_id: str) -> None:
    assert data_of(alice.get(_path(project_id))) == {"project_id": project_id, "devices": {}}


def test_put_replaces_all_qa_devices(management: Management, alice: User, project_id: str, flow_id: str) -> None:
    other = management.add_flow(project_id, "archived")
    put = _put(alice, project_id, {"d2": flow_id, "d1": other, "d3": flow_id})
    assert put == {"project_id": project_id, "devices": {"d1": other, "d2": flow_id, "d3": flow_id}}
    assert data_of(alice.get(_path(project_id))) == put
    assert _put(alice, project_id, {"d1": flow_id, "d4": other})["devices"] == {"d1": flow_id, "d4": other}
    assert _put(alice, project_id, {})["devices"] == {}
    assert data_of(alice.get(_path(project_id)))["devices"] == {}


def test_flow_of_a_device_has_both_spellings(alice: User, project_id: str, flow_id: str) -> None:
    shown = _put(alice, project_id, {"d1": {"flowId": flow_id, "draft": True}})
    assert shown["devices"] == {"d1": {"flow_id": flow_id, "draft": True}}


def test_a_device_id_may_be_any_text(alice: User, project_id: str, flow_id: str) -> None:
    devices = {"a/b?c#d %2F": flow_id, "\N{PARTY POPPER}" * 256: flow_id, "null": flow_id}
    assert _put(alice, project_id, devices)["devices"] == devices
    assert _put(alice, project_id, {"  spaced\t": flow_id})["devices"] == {"spaced": flow_id}


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({}, "MISSING_PARAMETER", "devices"),
        ({"devices": None}, "MISSING_PARAMETER", "devices"),
        ({"devices": []}, "INVALID_PARAMETER", "devices"),
        ({"devices": {"": "flow"}}, "INVALID_PARAMETER", "devices"),
        ({"devices": {" ": "flow"}}, "INVALID_PARAMETER", "devices"),
        ({"devices": {"a\x01": "flow"}}, "INVALID_PARAMETER", "devices"),
        ({"devices": {"x" * 257: "flow"}}, "INVALID_PARAMETER", "devices"),
        ({"devices": {"a": "flow", " a": "flow"}}, "INVALID_PARAMETER", "devices"),
        ({"devices": {"a": 1}}, "INVALID_PARAMETER", "devices.a"),
        ({"devices": {"a": None}}, "INVALID_PARAMETER", "devices.a"),
        ({"devices": {"a": {"flow_id": "a", "flowId": "b", "draft": True}}}, "INVALID_PARAMETER", "devices.a"),
        ({"devices": {f"d{number}": "flow" for number in range(101)}}, "INVALID_PARAMETER", "devices"),
        ({"devices": {}, "other": 1}, "INVALID_PARAMETER", "other"),
    ],
)
def test_a_bad_map_is_refused(alice: User, project_id: str, body: object, code: str, field: str) -> None:
    refused = alice.put(_path(project_id), body)
    assert (refused.status_code, refused.json["code"], refused.json["details"][0]["field"]) == (400, code, field)


def test_a_hundred_devices_fit(alice: User, project_id: str, flow_id: str) -> None:
    assert len(_put(alice, project_id, {f"d{number}": flow_id for number in range(100)})["devices"]) == 100


def test_a_deleted_flow_takes_its_devices_along(
    management: Management, alice: User, project_id: str, flow_id: str
) -> None:
    other = management.add_flow(project_id)
    _put(alice, project_id, {"d1": flow_id, "d2": other})
    assert alice.delete(f"/api/flows/{flow_id}").status_code == 200
    assert data_of(alice.get(_path(project_id)))["devices"] == {"d2": other}


def test_each_device_that_changes_is_in_the_audit_log(
    management: Management, alice: User, project_id: str, flow_id: str
) -> None:
    other = management.add_flow(project_id)
    _put(alice, project_id, {"stays": flow_id, "goes": flow_id, "moves": flow_id})
    _put(alice, project_id, {"stays": flow_id, "moves": other})
    with management.database.transaction() as session:
        entries = session.execute(
            select(AuditEntry.action, AuditEntry.entity_id)
            .where(AuditEntry.project_id == project_id, AuditEntry.entity_type == "qa_device")
            .order_by(AuditEntry.id)
        ).all()
    assert sorted(entries[:3]) == [("qa_device.create", name) for name in ("goes", "moves", "stays")]
    assert sorted(entries[3:]) == [("qa_device.delete", "goes"), ("qa_device.update", "moves")]
