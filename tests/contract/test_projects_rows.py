"""Rows of the contract about projects and keys: which members each answer has, and what each member takes."""

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from management_api.database.projects import Project, Role, SecretKey
from management_api.database.publications import Publication
from management_api.database.schema import TABLES
from management_api.database.statistics import DailyActivity, Device, FlowJourney
from tests.management import Management, User, data_of
from tests.rows import add_flow


@pytest.fixture
def alice(management: Management) -> User:
    return management.user("alice")


def flow_of(management: Management, project_id: str, status: str = "active") -> str:
    with management.database.transaction() as session:
        return add_flow(session, session.get_one(Project, project_id), status=status).id


def publication_of(management: Management, project_id: str) -> tuple[int, bool]:
    with management.database.transaction() as session:
        row = session.get_one(Publication, project_id)
        return row.wanted_revision, row.deleted


# --- create -----------------------------------------------------------------------------------------------------------


def test_create_answers_with_its_own_members(alice: User) -> None:
    answer = alice.post("/api/projects", {"name": "  Habit app ", "description": "Morning"})
    data = data_of(answer, 201)
    assert answer.json.keys() == {"success", "data"}
    assert data.keys() == {"id", "name", "description", "created_at", "updated_at", "settings", "api_keys"}
    assert (data["name"], data["description"]) == ("Habit app", "Morning")
    assert data["settings"] == {"platforms": ["ios", "android"], "default_flow_id": None, "analytics_enabled": True}
    assert data["api_keys"].keys() == {"project_id", "public_key"}
    assert data["api_keys"]["project_id"] == data["id"]
    assert data["api_keys"]["public_key"].startswith("obk_pk_")
    assert datetime.fromisoformat(data["created_at"]).tzinfo == UTC


@pytest.mark.parametrize(
    ("given", "stored"),
    [(["ios"], ["ios"]), (["android"], ["android"]), (["android", "ios"], ["ios", "android"])],
)
def test_platforms_are_stored_in_one_order(alice: User, given: list[str], stored: list[str]) -> None:
    assert alice.create_project(platforms=given)["settings"]["platforms"] == stored


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({}, "name", "MISSING_PARAMETER"),
        ({"name": None}, "name", "MISSING_PARAMETER"),
        ({"name": "ab"}, "name", "INVALID_PARAMETER"),
        ({"name": "  ab  "}, "name", "INVALID_PARAMETER"),
        ({"name": "x" * 51}, "name", "INVALID_PARAMETER"),
        ({"name": 123}, "name", "INVALID_PARAMETER"),
        ({"name": "abc\u0007"}, "name", "INVALID_PARAMETER"),
        ({"name": "abc", "description": "x" * 201}, "description", "INVALID_PARAMETER"),
        ({"name": "abc", "description": 1}, "description", "INVALID_PARAMETER"),
        ({"name": "abc", "platforms": []}, "platforms", "INVALID_PARAMETER"),
        ({"name": "abc", "platforms": ["ios", "ios"]}, "platforms", "INVALID_PARAMETER"),
        ({"name": "abc", "platforms": ["web"]}, "platforms", "INVALID_PARAMETER"),
        ({"name": "abc", "platforms": "ios"}, "platforms", "INVALID_PARAMETER"),
        ({"name": "abc", "platforms": [["ios"]]}, "platforms", "INVALID_PARAMETER"),
        ({"name": "abc", "platforms": None}, "platforms", "INVALID_PARAMETER"),
        ({"name": "abc", "colour": "red"}, "colour", "INVALID_PARAMETER"),
    ],
)
def test_create_names_the_bad_member(alice: User, body: dict[str, Any], field: str, code: str) -> None:
    answer = alice.post("/api/projects", body)
    assert answer.status_code == 400
    assert answer.json["code"] == code
    assert [detail["field"] for detail in answer.json["details"]] == [field]


def test_create_names_every_bad_member(alice: User) -> None:
    answer = alice.post("/api/projects", {"name": "ab", "platforms": [], "colour": 1})
    assert {detail["field"] for detail in answer.json["details"]} == {"name", "platforms", "colour"}


def test_a_name_counts_code_points(alice: User) -> None:
    assert alice.create_project("🎈" * 50)["name"] == "🎈" * 50


