"""An authenticated project and its requests, for tests of the endpoints."""

from common.wire.snapshot import Snapshot
from edge_api.api.request import AuthenticatedProject, Headers, RequestContext
from edge_api.api.routes import RESOLVE
from edge_api.snapshots.loaded import LoadedSnapshot
from tests.support.data.snapshots import KEY_ID, a_snapshot


def authenticated_project(snapshot: Snapshot | None = None) -> AuthenticatedProject:
    """Return that project, or one with a default flow only."""
    return AuthenticatedProject(LoadedSnapshot.from_snapshot(snapshot or a_snapshot()), KEY_ID)


def a_request(body: bytes = b"", headers: Headers | None = None) -> RequestContext:
    return RequestContext(RESOLVE, headers or {}, "198.51.100.1", b"request-1", body=body)
