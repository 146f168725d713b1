"""Users come into being at first sight."""

from concurrent.futures import ThreadPoolExecutor

from falcon.testing import Result
from sqlalchemy import func, select

from management_api.database.users import ApiKey, User
from tests.management import Management, data_of


def test_a_new_user_has_an_api_key(management: Management) -> None:
    shown = data_of(management.user().get("/api/user/api-key"))
    assert shown.keys() == {"api_key", "created_at", "last_used_at"}
    assert shown["api_key"].startswith("obk_api_")
    assert shown["last_used_at"] is None


def test_racing_first_requests_make_one_user_with_one_key(management: Management) -> None:
    alice = management.user("racer")

    def first_request(_number: int) -> Result:
        return alice.get("/api/user/api-key")

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(first_request, range(32)))

    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json["data"]["api_key"] for answer in answers}) == 1
    with management.database.transaction() as session:
        assert session.scalar(select(func.count()).select_from(User)) == 1
        assert session.scalar(select(func.count()).select_from(ApiKey)) == 1
