"""The audit log: every change inside a project leaves an entry, and none of them shows a key (contract, section 3)."""

import csv
import io
from typing import Any

import orjson
import pytest
from sqlalchemy import bindparam, select

from common.credentials import KeyPrefix, generate_key
from management_api.audit import export
from management_api.auth.lists import PagedSelect, PageRequest
from management_api.db.audit import MAX_VALUE_BYTES
from management_api.db.models.audit_log import AuditEntry
from tests.contract.route_examples import Row, rows_of_a_project, seed
from tests.contract.sweeps.shares import each_route
from tests.support.clients.management import Management, User, data_of

#: POST requests whose examples change nothing.
READING_POSTS = {
    "POST /projects/{project_id}/explain",
    "POST /flows/{flow_id}/draft/validate",
    "POST /flows/{flow_id}/translations/draft",
    "POST /flows/{flow_id}/translations/import",
    "POST /projects/{project_id}/translations/import",
}
#: It takes the log along.
ENDING = {"DELETE /projects/{project_id}"}

changing_rows = each_route(
    row for row in rows_of_a_project() if row.method != "GET" and str(row) not in READING_POSTS | ENDING
)


def log_of(user: User, project_id: str, **params: object) -> list[dict[str, Any]]:
    """Return the entries of a project, the newest first."""
    entries: list[dict[str, Any]] = data_of(user.get(f"/api/projects/{project_id}/audit-log", params=params))
    return entries


def last_change(user: User, project_id: str) -> tuple[str, object, object]:
    """Return action, before and after of the newest entry."""
    [entry] = log_of(user, project_id, limit=1)
    return entry["action"], entry["before"], entry["after"]


# --- what holds for every row -----------------------------------------------------------------------------------------


@changing_rows
def test_every_change_leaves_an_entry(shared_management: Management, row: Row) -> None:
    owner = shared_management.user("owner")
    ids = seed(shared_management, owner)
    before = log_of(owner, ids.project_id, limit=100)
    response = owner.request(**ids.request_of(row))
    assert response.status_code in {200, 201}, response.text
    entries = log_of(owner, ids.project_id, limit=100)
    new = entries[: len(entries) - len(before)]
    assert new
    assert entries[len(new) :] == before
    assert {entry["user_id"] for entry in new} == {shared_management.user_id("owner")}
    assert all(entry["action"].startswith(f"{entry['entity_type']}.") for entry in new)
    assert "obk_" not in orjson.dumps(entries).decode()


@changing_rows
def test_a_change_that_is_refused_leaves_none(shared_management: Management, row: Row) -> None:
    owner = shared_management.user("owner")
    ids = seed(shared_management, owner)
    before = log_of(owner, ids.project_id)
    outsider = shared_management.user("outsider")
    assert outsider.request(**ids.request_of(row)).status_code == 404
    assert log_of(owner, ids.project_id) == before


# --- the list ---------------------------------------------------------------------------------------------------------


def test_an_entry_has_exactly_the_members_of_the_contract(management: Management, alice: User) -> None:
    project_id = alice.create_project()["id"]
    data_of(alice.put(f"/api/projects/{project_id}", {"name": "Renamed", "settings": {"platforms": ["ios"]}}))
    entry = log_of(alice, project_id)[0]
    assert entry.keys() == {"id", "at", "user_id", "action", "entity_type", "entity_id", "before", "after"}
    assert {name: entry[name] for name in entry.keys() - {"id", "at"}} == {
        "user_id": management.user_id("alice"),
        "action": "project.update",
        "entity_type": "project",
        "entity_id": project_id,
        "before": {"name": "Sample app", "platforms": ["ios", "android"]},
        "after": {"name": "Renamed", "platforms": ["ios"]},
    }


