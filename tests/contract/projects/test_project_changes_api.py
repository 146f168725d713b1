"""Rows of the contract about projects: changed and deleted."""

from typing import Any

import pytest
from sqlalchemy import select

from management_api.db.models.projects import SecretKey
from tests.support.clients.management import Management, User, data_of

# --- update -----------------------------------------------------------------------------------------------------------


def test_update_answers_with_its_own_members(alice: User) -> None:
    made = alice.create_project(description="Old")
    changed = data_of(alice.put(f"/api/projects/{made['id']}", {"name": "New name"}))
    assert changed.keys() == {"id", "name", "description", "updated_at", "settings"}
    assert (changed["name"], changed["description"]) == ("New name", "Old")
    assert changed["settings"] == {
        **made["settings"],
        "custom_domain": None,
        "direct_writes": "allowed",
        "required_approvals": 0,
        "record_answers": False,
        "default_locale": "en",
        "locales": ["en"],
    }
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
        "direct_writes": "allowed",
        "required_approvals": 0,
        "record_answers": False,
        "default_locale": "en",
        "locales": ["en"],
    }
    assert data_of(alice.put(path, {"settings": {"custom_domain": None}}))["settings"]["custom_domain"] is None


def test_locales_are_canonical_with_the_default_first(alice: User) -> None:
    path = f"/api/projects/{alice.create_project()['id']}"

    def changed(**settings: Any) -> tuple[str, list[str]]:  # noqa: ANN401 - JSON
        shown = data_of(alice.put(path, {"settings": settings}))["settings"]
        assert data_of(alice.get(path))["settings"] == shown
        return shown["default_locale"], shown["locales"]

    assert changed(locales=["PT-br", "zh-hant-hk", "en"]) == ("en", ["en", "pt-BR", "zh-Hant-HK"])
    assert changed(default_locale="pt-br") == ("pt-BR", ["pt-BR", "en", "zh-Hant-HK"])
    assert changed(default_locale="de", locales=["no", "de-CH-1996-U-CO-phonebk", "de"])[1][0] == "de"
    assert changed(platforms=["ios"]) == ("de", ["de", "no", "de-CH-1996-u-co-phonebk"])


def test_project_that_was_read_can_be_sent_back(alice: User) -> None:
    path = f"/api/projects/{alice.create_project()['id']}"
    read = data_of(alice.get(path))
    changed = data_of(alice.put(path, read))
    assert changed["settings"] == read["settings"]
    assert data_of(alice.put(path, {**read, "project_id": read["id"]}))["id"] == read["id"]


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
        ({"settings": {"default_locale": "de"}}, "settings.default_locale"),
        ({"settings": {"default_locale": "de", "locales": ["en"]}}, "settings.default_locale"),
        ({"settings": {"default_locale": None}}, "settings.default_locale"),
        ({"settings": {"locales": ["de"]}}, "settings.locales"),
        ({"settings": {"locales": ["en", "de", "DE"]}}, "settings.locales"),
        ({"settings": {"locales": ["en", "de_DE"]}}, "settings.locales"),
        ({"settings": {"locales": ["en", "xx"]}}, "settings.locales"),
        ({"settings": {"locales": ["en", "x-foo"]}}, "settings.locales"),
        ({"settings": {"locales": ["en", "de-x-" + "a" * 31]}}, "settings.locales"),
        ({"settings": {"locales": ["en", *(f"en-{number}" for number in range(100, 140))]}}, "settings.locales"),
        ({"settings": {"locales": []}}, "settings.locales"),
        ({"settings": {"locales": "en"}}, "settings.locales"),
        ({"settings": {"a": 1, "b": 2}}, "settings.a"),
        ({"platforms": ["ios"]}, "platforms"),
    ],
)
def test_update_names_the_bad_member(alice: User, body: dict[str, Any], field: str) -> None:
    response = alice.put(f"/api/projects/{alice.create_project()['id']}", body)
    assert (response.status_code, response.json["code"]) == (400, "INVALID_PARAMETER")
    assert response.json["details"][0]["field"] == field


def test_the_default_flow_is_a_flow_of_the_project(management: Management, alice: User) -> None:
    project_id, other_id = alice.create_project()["id"], alice.create_project()["id"]
    path, flow_id = f"/api/projects/{project_id}", management.add_flow(project_id)
    changed = data_of(alice.put(path, {"settings": {"default_flow_id": flow_id}}))
    assert changed["settings"]["default_flow_id"] == flow_id
    for foreign in (management.add_flow(other_id), "flow_01h455vb4pex5vsknk084sn02q", "nonsense", project_id):
        refused = alice.put(path, {"name": "Not taken", "settings": {"default_flow_id": foreign}})
        assert (refused.status_code, refused.json["code"]) == (404, "INVALID_FLOW")
    read = data_of(alice.get(path))
    assert (read["name"], read["settings"]["default_flow_id"]) == ("Sample app", flow_id)
    cleared = data_of(alice.put(path, {"settings": {"default_flow_id": None}}))
    assert cleared["settings"]["default_flow_id"] is None


def test_an_archived_flow_cannot_become_the_default(management: Management, alice: User) -> None:
    project_id = alice.create_project()["id"]
    flow_id = management.add_flow(project_id, status="archived")
    refused = alice.put(f"/api/projects/{project_id}", {"settings": {"default_flow_id": flow_id}})
    assert (refused.status_code, refused.json["details"][0]["field"]) == (400, "settings.default_flow_id")


# --- delete -----------------------------------------------------------------------------------------------------------


def test_deletion_is_published_at_once_and_holds_for_its_owner(management: Management, alice: User) -> None:
    project_id = alice.create_project()["id"]
    flow_id = management.add_flow(project_id)
    alice.put(f"/api/projects/{project_id}", {"settings": {"default_flow_id": flow_id}})
    revision, _ = management.publication_of(project_id)
    response = alice.delete(f"/api/projects/{project_id}")
    assert (response.status_code, response.json) == (200, {"success": True, "message": "Project deleted"})
    raised, deleted = management.publication_of(project_id)
    assert raised > revision
    assert deleted
    assert alice.get(f"/api/projects/{project_id}").json["code"] == "INVALID_PROJECT"
    assert alice.delete(f"/api/projects/{project_id}").json["code"] == "INVALID_PROJECT"
    with management.database.transaction() as session:
        assert session.scalars(select(SecretKey).where(SecretKey.project_id == project_id)).all() == []
