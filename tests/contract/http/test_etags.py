"""Single resources carry a strong ETag, and every PUT and DELETE of the routes table honours If-Match (section 3)."""

import re

import pytest
from falcon.testing import Result

from common.timestamps import utc_now
from tests.contract.error_shape import assert_is_an_error_of_the_contract
from tests.contract.route_examples import Ids, Row, rows, seed
from tests.contract.stored_rows import stored_rows
from tests.contract.sweeps.shares import each_route, with_a_value
from tests.support.clients.management import Management, User, data_of
from tests.support.data.analytics_events import activity, add_events

STRONG = re.compile(r'"[0-9a-f]{64}"')
#: The resources with a path of their own.
ITEMS = ["/projects/{project_id}", "/flows/{flow_id}", "/screens/{screen_id}", "/themes/{theme_id}"]

CHANGES = [row for row in rows() if row.method in {"PUT", "DELETE"}]

every_change = each_route(CHANGES)
every_put = each_route(row for row in rows() if row.method == "PUT")
every_item = pytest.mark.parametrize("path", ITEMS)


@pytest.fixture
def management(shared_management: Management) -> Management:
    return shared_management


@pytest.fixture
def owner(management: Management) -> User:
    return management.user("owner")


@pytest.fixture
def ids(management: Management, owner: User) -> Ids:
    return seed(management, owner)


@pytest.fixture(scope="module")
def shared_ids(shared_management: Management) -> Ids:
    return seed(shared_management, shared_management.user("owner"))


def tag_of(response: Result) -> str:
    assert response.status_code in {200, 201}, response.text
    tag: str = response.headers["etag"]
    assert STRONG.fullmatch(tag)
    return tag


@with_a_value(CHANGES, "if_match", ['"0123"', '""', '"other", "another"'])
def test_another_state_is_refused_and_nothing_changes(
    management: Management, owner: User, shared_ids: Ids, row: Row, if_match: str
) -> None:
    before = stored_rows(management)
    response = owner.request(**shared_ids.request_of(row), headers={"If-Match": if_match})
    assert (response.status_code, response.json["code"]) == (412, "PRECONDITION_FAILED")
    assert_is_an_error_of_the_contract(response)
    assert stored_rows(management) == before


@every_change
def test_if_match_star_requires_an_existing_resource(owner: User, ids: Ids, row: Row) -> None:
    assert owner.request(**ids.request_of(row), headers={"If-Match": "*"}).status_code == 200


@with_a_value(CHANGES, "if_match", ["", "unquoted", '"open', '*, "a"', "\xff", '"a" "b"'])
def test_malformed_precondition_is_rejected(owner: User, shared_ids: Ids, row: Row, if_match: str) -> None:
    response = owner.request(**shared_ids.request_of(row), headers={"If-Match": if_match})
    assert response.status_code == 400
    assert_is_an_error_of_the_contract(response)


@every_change
def test_precondition_reveals_nothing_without_permission(management: Management, shared_ids: Ids, row: Row) -> None:
    outsider = management.user("outsider")
    response = outsider.request(**shared_ids.request_of(row), headers={"If-Match": '"0123"'})
    assert response.status_code == 404


@every_put
def test_a_put_shows_the_tag_that_the_next_put_matches(owner: User, ids: Ids, row: Row) -> None:
    tag = tag_of(owner.request(**ids.request_of(row)))
    again = owner.request(**ids.request_of(row), headers={"If-Match": tag})
    assert again.status_code == 200, again.text


@every_item
def test_current_etag_permits_a_change_and_a_former_etag_does_not(owner: User, ids: Ids, path: str) -> None:
    address = f"/api{ids.put_into(path)}"
    read = tag_of(owner.get(address))
    assert tag_of(owner.get(address)) == read
    assert tag_of(owner.request("HEAD", address)) == read
    written = tag_of(owner.put(address, {"name": "Renamed"}, headers={"If-Match": read}))
    assert written != read
    assert tag_of(owner.get(address)) == written
    assert owner.put(address, {"name": "Lost"}, headers={"If-Match": read}).status_code == 412
    assert data_of(owner.get(address))["name"] == "Renamed"
    assert owner.delete(address, headers={"If-Match": read}).status_code == 412
    assert owner.delete(address, headers={"If-Match": f'"0123", {written}'}).status_code == 200


@every_item
def test_a_weak_tag_never_matches(owner: User, ids: Ids, path: str) -> None:
    address = f"/api{ids.put_into(path)}"
    tag = tag_of(owner.get(address))
    assert owner.put(address, {"name": "Renamed"}, headers={"If-Match": f"W/{tag}"}).status_code == 412


