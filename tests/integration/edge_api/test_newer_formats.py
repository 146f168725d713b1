"""An edge that meets snapshots of a newer release serves what it holds, and says that it is degraded."""

import httpx
import redis

from common.wire.redis_keys import snapshot_key
from common.wire.snapshot import FORMAT_VERSION, Snapshot, encode_snapshot
from tests.polling import eventually
from tests.snapshots import a_snapshot, announce, next_revision, publish, sdk_headers


def publish_as_newer_release(client: redis.Redis, snapshot: Snapshot) -> None:
    """Publish in a format that this release does not know."""
    body = bytes((FORMAT_VERSION + 1,)) + encode_snapshot(snapshot)[1:]
    client.hset(snapshot_key(snapshot.project_id), mapping={"revision": snapshot.revision, "body": body})
    announce(client, snapshot)


def resolved(edge: httpx.Client, snapshot: Snapshot) -> tuple[int, str | None]:
    """Resolve a device of the project; gives the status, and the revision that answers."""
    answer = edge.post("/api/onboarding/resolve", headers=sdk_headers(snapshot), json={"deviceId": "phone"})
    return answer.status_code, answer.headers.get("X-Config-Version")


def status(edge: httpx.Client) -> str:
    """Give what the edge says of itself; it is ready all the while."""
    answer = edge.get("/health/ready")
    assert answer.status_code == 200
    return str(answer.json()["status"])


def test_the_older_snapshot_is_served_until_one_comes_that_can_be_read(
    edge: httpx.Client, redis_client: redis.Redis
) -> None:
    held, never_held = a_snapshot(), a_snapshot()
    publish(redis_client, held)
    assert (resolved(edge, held), status(edge)) == ((200, "1"), "ready")
    publish_as_newer_release(redis_client, next_revision(held))
    publish_as_newer_release(redis_client, never_held)
    eventually(lambda: status(edge) == "degraded")
    assert (resolved(edge, held), resolved(edge, never_held)) == ((200, "1"), (503, None))
    for snapshot in (held, never_held):
        publish(redis_client, next_revision(next_revision(snapshot)))
    eventually(lambda: resolved(edge, held) == (200, "3"))
    eventually(lambda: resolved(edge, never_held) == (200, "3"))
    eventually(lambda: status(edge) == "ready")
