"""Many clients that read, edit and write one thing with If-Match lose no update."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.clients.management import Management, User, data_of

CLIENTS = 20
EDITS = 1


def append_to_description(user: User, path: str, mark: str) -> int:
    """Add a mark by reads and conditional writes until one succeeds; return the number of conflicts."""
    refused = 0
    while True:
        read = user.get(path)
        description = f"{data_of(read)['description'] or ''}{mark}"
        written = user.put(path, {"description": description}, headers={"If-Match": read.headers["etag"]})
        if written.status_code == 200:
            return refused
        assert (written.status_code, written.json["code"]) == (412, "PRECONDITION_FAILED"), written.text
        refused += 1


@pytest.mark.parametrize("thing", ["projects", "flows"])
def test_no_update_is_lost_among_20_clients(management: Management, thing: str) -> None:
    alice = management.user()
    project_id = alice.create_project()["id"]
    path = f"/api/projects/{project_id}" if thing == "projects" else f"/api/flows/{management.add_flow(project_id)}"

    def edit(client: int) -> int:
        return sum(append_to_description(alice, path, chr(ord("a") + client)) for _ in range(EDITS))

    with ThreadPoolExecutor(CLIENTS) as pool:
        refused = list(pool.map(edit, range(CLIENTS)))
    marks = data_of(alice.get(path))["description"]
    assert sorted(marks) == sorted(chr(ord("a") + client) for client in range(CLIENTS) for _ in range(EDITS))
    assert sum(refused) > 0


def test_deletion_and_edits_with_equal_etags_have_a_single_winner(management: Management) -> None:
    alice = management.user()
    path = f"/api/flows/{management.add_flow(alice.create_project()['id'])}"
    headers = {"If-Match": alice.get(path).headers["etag"]}

    def change(client: int) -> int:
        if client % 2:
            return alice.delete(path, headers=headers).status_code
        return alice.put(path, {"name": f"Client {client}"}, headers=headers).status_code

    with ThreadPoolExecutor(CLIENTS) as pool:
        responses = list(pool.map(change, range(CLIENTS)))
    assert responses.count(200) == 1
    assert set(responses) <= {200, 404, 412}
