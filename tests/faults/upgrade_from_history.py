"""An upgrade from a former release, under load: its processes, the migrations, both releases side by side, this one.

`make soak-upgrade FORMER=COMMIT` runs it. It is not among the tests, because it needs the history and an environment
with the packages of the former release.
"""

import os
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from pydantic import SecretStr

from common.settings.shared import DatabaseSettings
from management_api.db.engine import Database, allow_long_statements
from management_api.rollups.rebuild import rebuild_project
from tests.integration.management_api.running_service import ServiceProcess, service_environment
from tests.support.clients.token_issuer import TokenIssuer
from tests.support.data.rows_of_0_2_0 import flows_with_other_rows
from tests.support.faults.release_editors import ReleaseEditors, lost_updates
from tests.support.faults.retrying_clients import ClientLog, RetryingClients
from tests.support.polling import eventually
from tests.support.servers.edge_process import StartedEdge
from tests.support.servers.release import THIS_RELEASE, Release
from tests.support.servers.running_server import RunningServer
from tests.support.servers.service_process import StartedProcess
from tests.support.soak import report, soak_setting

#: Release 0.2.0, the oldest that is upgraded.
FORMER = os.environ.get("FORMER_RELEASE", "1c5c8f3183e7903bec6c3721f46f87c2e896cd4a")
#: The flows of other projects, which make the migrations long.
FLOWS = soak_setting("FLOWS", 20_000, 20_000)
WRITES = soak_setting("WRITES", 300, 300)
EDITORS = 6
SHARED_FLOWS = 12
MAX_STALL_SECONDS = 1.0
RULE = {"id": "rule_1", "when": []}
HELLO = {"type": "welcome", "content": {"title": "Hello"}}
FILL = """
    INSERT INTO projects (id, name, platforms, public_key_sealed)
    SELECT 'proj_' || n, 'Project', '{ios}', '' FROM generate_series(0, %(flows)s::int / 50 - 1) n;
    INSERT INTO flows (id, project_id, name, rollout_buckets)
    SELECT 'flow_' || n, 'proj_' || n / 50, 'Flow ' || n, n %% 10001 FROM generate_series(0, %(flows)s - 1) n;
    INSERT INTO screens (id, flow_id, project_id, type, "order", content)
    SELECT 'screen_' || n, 'flow_' || n / 5, 'proj_' || n / 250, 'welcome', n %% 5,
        jsonb_build_object('title', 'Screen ' || n, 'text', repeat('x', 500))
    FROM generate_series(0, %(flows)s * 5 - 1) n
"""


@dataclass
class ReleaseProcesses:
    """Management, edge, publisher and consumer of one release."""

    release: Release
    variables: Mapping[str, str]
    issuer: TokenIssuer
    folder: Path
    stack: ExitStack = field(default_factory=ExitStack)
    #: It is closed before `stack`, because edges are upgraded first.
    edge_stack: ExitStack = field(default_factory=ExitStack)

    def migrate(self) -> None:
        subprocess.run(  # noqa: S603 - our own program
            [self.release.python, "-P", "-m", "cli.main", "migrate"],
            env=self.release.environment({**self.variables}),
            check=True,
        )

    def start_management(self) -> int:
        environment = service_environment(
            self.variables["ONBOARDING_DATABASE_URL"],
            self.variables["ONBOARDING_MASTER_KEY"],
            self.folder,
            identity_jwks_file=str(self.issuer.jwks_file),
            management_workers="2",
            max_flows_per_project="100000",
        )
        service = ServiceProcess(environment, self.folder / "management.log", self.release)
        self.stack.callback(service.stop)
        service.wait_until_ready()
        return service.port

    def start_edge(self) -> StartedEdge:
        spool = {"edge_spool_folder": str(self.folder / "spool")}
        redis_url = self.variables["ONBOARDING_REDIS_URL"]
        edge = StartedEdge(redis_url, self.folder, self.release, workers=2, **spool)
        self.stack.callback(self.edge_stack.close)
        return self.edge_stack.enter_context(edge)

    def start(self, module: str, settings: str) -> None:
        log_file = self.folder / f"{settings}.log"
        process = StartedProcess(module, settings, self.variables, log_file, self.release)
        self.stack.enter_context(process)
        self.stack.callback(process.terminate)

    def start_publisher(self) -> None:
        self.start("publisher.main", "PublisherSettings")

    def start_consumer(self) -> None:
        self.start("management_api.event_consumer.main", "ConsumerSettings")