def test_create_ignores_read_only_members(alice: User) -> None:
    made = alice.create_project(id="proj_x", created_at="never", stats={}, api_keys={})
    assert made["id"] != "proj_x"


def test_create_asks_for_the_first_publication(management: Management, alice: User) -> None:
    assert publication_of(management, alice.create_project()["id"]) == (1, False)


# --- list -------------------------------------------------------------------------------------------------------------


def test_list_answers_with_its_own_members(alice: User) -> None:
    made = alice.create_project()
    answer = alice.get("/api/projects")
    assert answer.json.keys() == {"success", "data", "pagination"}
    assert answer.json["pagination"] == {"page": 1, "limit": 20, "total": 1, "totalPages": 1}
    [item] = data_of(answer)
    assert item == {
        "id": made["id"],
        "name": "Sample app",
        "description": None,
        "created_at": made["created_at"],
        "updated_at": made["updated_at"],
        "settings": {"platforms": ["ios", "android"], "default_flow_id": None},
        "stats": {"total_flows": 0, "active_flows": 0, "total_users": 0},
    }


def test_list_shows_only_projects_with_a_role(management: Management, alice: User) -> None:
    shared = alice.create_project("Shared")
    alice.create_project("Private")
    bob = management.member("bob", shared["id"], Role.VIEWER)
    assert [item["name"] for item in data_of(bob.get("/api/projects"))] == ["Shared"]


def test_list_pages_sorts_and_searches(alice: User) -> None:
    for name in ("Alpha", "beta 50%", "Gamma"):
        alice.create_project(name)
    newest_first = data_of(alice.get("/api/projects"))
    assert [item["name"] for item in newest_first] == ["Gamma", "beta 50%", "Alpha"]
    second = alice.get("/api/projects", params={"limit": "2", "page": "2", "sort": "name"})
    assert second.json["pagination"] == {"page": 2, "limit": 2, "total": 3, "totalPages": 2}
    assert len(second.json["data"]) == 1
    assert data_of(alice.get("/api/projects", params={"page": "9"})) == []
    assert [item["name"] for item in data_of(alice.get("/api/projects", params={"search": "BETA"}))] == ["beta 50%"]
    assert [item["name"] for item in data_of(alice.get("/api/projects", params={"search": "0%"}))] == ["beta 50%"]
    assert data_of(alice.get("/api/projects", params={"search": "a%b"})) == []


@pytest.mark.parametrize(
    "query",
    ["page=0", "page=x", "page=1.5", "limit=0", "limit=101", "sort=colour", "sort=--name", "nothing=1", "page=1&page=2",
     "page=", "sort=", "page=99999999999999999999", "search=%00", "search=%FF", "search=%zz", "limit=%EF%BC%95"],
)  # fmt: skip
def test_list_refuses_a_bad_query(alice: User, query: str) -> None:
    answer = alice.get("/api/projects", query_string=query)
    assert (answer.status_code, answer.json["code"]) == (400, "INVALID_PARAMETER")


def test_a_list_runs_the_same_number_of_queries_whatever_its_size(management: Management, alice: User) -> None:
    alice.create_project()
    with management.counted_statements() as for_one:
        alice.get("/api/projects")
    for number in range(5):
        alice.create_project(f"Project {number}")
    with management.counted_statements() as for_six:
        alice.get("/api/projects")
    assert len(for_six) == len(for_one)


# --- read -------------------------------------------------------------------------------------------------------------


def test_read_answers_with_its_own_members(alice: User) -> None:
    made = alice.create_project()
    read = data_of(alice.get(f"/api/projects/{made['id']}"))
    assert read == {
        "id": made["id"],
        "name": "Sample app",
        "description": None,
        "created_at": made["created_at"],
        "updated_at": made["updated_at"],
        "settings": {
            "platforms": ["ios", "android"],
            "default_flow_id": None,
            "analytics_enabled": True,
            "custom_domain": None,
        },
        "stats": {"total_flows": 0, "active_flows": 0, "total_users": 0, "users_today": 0, "completion_rate": 0},
        "api_keys": made["api_keys"],
    }


def test_read_is_the_same_under_v1(alice: User) -> None:
    path = f"/projects/{alice.create_project()['id']}"
    assert alice.get(f"/api{path}").json == alice.get(f"/api/v1{path}").json


