"""`onboarding bundle` against the services: the file for an app's build."""

import json
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from cli.flows import bundle as bundles
from cli.main import main
from deploy.local.loopback_ports import free_port
from tests.e2e.api_clients import Dashboard
from tests.support.media_files import picture
from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack

Command = Callable[..., tuple[int, str]]


@pytest.fixture
def dashboard(http: httpx.Client, stack: RunningStack) -> Dashboard:
    return Dashboard(http, stack.management_url, stack.token(f"{uuid.uuid4().hex}@example.com"))


@pytest.fixture
def project_id(dashboard: Dashboard, stack: RunningStack, http: httpx.Client) -> str:
    """Return a published project whose flow shows a picture of the library."""
    project_id = str(dashboard.post("/projects", {"name": "Bundled"})["id"])
    token = dashboard._headers["Authorization"]  # noqa: SLF001 - an upload is no JSON
    uploaded = http.post(
        f"{stack.management_url}/api/media?projectId={project_id}&name=Shop",
        content=picture("PNG", (900, 600)),
        headers={"Authorization": token, "Content-Type": "image/png"},
    ).json()["data"]
    content = {"title": "Hi", "image": {"media_id": uploaded["id"]}}
    screens = [{"type": "welcome", "content": content}]
    flow = {"projectId": project_id, "name": "Welcome", "status": "active", "is_default": True, "screens": screens}
    dashboard.post("/flows", flow)
    return project_id


@pytest.fixture
def command(
    stack: RunningStack,
    dashboard: Dashboard,
    project_id: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Command:
    """Return a function that runs the command; return its status and its output."""
    key = dashboard.get(f"/projects/{project_id}/api-keys")["secret_keys"][0]["secret_key"]
    monkeypatch.setenv("ONBOARDING_SECRET_KEY", key)
    monkeypatch.setenv("ONBOARDING_EDGE_PUBLIC_URL", stack.edge_url)
    monkeypatch.setenv("ONBOARDING_MANAGEMENT_URL", stack.management_url)

    def run(output: Path, *options: str) -> tuple[int, str]:
        arguments = ["onboarding", "bundle", "--project", project_id, "--output", str(output), *options]
        monkeypatch.setattr(sys, "argv", arguments)
        status = 0
        try:
            main()
        except SystemExit as ended:
            status = int(ended.code or 0)
        captured = capsys.readouterr()
        return status, captured.out + captured.err

    return run


def test_bundle_has_flows_and_small_pictures_and_no_key(
    command: Command, dashboard: Dashboard, project_id: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    eventually(lambda: command(tmp_path / "one.json", "--media")[0] == 0 and _flows(tmp_path / "one.json"))
    bundle: Any = json.loads((tmp_path / "one.json").read_text())
    image = bundle["flows"][0]["screens"][0]["content"]["image"]
    assert bundle["projectId"] == project_id
    assert image["srcset"][0]["width"] == 480
    assert list(bundle["media"]) == [image["url"]]
    assert bundle["media"][image["url"]].startswith("data:image/webp;base64,")

    # A user's own key reads the secret key of the project, and the file is the same.
    assert "sk_" not in (tmp_path / "one.json").read_text()
    api_key = dashboard.get("/user/api-key")["api_key"]
    monkeypatch.delenv("ONBOARDING_SECRET_KEY")
    monkeypatch.setenv("ONBOARDING_API_KEY", api_key)
    status, output = command(tmp_path / "two.json", "--media")
    assert (status, output[:7]) == (0, "1 flow,"), output
    assert (tmp_path / "two.json").read_bytes() == (tmp_path / "one.json").read_bytes()


def test_bundle_errors_have_the_exit_statuses_of_all_commands(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    output = tmp_path / "bundle.json"
    eventually(lambda: command(output)[0] == 0 and _flows(output))
    before = output.read_bytes()
    status, message = command(output, "--edge", f"http://127.0.0.1:{free_port()}")
    assert (status, "cannot be reached" in message) == (3, True)
    assert command(output, "--edge", "edge.example.com")[0] == 2
    with monkeypatch.context() as patch:
        patch.setattr(bundles, "MAX_BYTES", 1_024)
        status, message = command(output, "--media")
    assert status == 1
    assert message.startswith("onboarding: the bundle has ")
    assert "at most 1 KiB are allowed; the largest parts: " in message
    assert "flow Welcome (flow_" in message
    monkeypatch.setenv("ONBOARDING_SECRET_KEY", "sk_wrong")
    assert command(output)[0] == 1
    assert output.read_bytes() == before


def _flows(file: Path) -> Any:  # noqa: ANN401 - JSON
    return json.loads(file.read_text())["flows"]
