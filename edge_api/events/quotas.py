"""Rejects the events of projects that have used up a quota of the day (contract, Quotas of a project; decision 115).

The event consumer counts, because it alone knows which events and devices are new. An edge only reads which projects
have used up a quota, so a request costs one look at a map that is nearly always empty.
"""

import asyncio
import random
import time
from collections.abc import Callable, Mapping
from typing import Any, cast

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from common.errors import QuotaUsedUpError
from common.wire.redis_keys import USED_QUOTAS
from common.wire.used_quotas import (
    DIGEST_FIELD,
    STATE_FIELD,
    DailyQuota,
    UsedQuotas,
    UsedQuotasFormatError,
    decode_used_quotas,
)

_LOG = structlog.stdlib.get_logger(__name__)

INTERVAL_SECONDS = 2.0
#: A client asks again after an hour at most, because the quota may have been raised meanwhile.
MAX_RETRY_SECONDS = 3600
#: The clients of a project return in the course of this time after the end of the day, not in one second.
SPREAD_SECONDS = 900

_NOTHING: Mapping[str, frozenset[str]] = {}


class ProjectQuotas:
    """The projects that have used up a quota, as the event consumer published them last.

    While Redis is unavailable they stay as they are until the end of the day.
    """

    def __init__(
        self, redis: Redis, clock: Callable[[], float] = time.time, uniform: Callable[[], float] = random.random
    ) -> None:
        """`clock` returns the Unix time, `uniform` a number from 0 to 1."""
        #: Empty nearly always: then no request needs :meth:`check`.
        self.used_up = _NOTHING
        #: The Unix second at which the day of the used quotas ends.
        self.resets_at = 0
        #: Requests that were rejected.
        self.rejected = 0
        self._redis = redis
        self._clock = clock
        self._uniform = uniform
        self._digest: bytes | None = None
        self._is_failing = False

    def check(self, project_id: str) -> None:
        """Raise QuotaUsedUpError if events of the project are not accepted now."""
        if not self._has_used_up(project_id):
            return
        self.rejected += 1
        seconds = self.resets_at - self._clock() + SPREAD_SECONDS * self._uniform()
        raise QuotaUsedUpError(max(1, min(int(seconds), MAX_RETRY_SECONDS)))

    def takes_new_devices(self, project_id: str) -> bool:
        """Return whether a record of a device that may be new is accepted now."""
        return not self._has_used_up(project_id) or DailyQuota.NEW_DEVICES not in self.used_up[project_id]

    async def run(self) -> None:
        """Read the used quotas at each interval, until cancelled."""
        while True:
            await self.refresh()
            await asyncio.sleep(INTERVAL_SECONDS)

    async def refresh(self) -> None:
        """Read the used quotas if they have changed. A failure is logged once, and the state stays."""
        try:
            digest = cast("bytes | None", await self._redis.hget(USED_QUOTAS, DIGEST_FIELD))
            if digest != self._digest:
                await self._read()
        except (RedisError, OSError, UsedQuotasFormatError) as error:
            if not self._is_failing:
                _LOG.warning("quotas_not_read", reason=type(error).__name__)
            self._is_failing = True
        else:
            self._is_failing = False

    async def _read(self) -> None:
        found: list[Any] = await self._redis.hmget(USED_QUOTAS, [DIGEST_FIELD, STATE_FIELD])
        digest, state = found
        used = UsedQuotas(0, {}) if state is None else decode_used_quotas(state)
        self._digest, self.resets_at, self.used_up = digest, used.resets_at, used.projects

    def _has_used_up(self, project_id: str) -> bool:
        if project_id not in self.used_up:
            return False
        if self._clock() >= self.resets_at:
            self.used_up = _NOTHING
            return False
        return True