def test_figures_are_those_of_the_contract(management: Management, alice: User) -> None:
    project_id = alice.create_project()["id"]
    first, second = flow_of(management, project_id), flow_of(management, project_id)
    flow_of(management, project_id, status="draft")
    now = datetime.now(UTC)
    with management.database.transaction() as session:
        session.execute(
            insert(Device),
            [{"project_id": project_id, "device_id": f"d{number}", "first_seen_at": now} for number in range(4)],
        )
        session.execute(
            insert(DailyActivity),
            [
                {"project_id": project_id, "day": day, "flow_id": flow_id, "device_id": device_id}
                for day, flow_id, device_id in [
                    (now.date(), first, "d0"), (now.date(), second, "d0"), (now.date(), "", "d1"),
                    (datetime(2020, 1, 1, tzinfo=UTC).date(), first, "d2"),
                ]
            ],
        )  # fmt: skip
        session.execute(
            insert(FlowJourney),
            [
                {"project_id": project_id, "flow_id": flow_id, "device_id": device_id,
                 "first_started_at": now if started else None, "first_completed_at": now if completed else None}
                for flow_id, device_id, started, completed in [
                    (first, "d0", True, True), (second, "d0", True, False),  # completed one of two: counts once
                    (first, "d1", True, False), (second, "d1", False, True),  # never both of one flow
                    (first, "d2", False, True),  # completed without a start
                    (first, "d3", True, False),
                ]
            ],
        )  # fmt: skip
    stats = data_of(alice.get(f"/api/projects/{project_id}"))["stats"]
    assert stats == {
        "total_flows": 3,
        "active_flows": 2,
        "total_users": 4,
        "users_today": 2,
        "completion_rate": pytest.approx(1 / 3),
    }
    [item] = data_of(alice.get("/api/projects"))
    assert item["stats"] == {"total_flows": 3, "active_flows": 2, "total_users": 4}


# --- update -----------------------------------------------------------------------------------------------------------


def test_update_answers_with_its_own_members(alice: User) -> None:
    made = alice.create_project(description="Old")
    changed = data_of(alice.put(f"/api/projects/{made['id']}", {"name": "New name"}))
    assert changed.keys() == {"id", "name", "description", "updated_at", "settings"}
    assert (changed["name"], changed["description"]) == ("New name", "Old")
    assert changed["settings"] == {**made["settings"], "custom_domain": None}
    assert changed["updated_at"] > made["updated_at"]


def test_null_clears_the_description(alice: User) -> None:
    made = alice.create_project(description="Old")
    assert data_of(alice.put(f"/api/projects/{made['id']}", {"description": None}))["description"] is None


def test_settings_are_merged_member_by_member(alice: User) -> None:
    path = f"/api/projects/{alice.create_project()['id']}"
    alice.put(path, {"settings": {"custom_domain": " Go.Example.COM "}})
    alice.put(path, {"settings": {"analytics_enabled": False}})
    settings = data_of(alice.put(path, {"settings": {"platforms": ["android"]}}))["settings"]
    assert settings == {
        "platforms": ["android"],
        "default_flow_id": None,
        "analytics_enabled": False,
        "custom_domain": "go.example.com",
    }
    assert data_of(alice.put(path, {"settings": {"custom_domain": None}}))["settings"]["custom_domain"] is None


