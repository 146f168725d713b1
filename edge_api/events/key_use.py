"""Reports the use of secret keys, for their `last_used_at` (contract, section 3)."""

import asyncio
import time
from collections.abc import Callable
from itertools import islice

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from common.wire.redis_keys import KEY_USE

_LOG = structlog.stdlib.get_logger(__name__)

#: The handler notes a key every 20 s at most and the consumer reads every 15 s: 45 s of the minute allowed.
INTERVAL_SECONDS = 10.0
_MAX_KEYS = 50_000
#: Bounds the time that one command takes in the event loop and in Redis.
_KEYS_PER_COMMAND = 500


class KeyUseRecorder:
    """Collects uses in memory and sends them to Redis at intervals. Best effort: a later use replaces a lost one."""

    def __init__(self, redis: Redis, clock: Callable[[], float] = time.time) -> None:
        """`clock` returns the Unix time."""
        self._redis = redis
        self._clock = clock
        self._used: dict[str, int] = {}

    def note(self, project_id: str, key_id: str) -> None:
        """Record that a key opened a request now. Call it once in 20 seconds for each key, not for each request."""
        if len(self._used) < _MAX_KEYS:
            self._used[f"{project_id}/{key_id}"] = int(self._clock() * 1000)

    async def run(self) -> None:
        """Send the recorded uses at each interval, until cancelled."""
        while True:
            await asyncio.sleep(INTERVAL_SECONDS)
            await self.flush()

    async def flush(self) -> None:
        """Send the recorded uses. Those that fail are sent by the next flush."""
        while self._used:
            batch = dict(islice(self._used.items(), _KEYS_PER_COMMAND))
            try:
                await self._redis.zadd(KEY_USE, batch, gt=True)
            except (RedisError, OSError) as error:
                _LOG.warning("key_use_not_reported", reason=type(error).__name__, keys=len(self._used))
                return
            for member, used_at_ms in batch.items():
                # A flush at the same time, the one at the worker's end, may have removed it.
                if self._used.get(member) == used_at_ms:
                    del self._used[member]
