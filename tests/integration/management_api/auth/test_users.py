"""Users come into being at first sight, once, and stay who they are."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

from falcon.testing import Result
from sqlalchemy import func, select, update

from management_api.db.models.users import ApiKey, User
from tests.support.clients.management import Management, data_of


def stored_user(management: Management) -> tuple[str | None, str | None]:
    with management.database.transaction() as session:
        row = session.execute(select(User.email, User.name)).one()
        return row.email, row.name


def last_use(management: Management) -> datetime | None:
    with management.database.transaction() as session:
        return session.execute(select(ApiKey.last_used_at)).scalar_one()


def test_racing_first_requests_make_one_user_with_one_key(management: Management) -> None:
    alice = management.user("racer")

    def first_request(_number: int) -> Result:
        return alice.get("/api/user/api-key")

    with ThreadPoolExecutor(16) as pool:
        responses = list(pool.map(first_request, range(32)))

    assert {response.status_code for response in responses} == {200}
    assert len({response.json["data"]["api_key"] for response in responses}) == 1
    with management.database.transaction() as session:
        assert session.scalar(select(func.count()).select_from(User)) == 1
        assert session.scalar(select(func.count()).select_from(ApiKey)) == 1


def test_newer_token_renames_the_user_and_a_token_without_a_name_does_not(management: Management) -> None:
    management.user(email="old@example.com", name="Old").api_key()
    management.user(email="new@example.com", name="New").api_key()
    assert stored_user(management) == ("new@example.com", "New")
    management.user().api_key()
    assert stored_user(management) == ("new@example.com", "New")


def test_the_use_of_a_key_is_noted_at_most_once_a_minute(management: Management) -> None:
    with_key = management.anonymous(Authorization=f"Bearer {management.user().api_key()}")
    with_key.get("/api/projects")
    first = last_use(management)
    assert first is not None
    with_key.get("/api/projects")
    assert last_use(management) == first
    with management.database.transaction() as session:
        session.execute(update(ApiKey).values(last_used_at=datetime.now(UTC) - timedelta(minutes=2)))
    with_key.get("/api/projects")
    again = last_use(management)
    assert again is not None
    assert again > first
    assert data_of(with_key.get("/api/user/api-key"))["last_used_at"] is not None
