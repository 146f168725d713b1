"""An edge serves its cached snapshots while Redis has snapshots of a newer release, and is degraded."""

import httpx
import redis

from common.wire.redis_keys import snapshot_key
from common.wire.snapshot import FORMAT_VERSION, Snapshot, encode_snapshot
from tests.support.data.snapshots import a_snapshot, announce, next_revision, publish, sdk_headers
from tests.support.polling import eventually


def publish_as_newer_release(client: redis.Redis, snapshot: Snapshot) -> None:
    body = bytes((FORMAT_VERSION + 1,)) + encode_snapshot(snapshot)[1:]
    client.hset(snapshot_key(snapshot.project_id), mapping={"revision": snapshot.revision, "body": body})
    announce(client, snapshot)


def resolved(edge: httpx.Client, snapshot: Snapshot) -> tuple[int, str | None]:
    """Resolve a device of the project, and return the status and the revision of the response."""
    response = edge.post("/api/onboarding/resolve", headers=sdk_headers(snapshot), json={"deviceId": "phone"})
    return response.status_code, response.headers.get("X-Config-Version")


def status(edge: httpx.Client) -> str:
    """Return the state of the edge, which is ready all the time."""
    response = edge.get("/health/ready")
    assert response.status_code == 200
    return str(response.json()["status"])


def test_older_snapshot_is_served_until_one_can_be_decoded(edge: httpx.Client, redis_client: redis.Redis) -> None:
    cached, never_cached = a_snapshot(), a_snapshot()
    publish(redis_client, cached)
    assert (resolved(edge, cached), status(edge)) == ((200, "1"), "ready")
    publish_as_newer_release(redis_client, next_revision(cached))
    publish_as_newer_release(redis_client, never_cached)
    eventually(lambda: status(edge) == "degraded")
    assert (resolved(edge, cached), resolved(edge, never_cached)) == ((200, "1"), (503, None))
    for snapshot in (cached, never_cached):
        publish(redis_client, next_revision(next_revision(snapshot)))
    eventually(lambda: resolved(edge, cached) == (200, "3"))
    eventually(lambda: resolved(edge, never_cached) == (200, "3"))
    eventually(lambda: status(edge) == "ready")