class Devices:
    """Devices that resolve at all edges and post events, until the end of a block."""

    def __init__(self, keys: dict[str, str], flow_id: str) -> None:
        self.edges: tuple[str, ...] = ()
        self.log = ClientLog()
        self.statuses: Counter[object] = Counter()
        self._keys = keys
        self._flow_id = flow_id
        self._stop = threading.Event()

    @contextmanager
    def at_work(self) -> Iterator[None]:
        with ThreadPoolExecutor(2) as pool:
            work = [pool.submit(self._resolve), pool.submit(self._post)]
            try:
                yield
            finally:
                self._stop.set()
            for device in work:
                device.result()

    def _resolve(self) -> None:
        with httpx.Client(headers=self._keys, timeout=10) as client:
            while not self._stop.wait(0.02):
                for edge in self.edges:
                    try:
                        response = client.post(f"{edge}/api/onboarding/resolve", json={"deviceId": "phone"})
                        self.statuses[response.status_code] += 1
                    except httpx.TransportError as error:
                        # The edge is leaving; devices try again.
                        self.statuses[type(error).__name__] += edge in self.edges

    def _post(self) -> None:
        while not self._stop.wait(0.05):
            for edge in self.edges:
                self.log.add(RetryingClients(edge, self._keys, self._flow_id, clients=1).post(40))


class Upgrade:
    """The steps of an upgrade, while editors and devices work; `results` has the figures."""

    def __init__(self, former: ReleaseProcesses, new: ReleaseProcesses, database: Database, tokens: list[str]) -> None:
        self.former = former
        self.new = new
        self.database = database
        self.tokens = tokens
        self.results: dict[str, object] = {}
        #: The longest write before the migrations, on a machine with other programs, and meanwhile.
        self.usual_seconds = self.stall_seconds = 0.0
        self.ports = [former.start_management()]
        self.edges = [former.start_edge()]
        former.start_publisher()
        former.start_consumer()
        database_url = former.variables["ONBOARDING_DATABASE_URL"]
        project_id, self.keys, self.flow_ids = make_project(self.ports[0], tokens, database_url)
        self.project_id = project_id
        self.editors = ReleaseEditors(tokens, project_id, self.flow_ids, self.ports)
        self.devices = Devices(self.keys, self.flow_ids[0])
        eventually(lambda: self.resolved_names("phone") == ["First"], within=60)
        self.devices.edges = (self.edges[0].url,)

    def migrate(self) -> None:
        """Run the migrations, and measure the writes meanwhile."""
        self.editors.wait_for_writes(WRITES)
        self.usual_seconds = self.editors.log.slowest_since(0)
        begun = time.monotonic()
        self.new.migrate()
        self.results["seconds of the migrations"] = round(time.monotonic() - begun, 1)
        self.editors.wait_for_writes(20)
        self.stall_seconds = self.editors.log.slowest_since(begun)
        self.results["longest write before and meanwhile"] = round(self.usual_seconds, 2), round(self.stall_seconds, 2)

    def replace_edge(self) -> None:
        """Start the edge of this release beside the former one, use both, and stop the former one.

        A former edge does not read a new format of snapshots, so the publisher of this release starts later.
        """
        self.edges.append(self.new.start_edge())
        # The new edge reads the snapshots of the former publisher.
        assert len(set(self.resolved_names("phone"))) == 1
        self.devices.edges = tuple(edge.url for edge in self.edges)
        self.editors.wait_for_writes(WRITES)
        self.edges.pop(0)
        self.devices.edges = (self.edges[0].url,)
        self.editors.wait_for_writes(20)
        self.former.edge_stack.close()

    def add_this_release(self) -> None:
        """Start the other processes of this release beside the former ones, and use both."""
        self.new.start_publisher()
        self.new.start_consumer()
        self.ports.append(self.new.start_management())
        begun = time.monotonic()
        self.editors.ports, self.editors.newest = tuple(self.ports), (self.ports[1],)
        self.editors.wait_for_writes(WRITES)
        show_draft(self.ports[1], self.tokens[0], self.project_id, self.flow_ids[-1])
        eventually(lambda: self.resolved_names("tester") == ["The draft"], within=30)
        # Both releases of management read and change the flow, and devices get its logic.
        for edge in self.edges:
            document = resolved_document(edge.url, self.keys, "tester")
            assert [screen.get("next") for screen in document["flow"]["screens"]] == [[{**RULE, "goTo": "end"}], None]
        self.editors.wait_for_writes(WRITES)
        self.results["longest write side by side"] = round(self.editors.log.slowest_since(begun), 2)

    def stop_former_release(self) -> None:
        """Stop the other processes of the former release, when clients have left its management."""
        self.editors.ports = (self.ports[1],)
        self.editors.wait_for_writes(20)
        self.former.stack.close()
        self.editors.wait_for_writes(WRITES)

    def resolved_names(self, device_id: str) -> list[str | None]:
        """Return the name of the flow that a device gets at each edge."""
        return [resolved(edge.url, self.keys, device_id) for edge in self.edges]


