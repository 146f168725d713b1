"""Every row of the routes table, with every kind of credential: none has more rights than the table lists."""

import dataclasses

import pytest
from falcon.testing import Result

from common.credentials import KeyPrefix, generate_key
from management_api.db.models.projects import Role
from management_api.http.app import PREFIXES
from tests.contract.route_examples import Ids, Row, ids_taken_by, rows, rows_of_a_project, seed
from tests.contract.sweeps.shares import each_route
from tests.support.clients.management import Management, User

ABSENT = {"success": False, "error": "Authentication required", "code": "UNAUTHORIZED", "status": 401}
WRONG_KEY = {**ABSENT, "error": "Invalid API key"}
WRONG_TOKEN = {**ABSENT, "error": "Invalid token"}
WRONG_PAIR = {"success": False, "error": "Invalid project credentials", "code": "UNAUTHORIZED"}
FORBIDDEN = {
    "success": False,
    "error": "Insufficient permissions for this operation",
    "code": "FORBIDDEN",
    "status": 403,
}

ROLES = list(Role)
#: Each row of a project with the least role that may, and the role below it. Every row is also tried as the owner.
BORDERS = [
    (row, role)
    for row in rows_of_a_project()
    if isinstance(row.permission, Role)
    for role in ROLES[max(0, ROLES.index(row.permission) - 1) : ROLES.index(row.permission) + 1]
]
#: Every id that a row takes; a newcomer may be anybody.
SWAPS = [(row, name) for row in rows_of_a_project() for name in ids_taken_by(row) if name != "newcomer_id"]

#: A row for each permission. One middleware judges the credentials of all rows, before their resources.
ROW_OF_EACH_PERMISSION = list({row.permission: row for row in rows()}.values())
with_each_permission = pytest.mark.parametrize("row", ROW_OF_EACH_PERMISSION, ids=str)


@pytest.fixture
def management(shared_management: Management) -> Management:
    return shared_management


@pytest.fixture(scope="module")
def own(shared_management: Management) -> Ids:
    """Return a project of the owner, for requests that change nothing."""
    return seed(shared_management, shared_management.user("owner"))


@pytest.fixture(scope="module")
def foreign(shared_management: Management) -> Ids:
    """Return a project of a neighbour, for requests that change nothing."""
    return seed(shared_management, shared_management.user("neighbour"))


@pytest.fixture(scope="module")
def members(shared_management: Management, own: Ids) -> dict[Role, User]:
    """Return a member of the owner's project for each role."""
    return {role: shared_management.member(f"shared {role}", own.project_id, role) for role in Role}


def shown(response: Result) -> tuple[int, bytes, dict[str, str]]:
    """Return status, body and headers without the request's id and the remaining requests."""
    return response.status_code, response.content, {**response.headers, "x-request-id": "", "x-ratelimit-remaining": ""}


def test_no_row_accepts_requests_without_a_credential(management: Management) -> None:
    anonymous = management.anonymous()
    paths = [(row, prefix + Ids().path_of(row)) for row in rows() for prefix in PREFIXES]
    responses = [(row, path, anonymous.request(row.method, path)) for row, path in paths]
    assert [f"{row} {path}" for row, path, found in responses if (found.status_code, found.json) != (401, ABSENT)] == []


@with_each_permission
def test_invalid_credential_is_rejected(management: Management, own: Ids, row: Row) -> None:
    wrong_api_key = generate_key(KeyPrefix.API)
    for headers, body in (
        ({}, ABSENT),
        ({"Authorization": ""}, ABSENT),
        ({"Authorization": "Bearer"}, ABSENT),
        ({"Authorization": "Bearer "}, ABSENT),
        ({"Authorization": "Basic YTpi"}, ABSENT),
        ({"Authorization": "Bearer junk"}, WRONG_KEY),
        ({"Authorization": "Bearer junk.junk"}, WRONG_KEY),
        ({"Authorization": "Bearer a.b.c.d"}, WRONG_KEY),
        ({"Authorization": f"Bearer {wrong_api_key}"}, WRONG_KEY),
        ({"Authorization": f"Bearer {wrong_api_key[:-1]}"}, WRONG_KEY),
        ({"Authorization": "Bearer obk_api_a.b.c"}, WRONG_KEY),
        ({"Authorization": "Bearer \xff\xfe"}, WRONG_KEY),
        ({"Authorization": "Bearer a.b.c"}, WRONG_TOKEN),
        ({"Authorization": "Bearer .."}, WRONG_TOKEN),
        ({"Authorization": f"Bearer {management.issuer.token(exp=1)}"}, WRONG_TOKEN),
        ({"Authorization": f"Bearer {management.issuer.token(aud='another')}"}, WRONG_TOKEN),
        ({"Authorization": f"Bearer {management.issuer.token()[:-9]}AAAAAAAAA"}, WRONG_TOKEN),
    ):
        response = management.anonymous(**headers).request(**own.request_of(row))
        assert (response.status_code, response.json) == (401, body), headers
        assert response.headers["www-authenticate"] == 'Bearer realm="onboarding"'


