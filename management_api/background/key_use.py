"""Copies the times at which secret keys were last used from Redis to PostgreSQL (contract, section 3)."""

import time
from typing import Any

from redis import Redis

from common.wire.redis_keys import KEY_USE
from management_api.db.engine import Database
from management_api.db.psycopg_connection import driver_connection

_KEYS_PER_TRANSACTION = 1000

#: Remove the members ARGV[1], ARGV[3], ... whose scores are still ARGV[2], ARGV[4], ...: a key that was used again
#: stays for the next round.
_REMOVE_UNCHANGED = """
for i = 1, #ARGV, 2 do
  if tonumber(redis.call('ZSCORE', KEYS[1], ARGV[i])) == tonumber(ARGV[i + 1]) then
    redis.call('ZREM', KEYS[1], ARGV[i])
  end
end
"""


#: Stores the last use of each secret key; a deleted key has no row.
_NOTE_USED_KEYS = """
    WITH locked AS (
        SELECT secret_keys.id, timestamptz 'epoch' + used.at_ms * interval '1 millisecond' AS used_at
        FROM unnest(%s::text[], %s::text[], %s::bigint[]) AS used (project_id, secret_key_id, at_ms)
        JOIN secret_keys ON used.secret_key_id = secret_keys.id AND used.project_id = secret_keys.project_id
        WHERE secret_keys.last_used_at IS NULL
           OR secret_keys.last_used_at < timestamptz 'epoch' + used.at_ms * interval '1 millisecond'
        ORDER BY secret_keys.id
        FOR NO KEY UPDATE OF secret_keys
    )
    UPDATE secret_keys SET last_used_at = greatest(last_used_at, locked.used_at)
    FROM locked WHERE secret_keys.id = locked.id
"""


def store_key_use(redis: Redis, database: Database) -> None:
    """Store the last use of the keys that edges have reported. Raises RedisError and UnavailableError.

    Several processes may do this at once, because a stored time never goes back.
    """
    while True:
        used: Any = redis.zrange(KEY_USE, 0, _KEYS_PER_TRANSACTION - 1, withscores=True)
        if used:
            now_ms = time.time() * 1000
            # A score is what an edge has sent: its clock may be ahead, its ids may be no text.
            _store(database, [(_text(member), int(min(max(score, 0), now_ms))) for member, score in used])
            scores = [text for member, score in used for text in (member, repr(score))]
            redis.eval(_REMOVE_UNCHANGED, 1, KEY_USE, *scores)
        if len(used) < _KEYS_PER_TRANSACTION:
            return


def _store(database: Database, used: list[tuple[str, int]]) -> None:
    """Store the times. A key that was deleted since has no row."""
    pairs = [member.partition("/") for member, _ in used]
    times = [used_at_ms for _, used_at_ms in used]
    columns = [[project_id for project_id, *_ in pairs], [key_id for *_, key_id in pairs], times]
    with database.transaction() as session:
        driver_connection(session).execute(_NOTE_USED_KEYS.encode(), columns)


def _text(member: bytes) -> str:
    """Return a member as PostgreSQL takes it; one that no edge has written finds no key."""
    return member.decode(errors="replace").replace("\0", "")
