"""One Idempotency-Key does one thing: in a race, after a failure, after the death of the first, until a day is over."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import psycopg
from falcon.testing import Result
from sqlalchemy import func, select, update

from management_api.db.models.projects import Member, Project, Role
from management_api.db.models.users import IdempotencyKey
from tests.support.clients.management import Management, User, data_of
from tests.support.databases.locked_project import locked_project
from tests.support.polling import eventually

TWINS = 20
KEY = {"Idempotency-Key": "one and the same"}
NEW = {"name": "Only once"}
REPLAYED = "idempotency-replayed"


def make_older(management: Management, age: timedelta) -> None:
    with management.database.transaction() as session:
        session.execute(update(IdempotencyKey).values(created_at=IdempotencyKey.created_at - age))


def stored_keys(management: Management) -> list[IdempotencyKey]:
    with management.database.transaction() as session:
        found = list(session.scalars(select(IdempotencyKey).order_by(IdempotencyKey.key)))
        session.expunge_all()
        return found


def flow_count(user: User, project_id: str) -> int:
    count: int = user.get("/api/flows", params={"projectId": project_id}).json["pagination"]["total"]
    return count


def test_20_equal_requests_create_one_project_and_get_equal_responses(management: Management) -> None:
    alice = management.user()
    alice.api_key()

    def create(_number: int) -> Result:
        return alice.post("/api/projects", NEW, headers=KEY)

    with ThreadPoolExecutor(TWINS) as pool:
        responses = list(pool.map(create, range(TWINS)))
    assert {response.status_code for response in responses} == {201}
    assert len({(response.content, response.headers["etag"]) for response in responses}) == 1
    assert [REPLAYED in response.headers for response in responses].count(False) == 1
    with management.database.transaction() as session:
        assert session.scalar(select(func.count()).select_from(Project)) == 1


def test_racing_requests_with_different_bodies_have_a_single_winner(management: Management) -> None:
    alice = management.user()
    alice.api_key()

    def create(number: int) -> int:
        return alice.post("/api/projects", {"name": f"Number {number}"}, headers=KEY).status_code

    with ThreadPoolExecutor(TWINS) as pool:
        assert sorted(pool.map(create, range(TWINS))) == [201] + [409] * (TWINS - 1)


def test_repetition_is_executed_when_the_first_request_is_killed(management: Management, database_url: str) -> None:
    alice = management.user()
    project_id = alice.create_project()["id"]

    def create() -> Result:
        return alice.post("/api/flows", {"projectId": project_id, **NEW}, headers=KEY)

    with locked_project(database_url, project_id) as held, ThreadPoolExecutor(2) as pool:
        first = pool.submit(create)
        held.waiting(1)
        repetition = pool.submit(create)
        held.terminate(held.waiting(2)[0])
        assert first.result().status_code == 503
        held.release()
        response = repetition.result()
    assert response.status_code == 201
    assert REPLAYED not in response.headers
    assert flow_count(alice, project_id) == 1
    assert create().content == response.content


def test_repetition_is_executed_when_the_first_request_fails(management: Management, database_url: str) -> None:
    alice = management.user()
    project_id = alice.create_project()["id"]
    theme = data_of(alice.post("/api/themes", {"projectId": project_id, "name": "Gone soon"}), 201)
    body = {"projectId": project_id, "theme_id": theme["id"], **NEW}

    def create(_number: int) -> Result:
        return alice.post("/api/flows", body, headers=KEY)

    with locked_project(database_url, project_id) as held, ThreadPoolExecutor(3) as pool:
        deletion = pool.submit(alice.delete, f"/api/themes/{theme['id']}")
        held.waiting(1)
        repetitions = [pool.submit(create, number) for number in range(2)]
        held.waiting(3)
        held.release()
        assert deletion.result().status_code == 200
        assert [repetition.result().status_code for repetition in repetitions] == [404, 404]
    assert stored_keys(management) == []


def test_twins_that_only_read_get_equal_answers(management: Management, database_url: str) -> None:
    alice = management.user()
    project_id = alice.create_project()["id"]

    def explain(_number: int) -> Result:
        return alice.post(f"/api/projects/{project_id}/explain", {"deviceId": "device-1"}, headers=KEY)

    with (
        psycopg.connect(database_url) as holder,
        psycopg.connect(database_url, autocommit=True) as watch,
        ThreadPoolExecutor(2) as pool,
    ):
        # Both have begun, and neither can read the rules.
        holder.execute("LOCK TABLE flows IN ACCESS EXCLUSIVE MODE")
        repetitions = [pool.submit(explain, number) for number in range(2)]
        eventually(lambda: _waiting_for_locks(watch) == 2)
        holder.rollback()
        responses = [repetition.result() for repetition in repetitions]
    assert [response.status_code for response in responses] == [200, 200]
    assert responses[0].content == responses[1].content
    assert sorted(REPLAYED in response.headers for response in responses) == [False, True]
    assert explain(3).content == responses[0].content


def _waiting_for_locks(watch: psycopg.Connection[tuple[int]]) -> int:
    found = watch.execute(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    ).fetchone()
    return found[0] if found else 0


def test_a_refusal_is_not_kept(management: Management) -> None:
    bob = management.user("bob")
    bob.api_key()
    project_id = management.user("alice").create_project()["id"]
    body = {"projectId": project_id, **NEW}
    assert bob.post("/api/flows", body, headers=KEY).status_code == 404
    with management.database.transaction() as session:
        session.add(Member(project_id=project_id, user_id=management.user_id("bob"), role=Role.EDITOR.value))
    response = bob.post("/api/flows", body, headers=KEY)
    assert response.status_code == 201
    assert REPLAYED not in response.headers


def test_after_24_hours_the_key_is_as_new(management: Management) -> None:
    alice = management.user()
    first = alice.post("/api/projects", NEW, headers=KEY)
    make_older(management, timedelta(hours=23, minutes=59))
    assert alice.post("/api/projects", NEW, headers=KEY).content == first.content
    make_older(management, timedelta(minutes=1))
    again = alice.post("/api/projects", {"name": "Another body"}, headers=KEY)
    assert data_of(again, 201)["id"] != data_of(first, 201)["id"]
    assert alice.post("/api/projects", {"name": "Another body"}, headers=KEY).content == again.content


def test_stored_response_has_no_readable_key(management: Management) -> None:
    alice = management.user()
    project_id = alice.create_project()["id"]
    keys = data_of(alice.post(f"/api/projects/{project_id}/api-keys/rotate", headers=KEY), 201)
    [row] = stored_keys(management)
    assert keys["secret_keys"][0]["secret_key"].encode() not in row.body_sealed
    assert b"obk_" not in row.body_sealed
    owner = f"{management.user_id('alice')} {KEY['Idempotency-Key']}"
    assert keys["secret_keys"][0]["secret_key"] in management.vault.decrypt(row.body_sealed, owner_id=owner)