def test_making_a_project_is_in_its_log(management: Management, alice: User) -> None:
    project_id = alice.create_project()["id"]
    entries = log_of(alice, project_id)
    assert sorted(entry["action"] for entry in entries) == ["member.add", "project.create", "secret_key.create"]
    [made] = [entry for entry in entries if entry["entity_type"] == "project"]
    assert made["before"] is None
    assert made["after"] == {
        "name": "Sample app",
        "description": None,
        "platforms": ["ios", "android"],
        "default_flow_id": None,
        "analytics_enabled": True,
        "custom_domain": None,
        "direct_writes": "allowed",
        "required_approvals": 0,
        "record_answers": False,
        "locales": ["en"],
    }
    [member] = [entry for entry in entries if entry["entity_type"] == "member"]
    assert (member["entity_id"], member["after"]) == (management.user_id("alice"), {"role": "owner"})


def test_the_log_is_paged_the_newest_first(alice: User) -> None:
    project_id = alice.create_project()["id"]
    for number in range(5):
        data_of(alice.put(f"/api/projects/{project_id}", {"name": f"Name {number}"}))
    names = [entry["after"]["name"] for entry in log_of(alice, project_id, limit=5)]
    assert names == ["Name 4", "Name 3", "Name 2", "Name 1", "Name 0"]
    second = alice.get(f"/api/projects/{project_id}/audit-log", params={"limit": 3, "page": 2})
    assert [entry["after"]["name"] for entry in second.json["data"][:2]] == ["Name 1", "Name 0"]
    assert second.json["pagination"] == {"page": 2, "limit": 3, "total": 8, "totalPages": 3}
    assert log_of(alice, project_id, sort="created_at")[-1]["after"] == {"name": "Name 4"}


def test_long_list_is_counted_up_to_a_bound(management: Management, alice: User) -> None:
    project_id = alice.create_project()["id"]
    for number in range(2):
        data_of(alice.put(f"/api/projects/{project_id}", {"name": f"Name {number}"}))
    log = select(AuditEntry.id).where(AuditEntry.project_id == bindparam("project_id"))
    bounded = PagedSelect(log, {"created_at": AuditEntry.at}, AuditEntry.id, max_counted=3)
    with management.database.reading() as session:
        pages = [
            bounded.read(session, PageRequest(number, 2, "created_at", descending=True), {"project_id": project_id})
            for number in (1, 2, 3, 4)
        ]
    assert [(len(page.items), page.total) for page in pages] == [(2, 3), (2, 5), (1, 5), (0, 3)]


def test_entries_have_names_on_request(management: Management) -> None:
    ada = management.user("ada", name="Ada")
    project_id = ada.create_project()["id"]
    flow_id = ada.create_flow(project_id, name="Tour", screens=[{"type": "custom"}])["id"]
    data_of(ada.put(f"/api/flows/{flow_id}", {"name": "Long tour"}))
    data_of(ada.put(f"/api/flows/{flow_id}", {"priority": 4}))
    theme = data_of(ada.post("/api/themes", {"projectId": project_id, "name": "Dark"}), 201)
    ada.delete(f"/api/themes/{theme['id']}")
    entries = log_of(ada, project_id, include="names", limit=100)
    added = {"entity_name", "user_name"}
    assert [{name: entry[name] for name in entry.keys() - added} for entry in entries] == log_of(
        ada, project_id, limit=100
    )
    assert {entry["user_name"] for entry in entries} == {"Ada"}
    names = {entry["action"]: entry.get("entity_name") for entry in entries}
    assert names == {
        "project.create": "Sample app",
        "member.add": "Ada",
        "secret_key.create": None,
        "flow.create": "Long tour",
        "flow.update": "Long tour",
        "screen.create": None,
        "theme.create": None,
        "theme.delete": None,
    }


