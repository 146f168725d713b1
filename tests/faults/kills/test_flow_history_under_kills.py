"""Editors write, publish and restore flows at once while management workers and the publisher are killed.

The oracle is the log of the editors: each name that they give to a flow is unique, and the log has the name that they
saw before. `SOAK_VERSIONS` is the number of publications and restores.
"""

import time
from collections.abc import Iterator, Mapping

import httpx
import pytest
from pydantic import SecretStr
from sqlalchemy import insert, select

from common.settings.shared import DatabaseSettings
from management_api.db.engine import Database
from management_api.db.models.flow_history import FlowVersion
from management_api.db.models.projects import Member, Role
from management_api.db.models.users import User
from tests.e2e.api_clients import Dashboard, Phone
from tests.faults.conftest import KillableStack
from tests.support.data.rows import read_live_document
from tests.support.faults.flow_editors import EditLog, FlowEditors
from tests.support.faults.random_kills import kill_a_worker, random_kills
from tests.support.polling import eventually
from tests.support.soak import report, soak_setting

pytestmark = pytest.mark.slow

VERSIONS = soak_setting("VERSIONS", 100, 1000)
CLIENTS = 8
#: Enough flows that no version is deleted: the newest 200 of each are kept.
FLOWS = max(CLIENTS, VERSIONS // 25)
KILLS = 2
HELLO = {"type": "welcome", "content": {"title": "Hi"}}


@pytest.fixture
def database(killable_stack: KillableStack) -> Iterator[Database]:
    database = Database(DatabaseSettings(database_url=SecretStr(killable_stack.database_url)))
    yield database
    database.close()


@pytest.mark.timeout(240 + VERSIONS)
def test_no_acknowledged_change_of_a_flow_is_lost_under_kills(
    http: httpx.Client, killable_stack: KillableStack, dashboard: Dashboard, database: Database
) -> None:
    stack = killable_stack.stack
    project = dashboard.post("/projects", {"name": "Edited"})
    key = dashboard.get(f"/projects/{project['id']}/api-keys")["secret_keys"][0]["secret_key"]
    flow_ids = [
        dashboard.post("/flows", {"projectId": project["id"], "name": "-", "status": "active", "screens": [HELLO]})[
            "id"
        ]
        for _ in range(FLOWS)
    ]
    tokens = [stack.token(f"editor-{number}@example.com") for number in range(CLIENTS)]
    user_ids = add_editors(http, stack.management_url, tokens, database, project["id"])
    editors = FlowEditors(stack.management_url, tokens, flow_ids)

    begun = time.monotonic()
    victims = {
        "management worker": lambda: kill_a_worker(stack, "management"),
        "publisher": lambda: stack.kill("publisher"),
    }
    with editors.running(), random_kills(victims, seed=VERSIONS) as kills:
        eventually(
            lambda: len(editors.log.versions) >= VERSIONS and min(kills[name] for name in victims) >= KILLS,
            within=120 + VERSIONS,
        )
    seconds = time.monotonic() - begun

    histories = {flow_id: read_history(database, flow_id) for flow_id in flow_ids}
    recorded = {flow_id: recorded_names(history, editors.log, user_ids) for flow_id, history in histories.items()}
    assert [(flow_id, name) for flow_id, name in editors.log.direct if name not in recorded[flow_id]] == []
    for flow_id, number, name in editors.log.versions:
        assert histories[flow_id][number].document["name"] == name
        assert histories[flow_id][number].origin in {"published", "restored"}
    names = {flow_id: history[max(history)].document["name"] for flow_id, history in histories.items()}
    phone = Phone(http, stack.edge_url, project["id"], key)
    eventually(lambda: names_at_edge(phone) == names, within=30)
    report(
        "flow history under kills",
        {
            "publications and restores": len(editors.log.versions),
            "direct writes": len(editors.log.direct),
            "versions": sum(map(len, histories.values())),
            "refused": editors.log.refused,
            "repeated requests": editors.log.retries,
            "kills": dict(kills),
            "lost": 0,
            "seconds": round(seconds),
        },
    )


def add_editors(
    http: httpx.Client, url: str, tokens: list[str], database: Database, project_id: str
) -> Mapping[str, int]:
    """Make the users of the tokens editors of the project; return their numbers by their ids."""
    for token in tokens:
        http.get(f"{url}/api/user/api-key", headers={"Authorization": f"Bearer {token}"}).raise_for_status()
    with database.transaction() as session:
        found = session.execute(select(User.id, User.email).where(User.email.startswith("editor-"))).all()
        for user_id, _ in found:
            session.execute(insert(Member).values(project_id=project_id, user_id=user_id, role=Role.EDITOR.value))
    assert len(found) == len(tokens)
    return {user_id: int((email or "").removeprefix("editor-").partition("@")[0]) for user_id, email in found}


def read_history(database: Database, flow_id: str) -> Mapping[int, FlowVersion]:
    """Return the versions of a flow by number, which have no gap, and the last of which is live."""
    with database.reading() as session:
        found = session.scalars(select(FlowVersion).where(FlowVersion.flow_id == flow_id)).all()
        session.expunge_all()
        live = read_live_document(session, flow_id)
    history = {version.number: version for version in found}
    assert sorted(history) == list(range(1, len(history) + 1))
    assert history[len(history)].document == live
    return history


def recorded_names(history: Mapping[int, FlowVersion], log: EditLog, user_ids: Mapping[str, int]) -> set[str]:
    """Return the names in a history, also those that a later direct write of the same user has replaced.

    Every change but a restore was made from the version before it, through replaced writes of the same user alone: no
    update is lost between them.
    """
    recorded: set[str] = set()
    for number, version in history.items():
        name = version.document["name"]
        recorded.add(name)
        if version.origin == "restored":
            assert name == history[version.restored_from or 0].document["name"]
        if version.origin not in {"direct", "published"}:
            continue
        user = user_ids[version.created_by or ""]
        before = history[number - 1].document["name"]
        while True:
            edit = log.sent[name]
            assert edit.user == user
            name = edit.former_name
            if name == before:
                break
            assert version.origin == "direct"
            recorded.add(name)
    return recorded


def names_at_edge(phone: Phone) -> dict[str, str]:
    """Return the names of the flows that devices get, by their ids."""
    response = phone.config()
    return {flow["id"]: flow["name"] for flow in response.json()["flows"]} if response.is_success else {}
