"""Fetches leases from Redis for a worker's limiter: all that are wanted at a moment in one round trip."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from common.process import Backoff
from common.rate_limit.leases import LEASE_SCRIPT, LEASE_SECONDS, LeaseGrant, LeaseRequest
from common.rate_limit.limiter import Limiter
from common.rate_limit.rate_limit_keys import RateLimitKey

_LOG = structlog.stdlib.get_logger(__name__)

_MOST_WISHES_PER_TRIP = 500
#: Leases that have expired go back with the trips that are made anyway, so many on each.
_SETTLED_PER_TRIP = 20
_SETTLED_AT_ONCE = 500
_FIRST_RETRY_SECONDS = 0.1
_LONGEST_RETRY_SECONDS = 5.0


@dataclass(slots=True)
class _Wish:
    key: RateLimitKey
    waiting: int
    heard: asyncio.Future[None]


class LeaseClient:
    """`is_shared` tells whether Redis answers; while it does not, the worker limits alone and nobody waits here."""

    def __init__(self, limiter: Limiter, client: Redis, clock: Callable[[], float] = time.time) -> None:
        self.is_shared = True
        self._limiter = limiter
        self._client = client
        self._clock = clock
        self._wishes: dict[str, _Wish] = {}
        self._arrived = asyncio.Event()
        self._backoff = Backoff(first=_FIRST_RETRY_SECONDS, limit=_LONGEST_RETRY_SECONDS)

    def lease(self, key: RateLimitKey) -> asyncio.Future[None]:
        """Want a lease for one request more; the future is done once Redis was asked, whatever it said."""
        wish = self._wishes.get(key.name)
        if wish is None:
            wish = _Wish(key, 0, asyncio.get_running_loop().create_future())
            self._wishes[key.name] = wish
            self._arrived.set()
        wish.waiting += 1
        return wish.heard

    async def run(self) -> None:
        """Fetch what is wanted, and give back what has expired, until it is cancelled."""
        while True:
            if not self.is_shared:
                await self._look_for_redis()
                continue
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LEASE_SECONDS):
                    await self._arrived.wait()
            self._arrived.clear()
            while self.is_shared:
                wishes = list(islice(self._wishes.values(), _MOST_WISHES_PER_TRIP))
                await self._fetch(wishes)
                if not self._wishes:
                    break

    async def return_all(self) -> None:
        """Give back all leases, at the worker's end."""
        while self.is_shared:
            now = self._clock()
            requests = list(self._limiter.pending_returns(now, _SETTLED_AT_ONCE, only_expired=False))
            if not requests:
                return
            await self._trade(requests)

    async def _fetch(self, wishes: Sequence[_Wish]) -> None:
        for wish in wishes:
            del self._wishes[wish.key.name]
        try:
            now = self._clock()
            requests = [self._limiter.lease_request(wish.key, wish.waiting, now) for wish in wishes]
            requests.extend(self._limiter.pending_returns(now, _SETTLED_PER_TRIP))
            await self._trade(requests)
        finally:
            _tell(wishes)

    async def _trade(self, requests: Sequence[LeaseRequest]) -> None:
        if not requests:
            return
        try:
            async with self._client.pipeline(transaction=False) as pipeline:
                for request in requests:
                    pipeline.eval(LEASE_SCRIPT, 1, request.key, *request.arguments)
                replies = await pipeline.execute()
        except (RedisError, OSError) as error:
            for request in requests:
                self._limiter.fail(request)
            self._lose(error)
            return
        now = self._clock()
        for request, reply in zip(requests, replies, strict=True):
            self._limiter.grant(request, LeaseGrant(*reply), now)

    def _lose(self, error: Exception) -> None:
        if self.is_shared:
            _LOG.warning("rate_limits_alone", reason=type(error).__name__)
        self.is_shared = False
        wishes = list(self._wishes.values())
        self._wishes.clear()
        _tell(wishes)

    async def _look_for_redis(self) -> None:
        """Wait a little, and ask with a command that may be lost or come late without any harm."""
        await asyncio.sleep(self._backoff.next_delay())
        try:
            await self._client.ping()
        except (RedisError, OSError):
            return
        self._backoff.reset()
        self.is_shared = True
        _LOG.info("rate_limits_shared")
        while self.is_shared:
            requests = list(self._limiter.pending_returns(self._clock(), _SETTLED_AT_ONCE))
            if not requests:
                return
            await self._trade(requests)


def _tell(wishes: Sequence[_Wish]) -> None:
    for wish in wishes:
        if not wish.heard.done():
            wish.heard.set_result(None)
