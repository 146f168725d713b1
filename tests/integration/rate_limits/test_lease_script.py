"""Leases on a real Valkey: the limit holds in any order of actions, and few requests are rejected early."""

from dataclasses import dataclass

import redis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from common.ids import IdPrefix, new_id
from common.rate_limit.limiter import (
    LEASE_SCRIPT,
    LEASE_SECONDS,
    LeaseGrant,
    LeaseRequest,
    Limiter,
    RateLimitKey,
    lease_size,
)
from tests.support.rate_limits import HourClock
from tests.support.servers.running_server import RunningServer

WORKERS = 4


@dataclass
class Fleet:
    """Limiters of several workers on one Valkey, driven step by step."""

    client: redis.Redis
    clock: HourClock
    key: RateLimitKey

    def __post_init__(self) -> None:
        self.limiters = [Limiter(bytes(32)) for _ in range(WORKERS)]

    def request(self, worker: int) -> bool:
        """Send a request to a worker and return whether it is admitted."""
        limiter = self.limiters[worker]
        decision = limiter.acquire_leased(self.key, self.clock())
        if decision is None:
            self._call_script(limiter, limiter.lease_request(self.key, 1, self.clock()))
            decision = limiter.acquire_leased(self.key, self.clock())
        assert decision is not None
        return decision.is_admitted

    def return_expired(self, worker: int) -> None:
        """Return the expired leases of a worker."""
        for request in list(self.limiters[worker].pending_returns(self.clock(), 100)):
            self._call_script(self.limiters[worker], request)

    def replace(self, worker: int) -> None:
        """Replace a worker that was killed with its leases."""
        self.limiters[worker] = Limiter(bytes(32))

    def _call_script(self, limiter: Limiter, request: LeaseRequest) -> None:
        granted, left = self.client.eval(LEASE_SCRIPT, 1, request.key, *map(str, request.arguments))
        limiter.grant(request, LeaseGrant(int(granted), int(left)), self.clock())


def a_fleet(client: redis.Redis, limit: int) -> Fleet:
    """Return workers with a key of their own."""
    return Fleet(client, HourClock(), (limit, new_id(IdPrefix.USER)))


steps = st.lists(
    st.tuples(st.sampled_from(("request", "request", "request", "return", "die")), st.integers(0, WORKERS - 1)),
    max_size=80,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(limit=st.sampled_from((1, 5, 60, 300)), hours=st.lists(steps, min_size=1, max_size=3))
def test_limit_of_an_hour_holds_in_any_order_of_actions(
    redis_client: redis.Redis, limit: int, hours: list[list[tuple[str, int]]]
) -> None:
    fleet = a_fleet(redis_client, limit)
    for hour in hours:
        admitted = deaths = 0
        for action, worker in hour:
            if action == "request":
                admitted += fleet.request(worker)
            elif action == "return":
                fleet.clock.now += LEASE_SECONDS
                fleet.return_expired(worker)
            else:
                deaths += 1
                fleet.replace(worker)
        assert admitted <= limit
        # Until all workers reject, a single worker gets everything but the leases of the others.
        fleet.clock.now += 2
        for _ in range(limit):
            admitted += fleet.request(0)
        assert limit - (WORKERS - 1 + deaths) * lease_size(limit) <= admitted <= limit
        fleet.clock.next_hour()


def test_single_worker_admits_exactly_the_limit(redis_client: redis.Redis) -> None:
    fleet = a_fleet(redis_client, 1000)
    assert [fleet.request(0) for _ in range(1003)] == [True] * 1000 + [False] * 3


def test_lease_is_a_hundredth_of_a_distant_limit(private_redis_server: RunningServer) -> None:
    """The server is its own: the lasting edges of other tests return leases to the common one."""
    with redis.Redis.from_url(private_redis_server.url) as redis_client:
        fleet = a_fleet(redis_client, 1000)
        redis_client.config_resetstat()
        assert all(fleet.request(0) for _ in range(500))
        assert redis_client.info("commandstats")["cmdstat_eval"]["calls"] == 50


def test_leases_shrink_near_the_limit(redis_client: redis.Redis) -> None:
    fleet = a_fleet(redis_client, 1000)
    assert all(fleet.request(0) for _ in range(970))
    for worker in (1, 2, 3):
        assert fleet.request(worker)
    assert sum(fleet.request(0) for _ in range(100)) == 1000 - 973


def test_unused_lease_of_a_worker_is_admitted_by_another(redis_client: redis.Redis) -> None:
    fleet = a_fleet(redis_client, 1000)
    for worker in (1, 2, 3):
        assert fleet.request(worker)
    fleet.clock.now += LEASE_SECONDS
    for worker in (1, 2, 3):
        fleet.return_expired(worker)
    assert sum(fleet.request(0) for _ in range(1100)) == 997


def test_count_expires_with_its_hour(redis_client: redis.Redis) -> None:
    fleet = a_fleet(redis_client, 1000)
    fleet.request(0)
    [key] = redis_client.keys("onboarding:rate:*")
    assert isinstance(key, bytes)
    assert redis_client.expiretime(key.decode()) == fleet.clock.window_end + 60


def test_key_in_redis_contains_no_address(redis_client: redis.Redis) -> None:
    fleet = Fleet(redis_client, HourClock(), (60, "address 203.0.113.9"))
    fleet.request(0)
    [key] = redis_client.keys("*")
    assert b"203.0.113.9" not in key
    assert b"address" not in key
    assert redis_client.get(key) == b"1"


def test_return_of_more_than_was_taken_does_not_raise_the_limit(redis_client: redis.Redis) -> None:
    granted = redis_client.eval(LEASE_SCRIPT, 1, "{key}", "60", "-500", "100", "1", "4000000000")
    assert granted == [60, 0]
