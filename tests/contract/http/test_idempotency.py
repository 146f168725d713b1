"""Every POST of the routes table is done once for one Idempotency-Key (contract, section 3)."""

import json
import uuid
from typing import Any

import pytest
from falcon.testing import Result
from sqlalchemy import delete, update

from management_api.db.models.projects import Member, Role
from management_api.http.app import PREFIXES
from tests.contract.error_shape import assert_is_an_error_of_the_contract
from tests.contract.route_examples import Ids, Row, rows, rows_of_a_project, seed
from tests.contract.stored_rows import stored_rows
from tests.contract.sweeps.shares import each_route, with_a_value
from tests.support.clients.management import Management, User

REPLAYED = "idempotency-replayed"

POSTS = [row for row in rows() if row.method == "POST"]

every_post = each_route(POSTS)
every_post_of_a_project = each_route(row for row in rows_of_a_project() if row.method == "POST")


@pytest.fixture
def management(shared_management: Management) -> Management:
    return shared_management


@pytest.fixture
def key() -> str:
    return str(uuid.uuid4())


@pytest.fixture(scope="module")
def shared_ids(shared_management: Management) -> Ids:
    return seed(shared_management, shared_management.user("owner"))


def sent(user: User, ids: Ids, row: Row, key: str, **changes: Any) -> Result:  # noqa: ANN401 - arguments of a request
    """Send the row's example under a key; `changes` replace arguments of the request."""
    return user.request(**{**ids.request_of(row), "headers": {"Idempotency-Key": key}, **changes})


def shown(response: Result) -> tuple[int, bytes, str, str | None]:
    """Return the parts of a response that a replay repeats."""
    return response.status_code, response.content, response.headers["content-type"], response.headers.get("etag")


@every_post
def test_a_key_repeats_only_the_answer_under_both_prefixes_and_rejects_another_body(
    management: Management, row: Row, key: str
) -> None:
    owner = management.user("owner")
    ids = seed(management, owner)
    first = sent(owner, ids, row, key)
    assert first.status_code in {200, 201}, first.text
    assert REPLAYED not in first.headers
    before = stored_rows(management)
    for prefix in PREFIXES:
        again = sent(owner, ids, row, key, path=f"{prefix}{ids.path_of(row)}")
        assert shown(again) == shown(first)
        assert again.headers[REPLAYED] == "true"
    body = json.dumps(ids.put_into(row.example.body)).encode() if row.example.body is not None else b""
    body, content_type = row.example.upload or (body, "application/json")
    other = sent(owner, ids, row, key, json=None, body=body + b" ", content_type=content_type)
    assert (other.status_code, other.json["code"]) == (409, "CONFLICT")
    assert_is_an_error_of_the_contract(other)
    assert stored_rows(management) == before


@every_post_of_a_project
def test_a_lesser_role_or_a_former_member_does_not_get_the_stored_answer(
    management: Management, row: Row, key: str
) -> None:
    owner = management.user("owner")
    ids = seed(management, owner)
    first = sent(owner, ids, row, key)
    assert first.status_code in {200, 201}
    with management.database.transaction() as session:
        session.execute(update(Member).where(Member.project_id == ids.project_id).values(role=Role.VIEWER.value))
    again = sent(owner, ids, row, key)
    if row.permission is Role.VIEWER:
        assert shown(again) == shown(first)
    else:
        assert (again.status_code, again.json["code"]) == (403, "FORBIDDEN")
    with management.database.transaction() as session:
        session.execute(delete(Member).where(Member.project_id == ids.project_id))
    again = sent(owner, ids, row, key)
    assert again.status_code == 404
    assert REPLAYED not in again.headers
    assert_is_an_error_of_the_contract(again)


@every_post
def test_idempotency_keys_of_two_users_are_independent(management: Management, row: Row, key: str) -> None:
    owner, neighbour = management.user("owner"), management.user("neighbour")
    first = sent(owner, seed(management, owner), row, key)
    others = sent(neighbour, seed(management, neighbour), row, key)
    assert others.status_code == first.status_code
    assert REPLAYED not in others.headers
    # Two validations of equal drafts are equal.
    assert others.content != first.content or row.path.endswith(("/draft/validate", "/import", "/translations/draft"))


@every_post
def test_request_without_idempotency_key_repeats_its_effect(management: Management, row: Row) -> None:
    owner = management.user("owner")
    ids = seed(management, owner)
    for _time in range(2):
        assert REPLAYED not in owner.request(**ids.request_of(row)).headers


@with_a_value(POSTS, "bad", ["", "k" * 256, "caf\xe9", "tab\tbed", "\xff"])
def test_malformed_idempotency_key_is_rejected(management: Management, shared_ids: Ids, row: Row, bad: str) -> None:
    response = sent(management.user("owner"), shared_ids, row, bad)
    assert response.status_code == 400
    assert response.json["error"] == "Idempotency-Key must have 1 to 255 printable ASCII characters"
    assert_is_an_error_of_the_contract(response)


def test_idempotency_key_used_at_another_path_is_409(management: Management, key: str) -> None:
    owner = management.user("owner")
    headers = {"Idempotency-Key": key}
    body = {"name": "Same body"}
    project_id = owner.create_project()["id"]
    assert owner.post("/api/projects", body, headers=headers).status_code == 201
    assert owner.post(f"/api/projects/{project_id}/api-keys/rotate", headers=headers).status_code == 409


@pytest.mark.parametrize("good", ["a b", "k" * 255, '"quoted, even"', "~!@#$%^&*()"], ids=repr)
def test_any_printable_text_is_a_key(management: Management, good: str) -> None:
    owner = management.user("owner")
    headers = {"Idempotency-Key": good}
    assert owner.post("/api/projects", {"name": "Any key"}, headers=headers).status_code == 201
    assert owner.post("/api/projects", {"name": "Any key"}, headers=headers).headers[REPLAYED] == "true"
