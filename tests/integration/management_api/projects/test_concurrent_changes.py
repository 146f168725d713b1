"""Changes to one project queue up behind each other."""

from concurrent.futures import ThreadPoolExecutor

from falcon.testing import Result

from tests.support.clients.management import Management, data_of


def test_no_change_of_settings_is_lost_among_many(management: Management) -> None:
    alice = management.user()
    path = f"/api/projects/{alice.create_project()['id']}"
    changes = [
        {"settings": {"analytics_enabled": False}},
        {"settings": {"custom_domain": "a.example"}},
        {"settings": {"platforms": ["ios"]}},
        {"description": "Changed"},
        {"name": "Changed"},
    ]

    def change(body: dict[str, object]) -> Result:
        return alice.put(path, body)

    with ThreadPoolExecutor(len(changes)) as pool:
        assert {response.status_code for response in pool.map(change, changes)} == {200}
    read = data_of(alice.get(path))
    assert (read["name"], read["description"]) == ("Changed", "Changed")
    assert read["settings"] == {
        "platforms": ["ios"],
        "default_flow_id": None,
        "analytics_enabled": False,
        "custom_domain": "a.example",
        "direct_writes": "allowed",
        "required_approvals": 0,
        "record_answers": False,
        "default_locale": "en",
        "locales": ["en"],
    }
    assert management.publication_of(path.removeprefix("/api/projects/")) == (1 + len(changes), False)


def test_single_deletion_of_many_succeeds(management: Management) -> None:
    alice = management.user()
    path = f"/api/projects/{alice.create_project()['id']}"

    def delete(_number: int) -> int:
        return alice.delete(path).status_code

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(delete, range(8))) == [200] + [404] * 7


def test_concurrent_rotations_leave_one_endless_key(management: Management) -> None:
    alice = management.user()
    path = f"/api/projects/{alice.create_project()['id']}/api-keys"

    def rotate(_number: int) -> int:
        return alice.post(f"{path}/rotate").status_code

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(rotate, range(8))) == {201}
    keys = data_of(alice.get(path))["secret_keys"]
    assert len(keys) == 9
    assert [key["expires_at"] is None for key in keys].count(True) == 1