def test_log_is_filtered_by_type_user_and_name(management: Management, alice: User) -> None:
    project_id = alice.create_project()["id"]
    flow_id = alice.create_flow(project_id, name="100%_Tour")["id"]
    bob = data_of(management.user("bob").get("/api/user"))["id"]
    data_of(alice.post(f"/api/projects/{project_id}/members", {"user_id": bob, "role": "editor"}), 201)
    data_of(management.user("bob").put(f"/api/flows/{flow_id}", {"name": "Long walk"}))
    data_of(management.user("bob").put(f"/api/flows/{flow_id}", {"priority": 4}))

    def actions(**filters: str) -> list[str]:
        listed = alice.get(f"/api/projects/{project_id}/audit-log", params=filters).json
        assert listed["pagination"]["total"] == len(listed["data"])
        lines = exported(alice, project_id, "application/x-ndjson", **filters).splitlines()
        assert [orjson.loads(line)["id"] for line in lines] == [entry["id"] for entry in listed["data"]]
        return [entry["action"] for entry in listed["data"]]

    of_flow = ["flow.update", "flow.update", "flow.create"]
    assert actions(entity_type="flow") == of_flow
    assert actions(user_id=bob) == ["flow.update", "flow.update"]
    assert actions(user_id=bob, entity_type="member") == []
    # By the name of today, the whole id, and a former name, whose signs are plain.
    assert actions(search="long") == actions(search=flow_id) == of_flow
    assert actions(search="0%_t") == ["flow.update", "flow.create"]
    assert actions(search="0__t") == []


def test_name_of_another_project_is_never_in_the_log(alice: User) -> None:
    project_id, other = alice.create_project()["id"], alice.create_project()["id"]
    flow_id, secret = alice.create_flow(project_id)["id"], alice.create_flow(other, name="Secret")["id"]
    data_of(alice.put(f"/api/projects/{project_id}/qa-devices", {"devices": {secret: flow_id, flow_id: flow_id}}))
    entries = log_of(alice, project_id, include="names")
    devices = [entry for entry in entries if entry["entity_type"] == "qa_device"]
    assert len(devices) == 2
    assert all("entity_name" not in entry for entry in devices)


# --- export ---


def exported(user: User, project_id: str, media_type: str, **params: object) -> str:
    path = f"/api/projects/{project_id}/audit-log"
    response = user.get(path, params=params, headers={"Accept": media_type})
    assert (response.status_code, response.headers["content-type"].partition(";")[0]) == (200, media_type)
    assert f"audit_log_{project_id}" in response.headers["content-disposition"]
    return response.text


