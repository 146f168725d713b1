"""Rows of the contract about projects: made, listed and read."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest

from management_api.db.models.analytics import ProjectUsage
from management_api.db.models.projects import Role
from tests.support.clients.management import Management, User, data_of
from tests.support.data.analytics_events import activity, add_events

# --- create -----------------------------------------------------------------------------------------------------------


def test_create_answers_with_its_own_members(alice: User) -> None:
    response = alice.post("/api/projects", {"name": "  Habit app ", "description": "Morning"})
    data = data_of(response, 201)
    assert response.json.keys() == {"success", "data"}
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
    response = alice.post("/api/projects", body)
    assert response.status_code == 400
    assert response.json["code"] == code
    assert [detail["field"] for detail in response.json["details"]] == [field]


def test_create_names_every_bad_member(alice: User) -> None:
    response = alice.post("/api/projects", {"name": "ab", "platforms": [], "colour": 1})
    assert {detail["field"] for detail in response.json["details"]} == {"name", "platforms", "colour"}


def test_a_name_counts_code_points(alice: User) -> None:
    assert alice.create_project("🎈" * 50)["name"] == "🎈" * 50


def test_create_ignores_read_only_members(alice: User) -> None:
    made = alice.create_project(id="proj_x", created_at="never", stats={}, api_keys={})
    assert made["id"] != "proj_x"


def test_create_requests_the_first_publication(management: Management, alice: User) -> None:
    assert management.publication_of(alice.create_project()["id"]) == (1, False)


# --- list -------------------------------------------------------------------------------------------------------------


def test_list_answers_with_its_own_members(alice: User) -> None:
    made = alice.create_project()
    response = alice.get("/api/projects")
    assert response.json.keys() == {"success", "data", "pagination"}
    assert response.json["pagination"] == {"page": 1, "limit": 20, "total": 1, "totalPages": 1}
    [item] = data_of(response)
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
    response = alice.get("/api/projects", query_string=query)
    assert (response.status_code, response.json["code"]) == (400, "INVALID_PARAMETER")


# --- read -------------------------------------------------------------------------------------------------------------


def test_read_answers_with_its_own_members(alice: User) -> None:
    made = alice.create_project()
    read = data_of(alice.get(f"/api/projects/{made['id']}"))
    quotas = read.pop("quotas")
    assert datetime.fromisoformat(quotas.pop("resets_at")).time() == time()
    assert quotas.keys() == {"events", "property_bytes", "new_devices"}
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
            "direct_writes": "allowed",
            "required_approvals": 0,
            "record_answers": False,
            "default_locale": "en",
            "locales": ["en"],
        },
        "stats": {"total_flows": 0, "active_flows": 0, "total_users": 0, "users_today": 0, "completion_rate": 0},
        "api_keys": made["api_keys"],
    }


@pytest.mark.parametrize(("days_ago", "events"), [(0, 7), (1, 0)])
def test_used_quotas_are_of_this_day(management: Management, alice: User, days_ago: int, events: int) -> None:
    project_id = alice.create_project()["id"]
    today = datetime.now(UTC).date()
    with management.database.transaction() as session:
        day = today - timedelta(days=days_ago)
        session.add(ProjectUsage(project_id=project_id, day=day, events=7, property_bytes=8, new_devices=9))
    quotas = data_of(alice.get(f"/api/projects/{project_id}"))["quotas"]
    assert quotas["events"] == {"used": events, "limit": 20_000_000}
    assert datetime.fromisoformat(quotas["resets_at"]).date() == today + timedelta(days=1)


def test_read_is_the_same_under_v1(alice: User) -> None:
    path = f"/projects/{alice.create_project()['id']}"
    assert alice.get(f"/api{path}").json == alice.get(f"/api/v1{path}").json


def test_statistics_of_a_project_equal_the_contract(management: Management, alice: User) -> None:
    project_id = alice.create_project()["id"]
    first, second = management.add_flow(project_id), management.add_flow(project_id)
    management.add_flow(project_id, status="draft")
    now, long_ago = datetime.now(UTC), datetime(2020, 1, 1, tzinfo=UTC)
    with management.database.transaction() as session:
        done = [
            (now, "d0", first, 1, 1), (now, "d0", second, 1, 0),  # completed one of two: counts once
            (long_ago, "d1", first, 1, 0), (long_ago, "d1", second, 0, 1),  # never both of one flow
            (long_ago, "d2", first, 0, 1),  # completed without a start
            (long_ago, "d3", first, 1, 0), (now, "d3", None, 0, 0),
        ]  # fmt: skip
        for each in done:
            add_events(session, project_id, activity(*each))
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
