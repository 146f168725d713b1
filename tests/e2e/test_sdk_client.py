"""The client in docs/write-an-sdk.md, run as it stands there against a whole stack."""

import importlib.util
import json
import re
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deploy.local.loopback_ports import free_port
from tests.docs.markdown import ROOT
from tests.e2e.api_clients import Dashboard
from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack

MAX_LINES = 75


@pytest.fixture(scope="module")
def sdk(tmp_path_factory: pytest.TempPathFactory) -> Any:  # noqa: ANN401 - a module of a document
    code = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "write-an-sdk.md").read_text(), re.DOTALL)
    assert len(code) == 1
    assert len(code[0].splitlines()) <= MAX_LINES
    file = tmp_path_factory.mktemp("sdk") / "onboarding_sdk.py"
    file.write_text(code[0])
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Project:
    """A project with a default flow and another one."""

    def __init__(self, dashboard: Dashboard) -> None:
        self.dashboard = dashboard
        self.id: str = dashboard.post("/projects", {"name": "Client"})["id"]
        self.key: str = dashboard.get(f"/projects/{self.id}/api-keys")["secret_keys"][0]["secret_key"]
        self.flow = self._flow("Welcome", is_default=True)
        self.other_flow = self._flow("Other", is_default=False)

    def _flow(self, name: str, *, is_default: bool) -> str:
        body = {"projectId": self.id, "name": name, "status": "active", "is_default": is_default}
        return str(self.dashboard.post("/flows", body)["id"])

    def counts(self) -> dict[str, int]:
        rows = self.dashboard.get(f"/analytics?projectId={self.id}&group_by=event_type")["rows"]
        return {row["event_type"]: row["events"] for row in rows}


@pytest.fixture
def project(stack: RunningStack, http: Any) -> Project:  # noqa: ANN401 - the client of conftest.py
    return Project(Dashboard(http, stack.management_url, stack.token(f"{uuid.uuid4().hex}@example.com")))


@pytest.fixture
def client_at(sdk: Any, project: Project, tmp_path: Path) -> Callable[[str], Any]:  # noqa: ANN401 - as above
    """Return a function that opens the client of an installation at a URL, with its stored state."""
    return lambda url: sdk.Onboarding(url, project.id, project.key, tmp_path / "onboarding.json")


def test_client_resolves_and_its_repeated_events_are_counted_once(
    stack: RunningStack, project: Project, client_at: Callable[[str], Any]
) -> None:
    client = client_at(stack.edge_url)
    assert eventually(client.resolve)["flowId"] == project.flow
    client.track("flow_started", flowId=project.flow)
    client.track("flow_completed", flowId=project.flow)
    queued = client.state["queue"]
    client.flush()
    assert client.state["queue"] == []
    # The response was lost, so the client sends the same events again.
    client.state["queue"] = queued
    client.flush()

    client.track("last_event")
    client.flush()
    expected = {"flow_started": 1, "flow_completed": 1, "last_event": 1}
    eventually(lambda: project.counts() == expected)


def test_client_without_an_edge_shows_the_last_flow_and_keeps_its_events(
    stack: RunningStack,
    sdk: Any,  # noqa: ANN401 - as above
    project: Project,
    client_at: Callable[[str], Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    eventually(client_at(stack.edge_url).resolve)
    monkeypatch.setattr(sdk, "MAX_WAIT", 0.05)

    offline = client_at(f"http://127.0.0.1:{free_port()}")
    assert offline.resolve()["flowId"] == project.flow
    offline.track("flow_started", flowId=project.flow)
    with pytest.raises(sdk.Unavailable):
        offline.flush()

    again = client_at(stack.edge_url)
    assert again.state["device"] == offline.state["device"]
    again.flush()
    eventually(lambda: project.counts() == {"flow_started": 1})


def test_client_drops_events_that_are_rejected(stack: RunningStack, project: Project, client_at: Any) -> None:  # noqa: ANN401 - as above
    client = client_at(stack.edge_url)
    eventually(client.resolve)
    client.track("Not a type")
    client.track("flow_started", flowId=project.flow)
    client.flush()
    assert client.state["queue"] == []
    eventually(lambda: project.counts() == {"flow_started": 1})


def test_client_keeps_the_highest_configuration_and_sends_its_etag(
    stack: RunningStack, project: Project, client_at: Callable[[str], Any], tmp_path: Path
) -> None:
    client = client_at(stack.edge_url)
    eventually(client.resolve)

    def is_complete() -> bool:
        return {flow["id"] for flow in client.configuration()["flows"]} == {project.flow, project.other_flow}

    eventually(is_complete)
    status, _, body = client.send("GET", "/api/config", None, {"If-None-Match": client.state["etag"]})
    assert (status, body) == (304, None)

    stored = json.loads((tmp_path / "onboarding.json").read_text())
    newer = stored["config"] | {"configVersion": stored["config"]["configVersion"] + 1}
    (tmp_path / "onboarding.json").write_text(json.dumps(stored | {"config": newer, "etag": '"of a newer one"'}))
    assert client_at(stack.edge_url).configuration() == newer


def test_client_stays_in_its_variant_when_weights_change(
    stack: RunningStack, project: Project, client_at: Callable[[str], Any]
) -> None:
    variants = [
        {"key": "a", "name": "A", "flow_id": project.flow, "weight": 100, "is_control": True},
        {"key": "b", "name": "B", "flow_id": project.other_flow, "weight": 0, "is_control": False},
    ]
    draft = project.dashboard.post("/experiments", {"projectId": project.id, "name": "Test", "variants": variants})
    project.dashboard.post(f"/experiments/{draft['id']}/start", {})
    client = client_at(stack.edge_url)

    def variant(of: Any) -> str | None:  # noqa: ANN401 - as above
        resolved = of.resolve()
        return None if resolved is None else resolved["assignment"]["variant"]

    eventually(lambda: variant(client) == "a")
    before = client.state["resolved"]["configVersion"]
    moved = [variants[0] | {"weight": 0}, variants[1] | {"weight": 100}]
    project.dashboard.put(f"/experiments/{draft['id']}", {"variants": moved})
    eventually(lambda: client.resolve()["configVersion"] > before)
    assert variant(client) == "a"
    client.state["token"] = None
    assert variant(client) == "b"
