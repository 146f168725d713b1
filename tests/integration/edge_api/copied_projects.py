"""Projects that an edge has served and copied to disk, and which of their revisions are served and copied."""

import os
from pathlib import Path

import httpx
import redis

from common.wire.snapshot import Snapshot
from edge_api.settings import EdgeSettings
from edge_api.snapshots.snapshot_file import HEADER_BYTES, read_header
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.polling import eventually
from tests.running_server import RunningServer
from tests.snapshots import a_snapshot, publish, sdk_headers

PROJECTS = 12


class CopiedProjects:
    """Projects that were published to a Valkey, and a folder that edges copy them to."""

    def __init__(self, server: RunningServer, client: redis.Redis, path: Path) -> None:
        self.server = server
        self.client = client
        self.path = path / "copies"
        self.snapshots = [a_snapshot() for _ in range(PROJECTS)]
        for snapshot in self.snapshots:
            publish(client, snapshot)

    def settings(self, **fields: object) -> EdgeSettings:
        """Give the settings of an edge on them."""
        return edge_settings(self.server.url, edge_snapshot_folder=self.path, **fields)

    def file_of(self, snapshot: Snapshot) -> Path:
        """Give where the copy of a project is."""
        return self.path / f"{snapshot.project_id}.snapshot"

    def copy_all(self) -> None:
        """Have an edge serve and copy all of them, and stop."""
        with running_edge(self.settings()) as edge:
            assert versions(edge, self.snapshots) == {1}
            eventually((self.path / "last-contact").exists)

    def is_copied(self, snapshot: Snapshot, revision: int) -> bool:
        """Tell whether the copy of a project is of that revision."""
        content = self.file_of(snapshot).read_bytes()
        return read_header(content[:HEADER_BYTES], len(content)).revision == revision

    def age_contact(self, *, days: int) -> None:
        """Let it seem that Redis was last reached so long ago."""
        file = self.path / "last-contact"
        at = file.stat().st_mtime - days * 86_400
        os.utime(file, (at, at))


def version(edge: httpx.Client, snapshot: Snapshot) -> int:
    """Resolve a device and tell which revision answered; minus the status of an answer that is not right."""
    response = edge.post("/api/onboarding/resolve", headers=sdk_headers(snapshot), json={"deviceId": "phone"})
    is_right = response.status_code == 200 and response.json()["flowId"] == "flow_default"
    return int(response.headers["X-Config-Version"]) if is_right else -response.status_code


def versions(edge: httpx.Client, snapshots: list[Snapshot]) -> set[int]:
    """Tell which revisions answer."""
    return {version(edge, snapshot) for snapshot in snapshots}
