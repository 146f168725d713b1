"""Flows as files: exported from one project, applied to another, served to its devices."""

import subprocess
from pathlib import Path
from typing import Any

import httpx

from tests.e2e.addresses import Addresses
from tests.e2e.api_clients import Dashboard, Phone
from tests.support.command import run_command
from tests.support.polling import eventually

SCREENS = [
    {"type": "welcome", "name": "Hello", "content": {"title": "Welcome"}},
    {"type": "question_text", "name": "Name", "content": {"question": "Who are you?"}},
]


class Pipeline:
    """Runs `onboarding flows` on a folder with a user's personal API key."""

    def __init__(self, dashboard: Dashboard, management_url: str, folder: Path) -> None:
        self.folder = folder
        self._variables = {
            "ONBOARDING_MANAGEMENT_URL": management_url,
            "ONBOARDING_API_KEY": dashboard.get("/user/api-key")["api_key"],
        }

    def run(self, command: str, project_id: str, *options: str) -> subprocess.CompletedProcess[str]:
        """Run a command and return its exit status and output."""
        return run_command("flows", command, str(self.folder), "--project", project_id, *options, **self._variables)

    def last_line(self, command: str, project_id: str, *options: str) -> str:
        """Return the last line of a command that must succeed."""
        ended = self.run(command, project_id, *options)
        assert (ended.returncode, ended.stderr) == (0, ""), ended
        return ended.stdout.splitlines()[-1]

    def rewrite(self, before: str, after: str) -> None:
        """Replace a text of the file of the flow."""
        path = self.folder / "flows/welcome.yaml"
        path.write_text(path.read_text().replace(before, after))


def flow_of(dashboard: Dashboard, project_id: str) -> dict[str, Any]:
    """Return the only flow of a project, with its screens."""
    [flow] = dashboard.get(f"/flows?project_id={project_id}")
    found: dict[str, Any] = dashboard.get(f"/flows/{flow['id']}")
    return found


def served_title(phone: Phone) -> str | None:
    """Return the title of the first screen that a device gets."""
    resolved = phone.resolved_flow("phone")
    return str(resolved["flow"]["screens"][0]["content"]["title"]) if resolved else None


def test_folder_of_development_goes_live_in_production(
    http: httpx.Client, addresses: Addresses, dashboard: Dashboard, tmp_path: Path
) -> None:
    development, production = (dashboard.post("/projects", {"name": name})["id"] for name in ("Dev", "Prod"))
    theme = dashboard.post("/themes", {"project_id": development, "name": "Dark"})
    flow = {"projectId": development, "name": "Welcome", "status": "active", "is_default": True, "screens": SCREENS}
    dashboard.post("/flows", {**flow, "theme_id": theme["id"]})
    pipeline = Pipeline(dashboard, addresses.management_url, tmp_path / "onboarding")
    assert pipeline.last_line("export", development).startswith("1 flow and 1 theme written to ")

    assert pipeline.last_line("apply", production, "--dry-run") == "Nothing was changed (--dry-run)."
    assert dashboard.get(f"/flows?project_id={production}") == []
    assert pipeline.last_line("apply", production) == "2 created, 0 unchanged."
    key = dashboard.get(f"/projects/{production}/api-keys")["secret_keys"][0]["secret_key"]
    phone = Phone(http, addresses.edge_url, production, key)
    eventually(lambda: served_title(phone) == "Welcome", within=30)
    before = flow_of(dashboard, production)
    for project_id in (production, development):
        assert pipeline.last_line("apply", project_id) == "Nothing to change."
    assert flow_of(dashboard, production) == before

    pipeline.rewrite("title: Welcome", "title: Salut")
    assert pipeline.last_line("apply", production, "--draft") == "1 saved as drafts, 1 unchanged."
    assert flow_of(dashboard, production) == before
    draft = dashboard.get(f"/flows/{before['id']}/draft")
    assert draft["document"]["screens"][0]["content"]["title"] == "Salut"
    assert pipeline.last_line("apply", production, "--note", "Salut") == "1 changed, 1 unchanged."
    eventually(lambda: served_title(phone) == "Salut", within=30)
    after = flow_of(dashboard, production)
    assert [screen["id"] for screen in after["screens"]] == [screen["id"] for screen in before["screens"]]
    newest = dashboard.get(f"/flows/{after['id']}/versions")[0]
    assert (newest["number"], newest["origin"], newest["note"]) == (2, "published", "Salut")
    assert pipeline.last_line("apply", production) == "Nothing to change."

    pipeline.rewrite("title: Salut", "subtitle: Salut")
    refused = pipeline.run("apply", production)
    assert (refused.returncode, "content/title: is required" in refused.stderr) == (1, True)
    assert flow_of(dashboard, production) == after
    assert pipeline.run("apply", production, "--everything").returncode == 2
