"""A malformed id is an id that does not exist, in each place (contract, section 1)."""

from typing import Any
from urllib.parse import quote

import pytest

from tests.contract.route_examples import Ids, seed
from tests.support.clients.management import Management

MALFORMED = ["x", "proj_", "flow_", "flow_" + "z" * 26, "a" * 101, "a" * 5000, "../etc", "a b", "é🎈", "' OR 1=1 --"]
every_malformed_id = pytest.mark.parametrize("malformed", MALFORMED, ids=lambda text: f"{text[:5]}-{len(text)}")


@pytest.fixture(scope="module")
def ids(shared_management: Management) -> Ids:
    return seed(shared_management, shared_management.user())


@every_malformed_id
def test_malformed_id_in_a_query_is_404(shared_management: Management, ids: Ids, malformed: str) -> None:
    for path, query, code in (
        ("flows", {"projectId": malformed}, "INVALID_PROJECT"),
        ("themes", {"project_id": malformed}, "INVALID_PROJECT"),
        ("experiments", {"projectId": malformed}, "INVALID_PROJECT"),
        ("analytics", {"projectId": malformed}, "INVALID_PROJECT"),
        ("analytics/events", {"projectId": malformed}, "INVALID_PROJECT"),
        ("screens", {"flowId": malformed}, "INVALID_FLOW"),
        ("analytics/funnel", {"flowId": malformed}, "INVALID_FLOW"),
        ("analytics/paths", {"flowId": malformed}, "INVALID_FLOW"),
        ("analytics", {"projectId": ids.project_id, "flowId": malformed}, "INVALID_FLOW"),
        ("analytics/events", {"projectId": ids.project_id, "flowId": malformed}, "INVALID_FLOW"),
    ):
        response = shared_management.user().get(f"/api/{path}", params=query)
        assert (response.status_code, response.json["code"]) == (404, code), path


@every_malformed_id
def test_malformed_id_in_a_body_is_404(shared_management: Management, ids: Ids, malformed: str) -> None:
    variants = [
        {"key": "a", "flow_id": ids.flow_id, "weight": 50, "is_control": True},
        {"key": "b", "flow_id": malformed, "weight": 50},
    ]
    requests: tuple[tuple[str, str, dict[str, Any], str], ...] = (
        ("POST", "flows", {"projectId": malformed, "name": "x"}, "INVALID_PROJECT"),
        ("POST", "flows", {"projectId": ids.project_id, "name": "x", "theme_id": malformed}, "NOT_FOUND"),
        ("PUT", f"flows/{ids.flow_id}", {"themeId": malformed}, "NOT_FOUND"),
        ("POST", "screens", {"flowId": malformed, "type": "custom"}, "INVALID_FLOW"),
        ("POST", "themes", {"project_id": malformed, "name": "x"}, "INVALID_PROJECT"),
        ("POST", "themes", {"projectId": ids.project_id, "name": "x", "based_on": malformed}, "NOT_FOUND"),
        ("POST", "experiments", {"projectId": ids.project_id, "name": "x", "variants": variants}, "INVALID_FLOW"),
        ("PUT", f"projects/{ids.project_id}", {"settings": {"default_flow_id": malformed}}, "INVALID_FLOW"),
        ("PUT", f"projects/{ids.project_id}/qa-devices", {"devices": {"d": malformed}}, "INVALID_FLOW"),
        ("POST", f"projects/{ids.project_id}/members", {"user_id": malformed, "role": "viewer"}, "NOT_FOUND"),
    )
    for method, path, body, code in requests:
        response = shared_management.user().request(method, f"/api/{path}", json=body)
        assert (response.status_code, response.json["code"]) == (404, code), path
    order = shared_management.user().put(f"/api/flows/{ids.flow_id}/screens/order", {"screen_ids": [malformed]})
    assert (order.status_code, order.json["code"]) == (400, "INVALID_PARAMETER")


@pytest.mark.parametrize("malformed", [text for text in MALFORMED if "/" not in text], ids=lambda text: text[:5])
def test_malformed_id_in_a_path_is_404(shared_management: Management, malformed: str) -> None:
    codes = {"projects": "INVALID_PROJECT", "flows": "INVALID_FLOW"}
    for things in ("projects", "flows", "screens", "themes", "experiments"):
        for method in ("GET", "DELETE"):
            response = shared_management.user().request(method, f"/api/{things}/{quote(malformed, safe='')}")
            assert (response.status_code, response.json["code"]) == (404, codes.get(things, "NOT_FOUND")), things


def test_id_that_is_not_text_is_rejected(shared_management: Management) -> None:
    for value, code in (
        (5, "INVALID_PARAMETER"),
        (["x"], "INVALID_PARAMETER"),
        (" ", "INVALID_PARAMETER"),
        (None, "MISSING_PARAMETER"),
    ):
        response = shared_management.user().post("/api/flows", {"projectId": value, "name": "x"})
        [detail] = response.json["details"]
        assert (response.status_code, detail["field"], detail["code"]) == (400, "projectId", code)
