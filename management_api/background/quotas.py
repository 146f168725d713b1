"""Publishes the projects that have used up a quota of the day (contract, Quotas of a project; decision 115)."""

import structlog
from redis import Redis

from common.wire.redis_keys import USED_QUOTAS
from common.wire.used_quotas import DIGEST_FIELD, STATE_FIELD
from management_api.db.engine import Database
from management_api.db.psycopg_connection import driver_cursor
from management_api.rollups.usage import Usage, find_used_quotas

_LOG = structlog.stdlib.get_logger(__name__)

#: The key outlives its day by this time.
_EXTRA_SECONDS = 3600


def publish_used_quotas(redis: Redis, database: Database, quotas: Usage) -> None:
    """Write the projects to Redis, if it has another state. Raises RedisError and UnavailableError.

    Several processes may do this at once, because they find the same projects.
    """
    with database.transaction() as session:
        used = find_used_quotas(driver_cursor(session), quotas)
    digest, state = used.encode()
    if redis.hget(USED_QUOTAS, DIGEST_FIELD) != digest.encode():
        redis.hset(USED_QUOTAS, mapping={DIGEST_FIELD: digest, STATE_FIELD: state})
        redis.expireat(USED_QUOTAS, used.resets_at + _EXTRA_SECONDS)
        if used.projects:
            _LOG.warning("quotas.used_up", projects=len(used.projects))
