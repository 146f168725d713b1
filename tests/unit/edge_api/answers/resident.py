"""A project that a request has access to, for tests of the answering core."""

from common.wire.snapshot import Snapshot
from edge_api.answers.credentials import AuthenticatedProject
from edge_api.snapshots.loaded import LoadedSnapshot
from tests.snapshots import KEY_ID, a_snapshot


def access_to(snapshot: Snapshot | None = None) -> AuthenticatedProject:
    """Give access to the project, or to one with a default flow only."""
    return AuthenticatedProject(LoadedSnapshot.from_snapshot(snapshot or a_snapshot()), KEY_ID)
