"""Projects that an edge has served and copied to disk."""

from pathlib import Path

import httpx
import redis

from common.wire.snapshot import Snapshot
from edge_api.settings import EdgeSettings
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.support.data.disk_snapshots import copied_revisions, synced_at
from tests.support.data.snapshots import a_snapshot, mark_complete, publish, sdk_headers
from tests.support.polling import eventually
from tests.support.servers.running_server import RunningServer

PROJECTS = 12


class CopiedProjects:
    """Projects that were published to a Valkey server, and the folder of their copies."""

    def __init__(self, server: RunningServer, client: redis.Redis, path: Path) -> None:
        self.server = server
        self.client = client
        self.path = path / "copies"
        mark_complete(client)
        self.snapshots = [a_snapshot() for _ in range(PROJECTS)]
        for snapshot in self.snapshots:
            publish(client, snapshot)

    def settings(self, **fields: object) -> EdgeSettings:
        """Return the settings of an edge that serves and copies them."""
        return edge_settings(self.server.url, edge_snapshot_folder=self.path, **fields)

    def copy_all(self) -> None:
        """Start an edge, have it serve and copy all projects, and stop it."""
        with running_edge(self.settings()) as edge:
            assert versions(edge, self.snapshots) == {1}
            eventually(lambda: len(copied_revisions(self.path)) == PROJECTS)
            eventually(lambda: synced_at(self.path) is not None)

    def copied_revision(self, snapshot: Snapshot) -> int | None:
        """Return the revision of the copy of a project; None when there is none."""
        return copied_revisions(self.path).get(snapshot.project_id)


def version(edge: httpx.Client, snapshot: Snapshot) -> int:
    """Resolve a device and return the revision of the response; minus the status of any other response."""
    response = edge.post("/api/onboarding/resolve", headers=sdk_headers(snapshot), json={"deviceId": "phone"})
    is_right = response.status_code == 200 and response.json()["flowId"] == "flow_default"
    return int(response.headers["X-Config-Version"]) if is_right else -response.status_code


def versions(edge: httpx.Client, snapshots: list[Snapshot]) -> set[int]:
    return {version(edge, snapshot) for snapshot in snapshots}
