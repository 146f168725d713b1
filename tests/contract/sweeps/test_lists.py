"""Rules of all lists: sorting and pagination (contract, section 1)."""

import pytest

from tests.contract.route_examples import Ids, Row, rows, seed
from tests.support.clients.management import Management

every_list = pytest.mark.parametrize("row", [row for row in rows() if row.is_list], ids=str)
#: Lists of things without a name, or without changes.
SORTED_OTHERWISE: dict[str, tuple[str, ...]] = {
    "/projects/{project_id}/audit-log": ("created_at", "updated_at"),
    "/analytics/events": ("created_at", "updated_at"),
    "/flows/{flow_id}/versions": ("created_at",),
    "/themes/{theme_id}/versions": ("created_at",),
    "/flows/{flow_id}/schedules": ("created_at", "run_at"),
}


@pytest.fixture(scope="module")
def ids(shared_management: Management) -> Ids:
    return seed(shared_management, shared_management.user())


@every_list
def test_list_sorts_by_the_fields_of_the_contract_only(shared_management: Management, ids: Ids, row: Row) -> None:
    fields = SORTED_OTHERWISE.get(row.path, ("created_at", "updated_at", "name"))
    request = ids.request_of(row)
    for field in fields:
        for sort in (field, f"-{field}"):
            response = shared_management.user().request(**{**request, "params": {**request["params"], "sort": sort}})
            assert response.status_code == 200, sort
    for sort in ("id", "Name", "+name", "name,id", "--created_at", "-", ""):
        response = shared_management.user().request(**{**request, "params": {**request["params"], "sort": sort}})
        assert (response.status_code, response.json["code"]) == (400, "INVALID_PARAMETER"), sort


@every_list
@pytest.mark.parametrize("number", [1000, 2**53 - 1])
def test_a_page_past_the_end_is_empty(shared_management: Management, ids: Ids, row: Row, number: int) -> None:
    request = ids.request_of(row)
    page = {"page": str(number), "limit": "100"}
    response = shared_management.user().request(**{**request, "params": {**request["params"], **page}})
    assert (response.status_code, response.json["data"]) == (200, [])
    total = response.json["pagination"]["total"]
    pages = -(-total // 100)
    assert response.json["pagination"] == {"page": number, "limit": 100, "total": total, "totalPages": pages}


@pytest.mark.parametrize("row", [row for row in rows() if row.example.query.keys() & {"projectId", "flowId"}], ids=str)
def test_project_or_flow_of_a_query_is_required(shared_management: Management, ids: Ids, row: Row) -> None:
    response = shared_management.user().request(**{**ids.request_of(row), "params": {}})
    assert (response.status_code, response.json["code"]) == (400, "MISSING_PARAMETER")


def test_names_sort_without_regard_to_case(shared_management: Management) -> None:
    names = ["banana", "Apple", "cherry", "Äpfel", "äpfel", "APPLE"]
    sorted_names = {
        "apple": ["Apple", "APPLE"], "banana": ["banana"], "cherry": ["cherry"], "äpfel": ["Äpfel", "äpfel"],
    }  # fmt: skip
    user = shared_management.user("sorter")
    project_id = user.create_project("Fruit")["id"]
    flow_ids = [user.create_flow(project_id, f"{name} flow")["id"] for name in names]
    variants = [
        {"key": key, "name": key, "flow_id": flow_ids[index], "weight": 50, "is_control": index == 0}
        for index, key in enumerate("ab")
    ]
    for name in names:
        user.create_project(f"{name} flow")
        for path, body in (
            ("/api/screens", {"flowId": flow_ids[0], "type": "welcome"}),
            ("/api/themes", {"projectId": project_id}),
            ("/api/experiments", {"projectId": project_id, "variants": variants}),
        ):
            assert user.post(path, {**body, "name": f"{name} flow"}).status_code == 201
    ascending = [f"{name} flow" for group in sorted_names.values() for name in group]
    for path, params in (
        ("/api/projects", {"search": " flow"}),
        ("/api/flows", {"projectId": project_id}),
        ("/api/screens", {"flowId": flow_ids[0]}),
        ("/api/themes", {"projectId": project_id}),
        ("/api/experiments", {"projectId": project_id}),
    ):
        for sort, expected in (("name", ascending), ("-name", ascending[::-1])):
            response = user.get(path, params={**params, "sort": sort})
            assert [item["name"] for item in response.json["data"]] == expected, (path, sort)
