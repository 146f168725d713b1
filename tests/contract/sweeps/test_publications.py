"""Every row of the routes table that changes what devices get requests a publication, and no other row does.

A publication raises the revision, which is in the configuration of devices: they load it again.
"""

from typing import Any

from management_api.db.models.projects import Role
from tests.contract.route_examples import Row, rows_of_a_project, seed
from tests.contract.sweeps.shares import each_route
from tests.support.clients.management import Management, data_of

#: Rows that change nothing that devices get. The flow of the example has no preview link, and its draft is in none.
WITHOUT_A_PUBLICATION = {
    "POST /projects/{project_id}/members",
    "POST /projects/{project_id}/transfer",
    "PUT /projects/{project_id}/members/{user_id}",
    "DELETE /projects/{project_id}/members/{user_id}",
    "POST /projects/{project_id}/explain",
    "DELETE /projects/{project_id}/devices/{device_id}",
    "PUT /flows/{flow_id}/draft",
    "DELETE /flows/{flow_id}/draft",
    "POST /flows/{flow_id}/draft/validate",
    "POST /flows/{flow_id}/draft/approve",
    "DELETE /flows/{flow_id}/preview-link",
    "POST /flows/{flow_id}/schedules",
    "PUT /themes/{theme_id}/draft",
    "DELETE /themes/{theme_id}/draft",
    "POST /flows/{flow_id}/translations/draft",
    "POST /flows/{flow_id}/translations/import",
    "POST /projects/{project_id}/translations/import",
    "POST /media",
    "DELETE /media/{media_id}",
    "DELETE /flows/{flow_id}/schedules/{schedule_id}",
}
ROWS = [row for row in rows_of_a_project() if row.method != "GET"]


@each_route(ROWS)
def test_only_changes_for_devices_request_a_publication(shared_management: Management, row: Row) -> None:
    ids = seed(shared_management, shared_management.user("owner"))
    before = shared_management.publication_of(ids.project_id)
    viewer = shared_management.member(f"viewer {ids.project_id}", ids.project_id, Role.VIEWER)
    if row.permission is not Role.VIEWER:
        assert viewer.request(**ids.request_of(row)).status_code == 403
        assert shared_management.publication_of(ids.project_id) == before
    assert shared_management.user("owner").request(**ids.request_of(row)).status_code in {200, 201}
    is_requested = shared_management.publication_of(ids.project_id) != before
    assert is_requested is (str(row) not in WITHOUT_A_PUBLICATION)


@each_route(row for row in ROWS if row.method == "PUT")
def test_change_that_changes_nothing_leaves_the_revision_and_the_log(shared_management: Management, row: Row) -> None:
    owner = shared_management.user("owner")
    ids = seed(shared_management, owner)
    # A QA device shows the draft, so its changes are published, too.
    devices = {"tester": {"flow_id": ids.edited_flow_id, "draft": True}}
    data_of(owner.put(f"/api/projects/{ids.project_id}/qa-devices", {"devices": devices}))
    request = ids.request_of(row)
    assert owner.request(**request).status_code == 200
    shown = owner.get(request["path"])
    body = shown.json["data"] if shown.status_code == 200 else request["json"]
    if "draft" in row.path:
        body = {"document": body["document"]}
    elif isinstance(body, list):
        body = request["json"]

    def traces() -> tuple[Any, ...]:
        log = data_of(owner.get(f"/api/projects/{ids.project_id}/audit-log", params={"limit": 100}))
        return shared_management.publication_of(ids.project_id), log

    before = traces()
    data_of(owner.put(request["path"], body))
    assert traces() == before