@with_each_permission
def test_secret_key_is_no_credential_of_management(management: Management, own: Ids, foreign: Ids, row: Row) -> None:
    project_id, secret_key = own.project_id, management.user("owner").secret_key(own.project_id)
    other_id = foreign.project_id
    for sent_id, sent_key, status, body in (
        (project_id, secret_key, 403, FORBIDDEN),
        (other_id, secret_key, 401, WRONG_PAIR),
        (project_id, generate_key(KeyPrefix.SECRET), 401, WRONG_PAIR),
        ("junk", "junk", 401, WRONG_PAIR),
        (project_id, "", 401, ABSENT),
        ("", secret_key, 401, ABSENT),
    ):
        client = management.anonymous(**{"X-Project-Id": sent_id, "X-Secret-Key": sent_key})
        response = client.request(**own.request_of(row))
        assert (response.status_code, response.json) == (status, body)


def test_outsider_cannot_distinguish_existing_ids(management: Management, own: Ids) -> None:
    outsider = management.user("outsider")
    outsider.api_key()
    absent = Ids()
    pairs = [
        (row, outsider.request(**own.request_of(row)), outsider.request(**absent.request_of(row)))
        for row in rows_of_a_project()
    ]
    differ = [
        row for row, existing, missing in pairs if existing.status_code != 404 or shown(existing) != shown(missing)
    ]
    assert list(map(str, differ)) == []


@each_route(BORDERS)
def test_role_has_the_permissions_of_the_table(
    management: Management, own: Ids, members: dict[Role, User], row: Row, role: Role
) -> None:
    assert isinstance(row.permission, Role)
    if role.includes(row.permission):
        ids = own if row.method == "GET" else seed(management, management.user("owner"))
        member = members[role] if row.method == "GET" else management.member("member", ids.project_id, role)
        response = member.request(**ids.request_of(row))
        assert response.status_code in {200, 201}, response.text
    else:
        response = members[role].request(**own.request_of(row))
        assert (response.status_code, response.json) == (403, FORBIDDEN)


def test_a_role_in_one_project_opens_no_other(management: Management, own: Ids, foreign: Ids) -> None:
    neighbour = management.user("neighbour")
    responses = [(row, neighbour.request(**own.request_of(row))) for row in rows_of_a_project()]
    assert [str(row) for row, found in responses if found.status_code != 404 or foreign.project_id in found.text] == []


def test_id_of_another_project_beside_own_ids_is_rejected(management: Management, own: Ids, foreign: Ids) -> None:
    owner = management.user("owner")
    accepted = []
    for row, name in SWAPS:
        mixed = dataclasses.replace(own, **{name: getattr(foreign, name)})
        # An order that names other screens than the flow's, or other flows than the project's, is refused as such.
        is_wrong_order = (row.path, name.rpartition("_")[0].split("_")[-1]) in {
            ("/flows/{flow_id}/screens/order", "screen"),
            ("/projects/{project_id}/flows/order", "flow"),
        }
        response = owner.request(**mixed.request_of(row))
        if response.status_code != (400 if is_wrong_order else 404):
            accepted.append(f"{row} with another {name}: {response.status_code}")
    assert accepted == []


@with_each_permission
def test_personal_api_key_has_the_permissions_of_the_token(management: Management, row: Row) -> None:
    owner = management.user("owner")
    ids = seed(management, owner)
    with_key = management.anonymous(Authorization=f"Bearer {owner.api_key()}")
    assert with_key.request(**ids.request_of(row)).status_code in {200, 201}
