"""The built TypeScript SDK against a whole stack: decisions, variants, and events under kills of the app."""

import subprocess
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from deploy.local.loopback_ports import free_port
from tests.e2e.api_clients import Dashboard
from tests.e2e.typescript_sdk import NODE, Device, SdkProject
from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack
from tools import sdk

_HOUR_MS = 3_600_000


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    sdk.build()


@pytest.fixture
def project(stack: RunningStack, http: Any) -> SdkProject:  # noqa: ANN401 - the client of conftest.py
    return SdkProject(Dashboard(http, stack.management_url, stack.token(f"{uuid.uuid4().hex}@example.com")))


Open = Callable[..., Device]


@pytest.fixture
def open_app(stack: RunningStack, project: SdkProject, tmp_path: Path) -> Iterator[Open]:
    """Return a function that starts the app of one device, at the edge or at another address."""
    with ExitStack() as devices:

        def started(**options: Any) -> Device:  # noqa: ANN401 - options of the SDK
            credentials = {"baseUrl": stack.edge_url, "projectId": project.id, "secretKey": project.key}
            return devices.enter_context(Device({**credentials, "file": str(tmp_path / "state"), **options}))

        yield started


def offline() -> dict[str, str]:
    return {"baseUrl": f"http://127.0.0.1:{free_port()}"}


def test_events_of_an_offline_app_that_is_killed_are_counted_once(project: SdkProject, open_app: Open) -> None:
    first = open_app()
    eventually(lambda: first.call("resolve")["flowId"] == project.flow)
    first.kill()
    for count in (300, 700):
        app = open_app(**offline())
        assert app.call("resolve")["origin"] == "stored"
        app.call("track", ["opened", count])
        app.kill()
    again = open_app()
    again.call("flush")
    again.kill()
    open_app().call("flush")
    eventually(lambda: project.counts() == {"opened": 1_000})


def test_drawn_flow_is_in_the_funnel_and_its_page_reports_for_itself(project: SdkProject, open_app: Open) -> None:
    app = open_app()
    eventually(lambda: app.call("resolve")["flowId"] == project.flow)
    assert app.call("walk")["outcome"] == "completed"
    app.call("flush")
    views = {"screen_viewed": 2, "screen_completed": 2}
    eventually(lambda: project.counts() == {"flow_started": 1, **views, "flow_completed": 1})
    page = app.call("page", project.flow)
    assert f"/onboarding/{project.flow}/1?deviceId={app.call('resolve')['deviceId']}" in page


def test_example_without_a_screen_walks_through_the_flow(
    stack: RunningStack, project: SdkProject, open_app: Open, tmp_path: Path
) -> None:
    app = open_app()
    eventually(lambda: app.call("resolve")["flowId"] == project.flow)
    example = [str(NODE), str(sdk.SDK / "examples" / "headless" / "main.ts"), stack.edge_url, project.id, project.key]
    pipe = subprocess.PIPE
    with subprocess.Popen(example, cwd=tmp_path, stdin=pipe, stdout=pipe, text=True, bufsize=1) as terminal:  # noqa: S603 - ours
        assert terminal.stdin is not None
        assert terminal.stdout is not None
        shown = ""
        for typed in ("", "<", "", ""):
            while not shown.endswith("goes back) "):
                shown += terminal.stdout.read(1)
            shown += "\n"
            terminal.stdin.write(f"{typed}\n")
        shown += terminal.stdout.read()
    assert [line for line in shown.splitlines() if line in {"One", "Two"}] == ["One", "Two", "One", "Two"]
    assert "outcome: 'completed'" in shown


def test_app_with_a_wrong_clock_reports_at_the_right_time(project: SdkProject, open_app: Open) -> None:
    for skew in (-100 * _HOUR_MS, 100 * _HOUR_MS):
        app = open_app(skewMs=skew)
        app.call("track", ["opened", 3])
        app.call("flush")
    # Statistics of today alone: the days of the clocks are four days away.
    eventually(lambda: project.counts() == {"opened": 6})


def test_app_stays_in_its_variant_online_and_decides_as_the_edge_offline(
    stack: RunningStack, http: httpx.Client, project: SdkProject, open_app: Open, tmp_path: Path
) -> None:
    variants = [
        {"key": "a", "name": "A", "flow_id": project.flow, "weight": 100, "is_control": True},
        {"key": "b", "name": "B", "flow_id": project.other_flow, "weight": 0, "is_control": False},
    ]
    draft = project.dashboard.post("/experiments", {"projectId": project.id, "name": "Test", "variants": variants})
    project.dashboard.post(f"/experiments/{draft['id']}/start", {})
    app = open_app()
    eventually(lambda: app.call("resolve")["variant"] == "a")
    before = app.call("resolve")["configVersion"]
    moved = [variants[0] | {"weight": 0}, variants[1] | {"weight": 100}]
    project.dashboard.put(f"/experiments/{draft['id']}", {"variants": moved})
    eventually(lambda: app.call("resolve")["configVersion"] > before)
    assert app.call("resolve")["variant"] == "a"

    # Another device, which starts without the service, with the configuration in the app's build.
    headers = {"X-Project-Id": project.id, "X-Secret-Key": project.key}
    bundled = http.get(f"{stack.edge_url}/api/config", headers=headers).json()
    other = {"file": str(tmp_path / "other"), "bundled": bundled}
    alone = open_app(**offline(), **other).call("resolve")
    assert (alone["variant"], alone["origin"]) == ("b", "bundled")
    online = open_app(**other).call("resolve")
    assert [online[name] for name in ("deviceId", "flowId", "variant")] == [
        alone[name] for name in ("deviceId", "flowId", "variant")
    ]