@pytest.fixture
def upgrade(
    empty_database_url: str, private_redis_server: RunningServer, master_key: str, tmp_path: Path
) -> Iterator[Upgrade]:
    """Return an upgrade whose former release serves a database with many flows."""
    variables = {
        "ONBOARDING_DATABASE_URL": empty_database_url,
        "ONBOARDING_REDIS_URL": private_redis_server.url,
        "ONBOARDING_MASTER_KEY": master_key,
    }
    issuer = TokenIssuer(tmp_path)
    for name in ("former", "new"):
        (tmp_path / name).mkdir()
    release = Release.from_history(FORMER, tmp_path / "release")
    former = ReleaseProcesses(release, variables, issuer, tmp_path / "former")
    new = ReleaseProcesses(THIS_RELEASE, variables, issuer, tmp_path / "new")
    settings = DatabaseSettings(database_url=SecretStr(empty_database_url))
    with new.stack, former.stack, closing(Database(settings)) as database:
        former.migrate()
        with psycopg.connect(empty_database_url, autocommit=True) as connection:
            psycopg.ClientCursor(connection).execute(FILL.encode(), {"flows": FLOWS})
            connection.execute("ANALYZE")
        yield Upgrade(former, new, database, [issuer.token(f"editor-{number}") for number in range(EDITORS)])


@pytest.mark.timeout(900)
def test_upgrade_under_load_loses_nothing(upgrade: Upgrade, empty_database_url: str) -> None:
    editors, devices = upgrade.editors, upgrade.devices
    with editors.running(), devices.at_work():
        upgrade.migrate()
        upgrade.replace_edge()
        upgrade.add_this_release()
        upgrade.stop_former_release()

    log, results = editors.log, upgrade.results
    live = shown_flows(upgrade.ports[1], upgrade.tokens[0], upgrade.flow_ids)
    screens = [flow["screens"][0] for flow in live]
    lost = [lost_updates(log, flow["id"], flow["name"], "First") for flow in live]
    lost += [lost_updates(log, screen["id"], screen["content"]["title"], "Hello") for screen in screens]
    results |= {
        "acknowledged writes": log.writes,
        "published": log.published,
        "refused": dict(log.refused),
        "lost": sum(map(len, lost)),
        "events": len(devices.log.acknowledged),
        "resolves": dict(devices.statuses),
    }
    report(f"upgrade from {FORMER[:7]} with {FLOWS} flows", results)
    assert log.wrong == []
    assert [text for texts in lost for text in texts] == []
    assert set(devices.statuses) == {200}
    names = {flow["id"]: flow["name"] for flow in live}
    eventually(lambda: names.items() <= configured_names(upgrade.edges[0].url, upgrade.keys).items(), within=30)
    with psycopg.connect(empty_database_url, autocommit=True) as connection:
        eventually(lambda: stored_events(connection) == devices.log.acknowledged, within=60)
    # Consumers of both releases have counted events, each in the way of the release.
    eventually(lambda: rebuild_project(upgrade.database, upgrade.project_id, repair=False) == [], within=60)
    with upgrade.database.transaction() as session:
        allow_long_statements(session, minutes=5)
        assert flows_with_other_rows(session) == []
    assert upgrade.stall_seconds < upgrade.usual_seconds + MAX_STALL_SECONDS


