"""An authenticated project, for tests of the endpoints."""

from common.wire.snapshot import Snapshot
from edge_api.api.request import AuthenticatedProject
from edge_api.snapshots.loaded import LoadedSnapshot
from tests.support.data.snapshots import KEY_ID, a_snapshot


def authenticated_project(snapshot: Snapshot | None = None) -> AuthenticatedProject:
    """Return that project, or one with a default flow only."""
    return AuthenticatedProject(LoadedSnapshot.from_snapshot(snapshot or a_snapshot()), KEY_ID)
