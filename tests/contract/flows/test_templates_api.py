"""The built-in templates of flows and themes (media, Details, Templates)."""

from typing import Any

import pytest

from management_api.templates.catalogue import FlowCategory, ThemeTemplate, flow_templates, theme_templates
from tests.support.clients.management import User, data_of

FLOWS = sorted(template.id for template in flow_templates())


def test_a_template_has_exactly_the_members_of_the_contract(alice: User) -> None:
    flows = data_of(alice.get("/api/flow-templates", params={"limit": 100}))
    assert sorted(template["id"] for template in flows) == FLOWS
    assert {frozenset(template) for template in flows} == {
        frozenset({"id", "name", "category", "description", "document", "theme"})
    }
    themes = data_of(alice.get("/api/theme-templates", params={"limit": 100, "sort": "name"}))
    assert [template["name"] for template in themes] == sorted(template.name for template in theme_templates())
    assert {frozenset(template) for template in themes} == {frozenset({"id", "name", "description", "theme"})}


def test_a_category_narrows_the_list_and_pages_do_not_repeat(alice: User) -> None:
    found = [data_of(alice.get("/api/flow-templates", params={"category": category})) for category in FlowCategory]
    assert sorted(template["id"] for templates in found for template in templates) == FLOWS
    pages = [data_of(alice.get("/api/flow-templates", params={"limit": 2, "page": page})) for page in (1, 2)]
    assert len({template["id"] for page in pages for template in page}) == 4
    refused = alice.get("/api/flow-templates", params={"category": "x"})
    assert (refused.status_code, refused.json["code"]) == (400, "INVALID_PARAMETER")


@pytest.mark.parametrize("template_id", FLOWS)
def test_a_template_becomes_a_live_flow_and_a_draft_without_errors(alice: User, template_id: str) -> None:
    [template] = [each for each in _templates(alice) if each["id"] == template_id]
    project_id = alice.create_project()["id"]
    theme = data_of(alice.post("/api/themes", {"projectId": project_id, **template["theme"]}), 201)
    created = {"projectId": project_id, "theme_id": theme["id"], **template["document"]}
    flow = data_of(alice.post("/api/flows", created), 201)
    # A draft takes the ids of the template as they are; those of a second reading are others.
    [again] = [each for each in _templates(alice) if each["id"] == template_id]
    draft = {"document": {**again["document"], "theme_id": theme["id"], "description": "Changed"}}
    assert data_of(alice.put(f"/api/flows/{flow['id']}/draft", draft), 201)
    checked = data_of(alice.post(f"/api/flows/{flow['id']}/draft/validate", {}))
    assert checked == {"errors": [], "warnings": []}


@pytest.mark.parametrize("template", theme_templates(), ids=lambda template: template.id)
def test_a_theme_template_becomes_a_theme(alice: User, template: ThemeTemplate) -> None:
    project_id = alice.create_project()["id"]
    theme = data_of(alice.post("/api/themes", {"projectId": project_id, **template.theme}), 201)
    assert {name: theme[name] for name in template.theme} == template.theme


def test_rules_name_screens_by_the_ids_of_the_request(alice: User) -> None:
    rule = {"id": "skip", "when": [], "go_to": "last"}
    screens = [
        {"id": "first", "type": "welcome", "content": {"title": "Hello"}, "next": [rule]},
        {"id": "twice", "type": "welcome", "content": {"title": "A"}},
        {"id": "twice", "type": "welcome", "content": {"title": "B"}},
        {"id": "last", "type": "welcome", "content": {"title": "Bye"}},
    ]
    body = {"projectId": alice.create_project()["id"], "name": "Rules", "screens": screens}
    made = data_of(alice.get(f"/api/flows/{data_of(alice.post('/api/flows', body), 201)['id']}"))["screens"]
    assert made[0]["next"] == [{**rule, "go_to": made[3]["id"]}]
    rule["go_to"] = "twice"
    refused = alice.post("/api/flows", body)
    assert (refused.status_code, refused.json["details"][0]["field"]) == (400, "screens.0.next.0.go_to")


def _templates(user: User) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = data_of(user.get("/api/flow-templates", params={"limit": 100}))
    return found