def test_what_was_read_can_be_sent_back(alice: User) -> None:
    path = f"/api/projects/{alice.create_project()['id']}"
    read = data_of(alice.get(path))
    changed = data_of(alice.put(path, read))
    assert changed["settings"] == read["settings"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": None}, "name"),
        ({"name": "ab"}, "name"),
        ({"settings": None}, "settings"),
        ({"settings": []}, "settings"),
        ({"settings": {"analytics_enabled": "true"}}, "settings.analytics_enabled"),
        ({"settings": {"analytics_enabled": 1}}, "settings.analytics_enabled"),
        ({"settings": {"analytics_enabled": None}}, "settings.analytics_enabled"),
        ({"settings": {"platforms": []}}, "settings.platforms"),
        ({"settings": {"platforms": None}}, "settings.platforms"),
        ({"settings": {"custom_domain": "not a domain"}}, "settings.custom_domain"),
        ({"settings": {"custom_domain": "https://example.com"}}, "settings.custom_domain"),
        ({"settings": {"custom_domain": "127.0.0.1"}}, "settings.custom_domain"),
        ({"settings": {"custom_domain": "a" * 64 + ".com"}}, "settings.custom_domain"),
        ({"settings": {"custom_domain": "a." * 126 + "com"}}, "settings.custom_domain"),
        ({"settings": {"custom_domain": ""}}, "settings.custom_domain"),
        ({"settings": {"default_flow_id": 1}}, "settings.default_flow_id"),
        ({"settings": {"theme": "dark"}}, "settings.theme"),
        ({"settings": {"a": 1, "b": 2}}, "settings.a"),
        ({"platforms": ["ios"]}, "platforms"),
    ],
)
def test_update_names_the_bad_member(alice: User, body: dict[str, Any], field: str) -> None:
    answer = alice.put(f"/api/projects/{alice.create_project()['id']}", body)
    assert (answer.status_code, answer.json["code"]) == (400, "INVALID_PARAMETER")
    assert answer.json["details"][0]["field"] == field


def test_the_default_flow_is_a_flow_of_the_project(management: Management, alice: User) -> None:
    project_id, other_id = alice.create_project()["id"], alice.create_project()["id"]
    path, flow_id = f"/api/projects/{project_id}", flow_of(management, project_id)
    changed = data_of(alice.put(path, {"settings": {"default_flow_id": flow_id}}))
    assert changed["settings"]["default_flow_id"] == flow_id
    for foreign in (flow_of(management, other_id), "flow_01h455vb4pex5vsknk084sn02q", "nonsense", project_id):
        refused = alice.put(path, {"name": "Not taken", "settings": {"default_flow_id": foreign}})
        assert (refused.status_code, refused.json["code"]) == (404, "INVALID_FLOW")
    read = data_of(alice.get(path))
    assert (read["name"], read["settings"]["default_flow_id"]) == ("Sample app", flow_id)
    cleared = data_of(alice.put(path, {"settings": {"default_flow_id": None}}))
    assert cleared["settings"]["default_flow_id"] is None


def test_an_archived_flow_cannot_become_the_default(management: Management, alice: User) -> None:
    project_id = alice.create_project()["id"]
    flow_id = flow_of(management, project_id, status="archived")
    refused = alice.put(f"/api/projects/{project_id}", {"settings": {"default_flow_id": flow_id}})
    assert (refused.status_code, refused.json["details"][0]["field"]) == (400, "settings.default_flow_id")


def test_an_update_asks_for_publication_and_a_refused_one_does_not(management: Management, alice: User) -> None:
    project_id = alice.create_project()["id"]
    alice.put(f"/api/projects/{project_id}", {"name": "New name"})
    alice.put(f"/api/projects/{project_id}", {"settings": {"default_flow_id": "flow_nonsense"}})
    assert publication_of(management, project_id) == (2, False)


# --- delete -----------------------------------------------------------------------------------------------------------


def test_delete_leaves_nothing_but_a_tombstone_to_publish(management: Management, alice: User) -> None:
    project_id = alice.create_project()["id"]
    flow_id = flow_of(management, project_id)
    alice.put(f"/api/projects/{project_id}", {"settings": {"default_flow_id": flow_id}})
    with management.database.transaction() as session:
        session.execute(insert(Device).values(project_id=project_id, device_id="d", first_seen_at=datetime.now(UTC)))
    revision, _ = publication_of(management, project_id)
    answer = alice.delete(f"/api/projects/{project_id}")
    assert (answer.status_code, answer.json) == (200, {"success": True, "message": "Project deleted"})
    raised, deleted = publication_of(management, project_id)
    assert raised > revision
    assert deleted
    assert alice.get(f"/api/projects/{project_id}").json["code"] == "INVALID_PROJECT"
    assert alice.delete(f"/api/projects/{project_id}").json["code"] == "INVALID_PROJECT"
    with management.database.transaction() as session:
        for table in TABLES:
            if table is not Publication and "project_id" in table.__table__.columns:
                assert session.execute(select(table).where(table.__table__.c.project_id == project_id)).all() == []


# --- keys -------------------------------------------------------------------------------------------------------------