def test_log_is_listed_and_exported_since_a_time(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    project_id = alice.create_project()["id"]
    for number in range(5):
        data_of(alice.put(f"/api/projects/{project_id}", {"name": f"Name {number}"}))
    third = log_of(alice, project_id)[2]
    since = {"since": third["at"], "sort": "created_at"}
    listed = alice.get(f"/api/projects/{project_id}/audit-log", params=since).json
    assert [entry["after"]["name"] for entry in listed["data"]][-3:] == ["Name 2", "Name 3", "Name 4"]
    assert listed["pagination"]["total"] == len(listed["data"])
    lines = exported(alice, project_id, "application/x-ndjson", **since).splitlines()
    assert [orjson.loads(line) for line in lines] == [{**entry, "project_id": project_id} for entry in listed["data"]]
    newest, *_ = csv.DictReader(io.StringIO(exported(alice, project_id, "text/csv", include="names")))
    assert (orjson.loads(newest["after"]), newest["entity_name"]) == ({"name": "Name 4"}, "Name 4")
    # A file ends with whole entries.
    monkeypatch.setattr(export, "MAX_RESPONSE_BYTES", 1000)
    assert 0 < len(exported(alice, project_id, "application/x-ndjson").splitlines()) < 5
    refused = alice.get(f"/api/projects/{project_id}/audit-log", params={"since": "yesterday"})
    assert (refused.status_code, refused.json["details"][0]["field"]) == (400, "since")


# --- content of an entry ----------------------------------------------------------------------------------------------


def test_moved_screen_alone_has_an_audit_entry(alice: User) -> None:
    project_id = alice.create_project()["id"]
    screens = alice.create_flow(project_id, screens=[{"type": "custom"}] * 3)["screens"]
    before = len(log_of(alice, project_id, limit=100))
    data_of(alice.put(f"/api/screens/{screens[0]['id']}", {"order": 2}))
    assert len(log_of(alice, project_id, limit=100)) == before + 1
    assert last_change(alice, project_id) == ("screen.update", {"order": 0}, {"order": 2})


def test_theme_that_loses_the_default_has_an_audit_entry(alice: User) -> None:
    project_id = alice.create_project()["id"]
    for name in ("First", "Second"):
        theme = {"projectId": project_id, "name": name, "is_default": True}
        data_of(alice.post("/api/themes", theme), 201)
    made, lost = log_of(alice, project_id, limit=2)
    assert (made["action"], made["after"]["is_default"]) == ("theme.create", True)
    assert (lost["action"], lost["before"], lost["after"]) == (
        "theme.update",
        {"is_default": True},
        {"is_default": False},
    )


def test_audit_entry_of_a_deletion_has_the_former_values(alice: User) -> None:
    project_id = alice.create_project()["id"]
    theme = data_of(alice.post("/api/themes", {"projectId": project_id, "name": "Dark"}), 201)
    alice.delete(f"/api/themes/{theme['id']}")
    action, before, after = last_change(alice, project_id)
    assert (action, after) == ("theme.delete", None)
    assert isinstance(before, dict)
    assert before["name"] == "Dark"


def test_audit_entry_of_a_rotation_has_the_keys_and_their_ends(alice: User) -> None:
    project_id = alice.create_project()["id"]
    former = data_of(alice.post(f"/api/projects/{project_id}/api-keys/rotate"), 201)["secret_keys"][1]
    made, ended = log_of(alice, project_id, limit=2)
    assert (made["action"], made["after"]) == ("secret_key.create", {"expires_at": None})
    assert (ended["action"], ended["entity_id"]) == ("secret_key.rotate", former["id"])
    assert (ended["before"], ended["after"]) == ({"expires_at": None}, {"expires_at": former["expires_at"]})


def test_members_come_and_go_in_the_log(management: Management, alice: User) -> None:
    project_id = alice.create_project()["id"]
    bob = data_of(management.user("bob").get("/api/user"))["id"]
    path = f"/api/projects/{project_id}/members"
    data_of(alice.post(path, {"user_id": bob, "role": "viewer"}), 201)
    assert last_change(alice, project_id) == ("member.add", None, {"role": "viewer"})
    data_of(alice.put(f"{path}/{bob}", {"role": "admin"}))
    assert last_change(alice, project_id) == ("member.update", {"role": "viewer"}, {"role": "admin"})
    management.user("bob").delete(f"{path}/{bob}")
    assert last_change(alice, project_id) == ("member.remove", {"role": "admin"}, None)
    assert log_of(alice, project_id)[0]["user_id"] == bob


@pytest.mark.parametrize("prefix", KeyPrefix)
def test_key_pasted_into_a_field_is_masked_in_the_audit_log(alice: User, prefix: KeyPrefix) -> None:
    project_id, key = alice.create_project()["id"], generate_key(prefix)
    description = f"with {key}, yes"
    data_of(alice.put(f"/api/projects/{project_id}", {"description": description}))
    assert last_change(alice, project_id)[2] == {"description": "with [key], yes"}
    data_of(alice.put(f"/api/projects/{project_id}", {"description": None}))
    assert last_change(alice, project_id)[1] == {"description": "with [key], yes"}


def test_of_a_large_value_only_the_size_is_kept(alice: User) -> None:
    project_id = alice.create_project()["id"]
    [screen] = alice.create_flow(project_id, screens=[{"type": "custom"}])["screens"]
    content = {"text": "x" * MAX_VALUE_BYTES}
    data_of(alice.put(f"/api/screens/{screen['id']}", {"content": content}))
    size = len(orjson.dumps(content))
    assert last_change(alice, project_id) == ("screen.update", {"content": {}}, {"content": {"omitted_bytes": size}})