@every_item
def test_a_change_of_nothing_keeps_the_tag(owner: User, ids: Ids, path: str) -> None:
    address = f"/api{ids.put_into(path)}"
    tag = tag_of(owner.put(address, {"name": "Renamed"}))
    assert tag_of(owner.put(address, {"name": "Renamed"})) == tag


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/projects", {"name": "Sample app"}),
        ("/flows", {"projectId": "{project_id}", "name": "Made", "is_default": True}),
        ("/screens", {"flowId": "{flow_id}", "type": "custom", "order": 0}),
        ("/themes", {"projectId": "{project_id}", "name": "Made"}),
        ("/flows/{flow_id}/duplicate", {}),
    ],
)
def test_created_resource_has_the_etag_of_the_next_read(
    owner: User, ids: Ids, path: str, body: dict[str, object]
) -> None:
    made = owner.post(f"/api{ids.put_into(path)}", ids.put_into(body))
    collection = path.partition("/{")[0]
    assert tag_of(owner.get(f"/api{collection}/{data_of(made, 201)['id']}")) == tag_of(made)


def test_numbers_and_the_order_of_members_do_not_change_a_tag(owner: User, ids: Ids) -> None:
    content = {"zebra": 1.0, "ant": {"b": 1e3, "a": -0.0}, "much": 1e30, "little": 1e-7, "text": "\u00e9"}
    address = f"/api/screens/{ids.screen_id}"
    written = tag_of(owner.put(address, {"content": content}))
    assert tag_of(owner.get(address)) == written


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/screens", {"flowId": "{flow_id}", "type": "custom"}),
        ("PUT", "/screens/{screen_id}", {"content": {"title": "New"}}),
        ("PUT", "/screens/{screen_id}", {"settings": {"skippable": True}}),
        ("DELETE", "/screens/{screen_id}", None),
        ("PUT", "/projects/{project_id}", {"settings": {"default_flow_id": "{flow_id}"}}),
    ],
)
def test_etag_of_a_flow_covers_the_body_of_its_get(
    owner: User, ids: Ids, method: str, path: str, body: dict[str, object] | None
) -> None:
    address = f"/api/flows/{ids.flow_id}"
    before = tag_of(owner.get(address))
    assert owner.request(method, f"/api{ids.put_into(path)}", json=ids.put_into(body)).status_code in {200, 201}
    assert tag_of(owner.get(address)) != before


def test_the_default_flow_is_part_of_the_projects_state(owner: User, ids: Ids) -> None:
    address = f"/api/projects/{ids.project_id}"
    before = tag_of(owner.get(address))
    owner.put(f"/api/flows/{ids.flow_id}", {"is_default": True})
    with_default = tag_of(owner.get(address))
    assert with_default != before
    owner.delete(f"/api/flows/{ids.flow_id}")
    assert tag_of(owner.get(address)) not in {before, with_default}


def test_deleted_theme_changes_the_etags_of_its_flows(owner: User, ids: Ids) -> None:
    address = f"/api/flows/{ids.flow_id}"
    before = tag_of(owner.put(address, {"theme_id": ids.theme_id}))
    owner.delete(f"/api/themes/{ids.theme_id}")
    assert tag_of(owner.get(address)) != before


def test_statistics_are_not_state(management: Management, owner: User, ids: Ids) -> None:
    addresses = [f"/api/projects/{ids.project_id}", f"/api/flows/{ids.flow_id}"]
    before = [tag_of(owner.get(address)) for address in addresses]
    figures = [data_of(owner.get(address))["stats"] for address in addresses]
    now = utc_now()
    with management.database.transaction() as session:
        add_events(session, ids.project_id, activity(now, "d", ids.flow_id, 1, 1))
    assert [data_of(owner.get(address))["stats"] for address in addresses] != figures
    assert [tag_of(owner.get(address)) for address in addresses] == before


def test_a_tag_stays_when_postgresql_writes_a_number_differently(owner: User, ids: Ids) -> None:
    content = {"large": 1e16, "negative_zero": -0.0}
    conditions = [{"attribute": "attributes.size", "operator": "gt", "value": 1e16}]
    changes = {
        ids.screen_id: ("screens", {"content": content}),
        ids.theme_id: ("themes", {"typography": content}),
        ids.flow_id: ("flows", {"targeting": {"conditions": conditions}}),
    }
    for thing_id, (noun, body) in changes.items():
        tag = tag_of(owner.put(f"/api/{noun}/{thing_id}", body))
        assert tag_of(owner.get(f"/api/{noun}/{thing_id}")) == tag
