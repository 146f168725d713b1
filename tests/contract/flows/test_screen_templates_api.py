"""The row of the built-in screen templates (contract, section 3)."""

import orjson
import pytest

from common.json_body import storage_error
from common.wire.public_responses import ScreenType
from tests.support.clients.management import User, data_of


def _ids(user: User, **params: object) -> list[str]:
    return [template["id"] for template in data_of(user.get("/api/screen-templates", params=params))]


def test_a_template_has_exactly_the_members_of_the_contract(alice: User) -> None:
    templates = data_of(alice.get("/api/screen-templates", params={"limit": 100}))
    assert {frozenset(template) for template in templates} == {
        frozenset({"id", "type", "name", "category", "default_content"})
    }
    assert {template["category"] for template in templates} == {"onboarding", "permissions", "account"}
    ids = [template["id"] for template in templates]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("kind", ScreenType)
def test_every_type_of_screen_has_a_template_that_makes_a_screen(alice: User, kind: ScreenType) -> None:
    templates = data_of(alice.get("/api/screen-templates", params={"type": kind.value}))
    assert templates
    flow = alice.create_flow(alice.create_project()["id"])
    for template in templates:
        assert template["type"] == kind
        assert template["default_content"]
        assert storage_error(orjson.dumps(template["default_content"])) is None
        body = {"type": kind, "name": template["name"], "content": template["default_content"]}
        screen = data_of(alice.post("/api/screens", {"flowId": flow["id"], **body}), 201)
        assert screen["content"] == template["default_content"]


def test_filters_narrow_the_list(alice: User) -> None:
    assert _ids(alice, category="permissions") == _ids(alice, type="permissions")
    assert _ids(alice, category="account", type="signup") == _ids(alice, type="signup")
    assert _ids(alice, category="onboarding", type="signup") == []


def test_pages_neither_repeat_nor_skip(alice: User) -> None:
    first = alice.get("/api/screen-templates", params={"limit": 5}).json["pagination"]
    assert first == {"page": 1, "limit": 5, "total": first["total"], "totalPages": -(-first["total"] // 5)}
    pages = [_ids(alice, limit=5, page=page) for page in range(1, first["totalPages"] + 2)]
    assert pages[-1] == []
    assert [template for page in pages for template in page] == _ids(alice, limit=100)


def test_a_list_can_be_sorted(alice: User) -> None:
    by_name = data_of(alice.get("/api/screen-templates", params={"sort": "name", "limit": 100}))
    names = [template["name"] for template in by_name]
    assert names == sorted(names)
    assert _ids(alice, sort="-name", limit=100) == [template["id"] for template in reversed(by_name)]
    assert _ids(alice, sort="created_at", limit=100) == sorted(_ids(alice, limit=100))
    assert _ids(alice, limit=100) == _ids(alice, sort="-created_at", limit=100)


@pytest.mark.parametrize("query", ["type=x", "category=x", "sort=order", "limit=101", "page=0", "projectId=x"])
def test_a_bad_query_is_refused(alice: User, query: str) -> None:
    refused = alice.get("/api/screen-templates", query_string=query)
    assert (refused.status_code, refused.json["code"]) == (400, "INVALID_PARAMETER")
