"""A project that a request has access to, for tests of the answering core."""

from common.snapshot import Snapshot
from edge_api.answers.credentials import Access
from edge_api.snapshots.resident_snapshot import ResidentSnapshot
from tests.snapshots import KEY_ID, a_snapshot


def access_to(snapshot: Snapshot | None = None) -> Access:
    """Give access to the project, or to one with a default flow only."""
    return Access(ResidentSnapshot.of(snapshot or a_snapshot()), KEY_ID)