def test_project_keys_have_the_contracts_members(alice: User) -> None:
    made = alice.create_project()
    keys = data_of(alice.get(f"/api/projects/{made['id']}/api-keys"))
    assert keys.keys() == {"project_id", "public_key", "secret_keys"}
    assert (keys["project_id"], keys["public_key"]) == (made["id"], made["api_keys"]["public_key"])
    [secret_key] = keys["secret_keys"]
    assert secret_key.keys() == {"id", "secret_key", "created_at", "expires_at", "last_used_at"}
    assert secret_key["secret_key"].startswith("obk_sk_")
    assert (secret_key["expires_at"], secret_key["last_used_at"]) == (None, None)


@pytest.mark.parametrize("options", [{}, {"json": {}}, {"body": b"", "headers": {"Content-Type": "application/json"}}])
def test_rotate_without_a_body_leaves_a_day_of_grace(alice: User, options: dict[str, Any]) -> None:
    path = f"/api/projects/{alice.create_project()['id']}/api-keys"
    [old] = data_of(alice.get(path))["secret_keys"]
    newest, former = data_of(alice.request("POST", f"{path}/rotate", **options), 201)["secret_keys"]
    assert former["id"] == old["id"]
    assert newest["expires_at"] is None
    grace = datetime.fromisoformat(former["expires_at"]) - datetime.fromisoformat(newest["created_at"])
    assert grace.total_seconds() == pytest.approx(86_400, abs=60)
    assert [key["id"] for key in data_of(alice.get(path))["secret_keys"]] == [newest["id"], former["id"]]


def test_rotate_without_grace_ends_the_old_keys_at_once(alice: User) -> None:
    path = f"/api/projects/{alice.create_project()['id']}/api-keys"
    [old] = data_of(alice.get(path))["secret_keys"]
    [new] = data_of(alice.post(f"{path}/rotate", {"grace_period_seconds": 0}), 201)["secret_keys"]
    assert new["secret_key"] != old["secret_key"]


def test_a_later_rotation_never_lengthens_a_life(alice: User) -> None:
    path = f"/api/projects/{alice.create_project()['id']}/api-keys"
    former = data_of(alice.post(f"{path}/rotate", {"grace_period_seconds": 60}), 201)["secret_keys"][1]
    keys = data_of(alice.post(f"{path}/rotate", {"grace_period_seconds": 604_800}), 201)["secret_keys"]
    assert keys[2] == former


@pytest.mark.parametrize("seconds", [-1, 604_801, "60", True, 1.5, None, 1e300])
def test_rotate_refuses_a_bad_grace(alice: User, seconds: object) -> None:
    path = f"/api/projects/{alice.create_project()['id']}/api-keys/rotate"
    answer = alice.post(path, {"grace_period_seconds": seconds})
    assert (answer.status_code, answer.json["details"][0]["field"]) == (400, "grace_period_seconds")


def test_living_keys_are_bounded_and_a_rotation_without_grace_is_always_possible(alice: User) -> None:
    path = f"/api/projects/{alice.create_project()['id']}/api-keys/rotate"
    statuses = [alice.post(path, {}).status_code for _ in range(20)]
    assert statuses == [201] * 19 + [409]
    assert len(data_of(alice.post(path, {"grace_period_seconds": 0}), 201)["secret_keys"]) == 1


def test_a_rotation_asks_for_publication(management: Management, alice: User) -> None:
    project_id = alice.create_project()["id"]
    alice.post(f"/api/projects/{project_id}/api-keys/rotate")
    assert publication_of(management, project_id) == (2, False)


def test_no_key_stands_in_the_database(management: Management, alice: User) -> None:
    project = alice.create_project()
    secret_key, api_key = alice.secret_key(project["id"]), alice.api_key()
    with management.database.transaction() as session:
        dump = "".join(str(row) for table in TABLES for row in session.execute(select(table.__table__)))
    for key in (secret_key, api_key, project["api_keys"]["public_key"]):
        assert key[8:] not in dump


def test_an_expired_key_is_not_shown(management: Management, alice: User) -> None:
    project_id = alice.create_project()["id"]
    with management.database.transaction() as session:
        session.execute(update(SecretKey).values(expires_at=datetime(2020, 1, 1, tzinfo=UTC)))
    assert data_of(alice.get(f"/api/projects/{project_id}/api-keys"))["secret_keys"] == []
