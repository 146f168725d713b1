"""PostgreSQL and Redis stopped under load in a complete stack: the edge serves all known projects."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from edge_api.snapshots.disk_store import DATABASE_NAME
from tests.e2e.api_clients import Dashboard, Phone
from tests.support.data.disk_snapshots import copied_revisions
from tests.support.databases.private_postgresql import own_postgresql
from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack
from tests.support.servers.running_server import RunningServer
from tests.support.soak import report, soak_setting

pytestmark = pytest.mark.slow

OUTAGE_SECONDS = soak_setting("OUTAGE_SECONDS", 2, 300)
DEVICES = 50


@pytest.fixture
def private_postgresql(tmp_path: Path) -> Iterator[RunningServer]:
    """Start a PostgreSQL for this test, which loses nothing when it is killed."""
    with own_postgresql(tmp_path / "postgresql", throwaway=False) as server:
        yield server


@pytest.fixture
def stack(
    tmp_path: Path, private_postgresql: RunningServer, private_redis_server: RunningServer, master_key: str
) -> Iterator[RunningStack]:
    """Start a stack on servers that it does not manage."""
    servers = {
        "ONBOARDING_DATABASE_URL": private_postgresql.url,
        "ONBOARDING_REDIS_URL": private_redis_server.url,
        "ONBOARDING_MASTER_KEY": master_key,
        "ONBOARDING_EDGE_WORKERS": "2",
    }
    with RunningStack(tmp_path, servers) as stack:
        yield stack


@dataclass(slots=True)
class Responses:
    """The statuses and flows of responses, and the number of requests without a response."""

    seen: set[tuple[int, str]] = field(default_factory=set)
    right: int = 0
    unreached: int = 0


def responses_for(phone: Phone, seconds: float) -> Responses:
    """Resolve device after device for so long, and at least all of them; retry refused connections."""
    until = time.monotonic() + seconds
    responses = Responses()
    while time.monotonic() < until or responses.right < DEVICES:
        try:
            response = phone.resolve(f"device-{responses.right % DEVICES}")
        except httpx.TransportError:
            responses.unreached += 1
            continue
        responses.seen.add((response.status_code, response.json().get("flowId")))
        responses.right += 1
    return responses


@pytest.mark.timeout(OUTAGE_SECONDS * 2 + 240)
def test_outage_of_both_servers_serves_every_known_device(
    stack: RunningStack, private_postgresql: RunningServer, private_redis_server: RunningServer, http: httpx.Client
) -> None:
    dashboard = Dashboard(http, stack.management_url, stack.token("owner@example.com"))
    project = dashboard.post("/projects", {"name": "Known"})
    key = dashboard.get(f"/projects/{project['id']}/api-keys")["secret_keys"][0]["secret_key"]
    first = dashboard.post("/flows", {"projectId": project["id"], "name": "First", "status": "active"})["id"]
    phone = Phone(http, stack.edge_url, project["id"], key)
    eventually(lambda: phone.resolved_flow("first"), within=20)
    (database,) = eventually(lambda: list(stack.state_folder.rglob(DATABASE_NAME)))
    eventually(lambda: project["id"] in copied_revisions(database.parent))

    # A change while only Redis is unavailable is published when it is back.
    private_redis_server.kill()
    second = dashboard.post(
        "/flows", {"projectId": project["id"], "name": "Second", "status": "active", "priority": 9}
    )["id"]
    private_postgresql.kill()
    before = responses_for(phone, OUTAGE_SECONDS / 2)
    assert (before.seen, before.unreached) == ({(200, first)}, 0)
    stack.kill("edge")
    after = responses_for(phone, OUTAGE_SECONDS / 2)
    assert after.seen == {(200, first)}

    private_postgresql.start()
    private_redis_server.start()
    began = time.monotonic()
    eventually(lambda: responses_for(phone, 0).seen == {(200, second)}, within=30)
    took = f"{time.monotonic() - began:.2f} s"
    measured = {"seconds": OUTAGE_SECONDS, "right": before.right + after.right, "wrong": 0, "newest after": took}
    report("PostgreSQL and Redis unavailable, the edge killed meanwhile", measured)
