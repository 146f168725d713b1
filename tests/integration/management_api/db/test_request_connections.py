"""The connections of the pool that one request takes."""

from collections.abc import Iterator

import pytest
from sqlalchemy import event, update

from management_api.db.models.users import ApiKey
from tests.support.clients.management import Management, data_of


class PoolUse:
    """Counts the connections that are taken from the pool, and the most at the same time."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.taken = self.held = self.most_held = 0

    def take(self, *_event: object) -> None:
        self.taken += 1
        self.held += 1
        self.most_held = max(self.most_held, self.held)

    def give_back(self, *_event: object) -> None:
        self.held -= 1


@pytest.fixture
def pool_use(management: Management) -> Iterator[PoolUse]:
    use = PoolUse()
    event.listen(management.database.engine, "checkout", use.take)
    event.listen(management.database.engine, "checkin", use.give_back)
    yield use
    assert use.held == 0


def test_get_reads_the_credential_and_the_columns_on_one_connection(management: Management, pool_use: PoolUse) -> None:
    alice = management.user()
    project_id = alice.create_project()["id"]
    flow_id = alice.create_flow(project_id)["id"]
    for path in ("projects", f"projects/{project_id}", "flows", f"flows/{flow_id}"):
        pool_use.reset()
        parameters = {"projectId": project_id} if path == "flows" else None
        assert alice.get(f"/api/{path}", params=parameters).status_code == 200
        assert (pool_use.taken, pool_use.held) == (1, 0)


def test_no_request_holds_two_connections(management: Management, pool_use: PoolUse) -> None:
    # With two, as many requests as there are connections would wait for each other.
    alice = management.user()
    project_id = alice.create_project()["id"]
    with_key = management.anonymous(Authorization=f"Bearer {alice.api_key()}")
    for _ in range(2):
        with management.database.transaction() as session:
            session.execute(update(ApiKey).values(last_used_at=None))
        pool_use.reset()
        assert with_key.get(f"/api/projects/{project_id}").status_code == 200
        assert with_key.put(f"/api/projects/{project_id}", {"name": "Another"}).status_code == 200
        assert with_key.get("/api/analytics", params={"projectId": project_id}).status_code == 200
        assert with_key.get("/api/user").status_code == 200
        assert pool_use.most_held == 1


def test_failed_requests_return_their_connection(management: Management, pool_use: PoolUse) -> None:
    alice = management.user()
    data_of(alice.get("/api/projects"))
    assert alice.get("/api/projects/proj_unknown").status_code == 404
    assert alice.get("/api/projects", params={"page": "0"}).status_code == 400
    assert alice.get("/api/nothing").status_code == 404
    assert management.anonymous(Authorization="Bearer obk_api_wrong").get("/api/projects").status_code == 401
    assert pool_use.held == 0
