"""Restarts and killed workers under load: a restart fails no request, a kill only those of the killed worker."""

import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
import redis

from tests.support.clients.balanced_client import BalancedClient
from tests.support.clients.busy_users import BusyUsers
from tests.support.clients.revision_readers import RevisionReaders, a_numbered_snapshot, revision_readers
from tests.support.clients.token_issuer import TokenIssuer
from tests.support.data.snapshots import publish
from tests.support.faults.restarted_services import RestartedServices, restarted_services
from tests.support.faults.retrying_clients import ClientLog, RetryingClients
from tests.support.polling import eventually
from tests.support.servers.edge_process import StartedEdge
from tests.support.soak import report, soak_setting

pytestmark = pytest.mark.slow

RESTARTS = soak_setting("RESTARTS", 1, 10)
READERS = 8
SECONDS_OF_ONE = 60
EDGE_WORKERS = soak_setting("OUTAGE_WORKERS", 2, 4)
#: The first instance has its workers replaced, the others are replaced as a whole.
MANAGEMENT_INSTANCES = soak_setting("MANAGEMENT_INSTANCES", 1, 2)
#: Between posts of events: the restarting services need the processor.
_PAUSE_SECONDS = 0.1


def read_some(readers: RevisionReaders) -> None:
    """Wait until every reader has had many responses."""
    enough = readers.right + 50 * READERS
    eventually(lambda: readers.right > enough, within=30)


def is_replaced(edge: StartedEdge, victim: int) -> bool:
    return victim not in edge.workers() and edge.has_all_workers()


@pytest.mark.timeout(RESTARTS * SECONDS_OF_ONE + 240)
def test_rolling_restarts_fail_no_request_and_killed_worker_is_replaced(
    redis_url: str, redis_client: redis.Redis, tmp_path: Path
) -> None:
    snapshots = [a_numbered_snapshot() for _ in range(4)]
    for snapshot in snapshots:
        publish(redis_client, snapshot)
    with (
        StartedEdge(redis_url, tmp_path, workers=EDGE_WORKERS) as edge,
        revision_readers(edge, snapshots, of_each_worker=READERS // EDGE_WORKERS) as readers,
    ):
        for _ in range(RESTARTS):
            read_some(readers)
            edge.rolling_restart()
        read_some(readers)
        assert (readers.wrong, readers.unreached) == ([], 0)
        for _ in range(RESTARTS):
            victim = edge.kill_a_worker()
            eventually(partial(is_replaced, edge, victim), within=SECONDS_OF_ONE)
            read_some(readers)
    assert readers.wrong == []
    # At most the requests under way in the killed worker; the others serve all clients at once.
    assert readers.unreached <= RESTARTS * READERS
    counts = {"restarts": RESTARTS, "deaths": RESTARTS, "right": readers.right, "lost by deaths": readers.unreached}
    report(f"Workers replaced under load, {READERS} readers", counts)


@pytest.mark.timeout(RESTARTS * SECONDS_OF_ONE * 4 + 240)
def test_restarts_of_every_process_fail_no_request_and_lose_no_event(
    database_url: str, redis_url: str, master_key: str, tmp_path: Path
) -> None:
    with restarted_services(
        database_url,
        redis_url,
        master_key,
        tmp_path,
        edge_workers=EDGE_WORKERS,
        management_instances=MANAGEMENT_INSTANCES,
    ) as (services, issuer):
        keys, flow_id = a_published_project(services, issuer)
        events, users = Events(services.edge.url, keys, flow_id), BusyUsers(services.management_ports, issuer)
        with events.being_posted(), users.running(2):
            for _ in range(RESTARTS):
                for restart in (
                    services.restart_edge_workers,
                    services.restart_management_workers,
                    services.replace_management,
                    partial(services.replace, "publisher"),
                    partial(services.replace, "consumer"),
                ):
                    restart()
                    users.wait_for_responses()
                    events.post_more()
        log = events.log
        assert (users.errors, log.failed_posts) == ([], 0)
        with psycopg.connect(database_url, autocommit=True) as connection:
            eventually(lambda: len(stored_events(connection)) >= len(log.acknowledged), within=60)
            assert stored_events(connection) == sorted(log.acknowledged)
            made = connection.execute("SELECT id, name FROM flows WHERE id <> %s", [flow_id])
            assert {row[0]: row[1] for row in made} == users.flows
            waiting = "SELECT count(*) FROM publications WHERE published_revision < wanted_revision"
            eventually(lambda: connection.execute(waiting).fetchone() == (0,), within=60)
        assert served_name(services.edge.url, keys, flow_id) == "Only"
    counts = {
        "restarts of each": RESTARTS,
        "responses of management": users.responses,
        "posts of events": log.posts,
        "events": len(log.acknowledged),
        "failed": 0,
        "lost": 0,
    }
    report(
        f"Every process restarted under load, {EDGE_WORKERS} edge workers, {MANAGEMENT_INSTANCES} managements", counts
    )


def stored_events(connection: "psycopg.Connection[tuple[Any, ...]]") -> list[str]:
    return sorted(event_id for (event_id,) in connection.execute("SELECT event_id FROM events"))


class Events:
    """Clients that post events until the end of a block."""

    def __init__(self, edge_url: str, keys: dict[str, str], flow_id: str) -> None:
        self._clients = RetryingClients(edge_url, keys, flow_id, clients=2)
        self._over = threading.Event()
        self.log = ClientLog()

    @contextmanager
    def being_posted(self) -> Iterator[None]:
        with ThreadPoolExecutor(1) as pool:
            posting = pool.submit(self._post)
            try:
                yield
            finally:
                self._over.set()
            posting.result()

    def post_more(self) -> None:
        """Wait until more events are acknowledged."""
        enough = self.log.posts + 4
        eventually(lambda: self.log.posts > enough, within=120)

    def _post(self) -> None:
        while not self._over.wait(_PAUSE_SECONDS):
            self.log.add(self._clients.post(80))


def a_published_project(services: RestartedServices, issuer: TokenIssuer) -> tuple[dict[str, str], str]:
    """Create a project with a default flow, served by the edge; return an SDK's headers and the flow's id."""
    with BalancedClient(services.management_ports, {"Authorization": f"Bearer {issuer.token('owner')}"}) as owner:
        project_id = owner.call("POST", "/api/projects", {"name": "Restarted"})[1]["data"]["id"]
        _, key = owner.call("GET", f"/api/projects/{project_id}/api-keys")
        flow = {"projectId": project_id, "name": "Only", "status": "active", "is_default": True}
        flow_id = owner.call("POST", "/api/flows", flow)[1]["data"]["id"]
    keys = {"X-Project-Id": project_id, "X-Secret-Key": key["data"]["secret_keys"][0]["secret_key"]}
    eventually(lambda: served_name(services.edge.url, keys, flow_id) == "Only", within=30)
    return keys, flow_id


def served_name(edge_url: str, keys: Mapping[str, str], flow_id: str) -> str | None:
    """Return the name under which the edge serves the flow, or None."""
    response = httpx.post(
        f"{edge_url}/api/onboarding/resolve", json={"deviceId": "phone"}, headers=dict(keys), timeout=20
    )
    shown = response.json().get("flow", {})
    return str(shown["name"]) if shown.get("id") == flow_id else None
