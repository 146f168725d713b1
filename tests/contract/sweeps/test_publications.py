"""Every row of the routes table that changes what devices get requests a publication, and no other row does."""

import pytest

from management_api.db.models.projects import Role
from tests.contract.route_examples import Row, rows_of_a_project, seed
from tests.support.clients.management import Management

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
    "POST /media",
    "DELETE /media/{media_id}",
    "DELETE /flows/{flow_id}/schedules/{schedule_id}",
}
ROWS = [row for row in rows_of_a_project() if row.method != "GET"]


@pytest.mark.parametrize("row", ROWS, ids=str)
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
