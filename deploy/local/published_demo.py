"""Whether the publisher has brought the demo project to Redis, asked there: the edge would count the question."""

from redis.exceptions import RedisError

from common.redis.connect import connect
from common.wire.redis_keys import snapshot_key
from common.wire.snapshot import decode_snapshot
from deploy.local.demo_project import DEMO_FLOWS

_TIMEOUT_SECONDS = 2.0


def is_published(redis_url: str, project_id: str) -> bool:
    """Tell whether the snapshot in Redis has the flows that the demo project is seeded with."""
    try:
        with connect(redis_url, reply_seconds=_TIMEOUT_SECONDS, connect_seconds=_TIMEOUT_SECONDS) as client:
            stored = client.hget(snapshot_key(project_id), "body")
    except RedisError:
        return False
    return isinstance(stored, bytes) and len(decode_snapshot(stored).flow_ids) >= len(DEMO_FLOWS)