def make_project(port: int, tokens: Sequence[str], database_url: str) -> tuple[str, dict[str, str], list[str]]:
    """Create a project with active flows by the first user, and make the others editors."""
    with as_user(port, tokens[0]) as owner:
        project_id = data_of(owner.post("/projects", json={"name": "Upgraded"}))["id"]
        key = data_of(owner.get(f"/projects/{project_id}/api-keys"))["secret_keys"][0]["secret_key"]
        flow = {"projectId": project_id, "name": "First", "status": "active", "screens": [HELLO]}
        ids = [
            data_of(owner.post("/flows", json={**flow, "is_default": number == 0}))["id"]
            for number in range(SHARED_FLOWS)
        ]
    for token in tokens[1:]:
        with as_user(port, token) as editor:
            data_of(editor.get("/user/api-key"))
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO members (project_id, user_id, role) SELECT %s, id, 'editor' FROM users"
            " WHERE id NOT IN (SELECT user_id FROM members WHERE project_id = %s)",
            [project_id, project_id],
        )
    return project_id, {"X-Project-Id": project_id, "X-Secret-Key": key}, ids


def as_user(port: int, token: str) -> httpx.Client:
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.Client(base_url=f"http://127.0.0.1:{port}/api", headers=headers, timeout=30)


def data_of(response: httpx.Response) -> Any:  # noqa: ANN401 - the shape depends on the path
    assert response.is_success, response.text
    return response.json()["data"]


def shown_flows(port: int, token: str, flow_ids: Sequence[str]) -> list[dict[str, Any]]:
    with as_user(port, token) as user:
        return [data_of(user.get(f"/flows/{flow_id}")) for flow_id in flow_ids]


def show_draft(port: int, token: str, project_id: str, flow_id: str) -> None:
    with as_user(port, token) as user:
        devices = {"devices": {"tester": {"flow_id": flow_id, "draft": True}}}
        data_of(user.put(f"/projects/{project_id}/qa-devices", json=devices))
        screens = [{**HELLO, "next": [{**RULE, "go_to": "end"}]}, HELLO]
        document = {"name": "The draft", "screens": screens}
        data_of(user.put(f"/flows/{flow_id}/draft", json={"document": document}))


def resolved(edge_url: str, keys: dict[str, str], device_id: str) -> str | None:
    """Return the name of the flow that a device gets."""
    document = resolved_document(edge_url, keys, device_id)
    return document["flow"]["name"] if document else None


def resolved_document(edge_url: str, keys: dict[str, str], device_id: str) -> dict[str, Any]:
    """Return the response of a resolve, an empty one for a failure."""
    response = httpx.post(f"{edge_url}/api/onboarding/resolve", json={"deviceId": device_id}, headers=keys, timeout=10)
    return dict(response.json()) if response.is_success else {}


def configured_names(edge_url: str, keys: dict[str, str]) -> dict[str, str]:
    response = httpx.get(f"{edge_url}/api/config", headers=keys, timeout=10)
    return {flow["id"]: flow["name"] for flow in response.json()["flows"]}


def stored_events(connection: "psycopg.Connection[tuple[Any, ...]]") -> set[str]:
    return {event_id for (event_id,) in connection.execute("SELECT event_id FROM events")}
