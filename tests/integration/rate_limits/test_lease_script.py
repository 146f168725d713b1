"""Leases on a real Valkey: whatever the order of what workers do, the limit holds and little is refused early."""

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
from tests.hour_clock import HourClock

WORKERS = 4


@dataclass
class Fleet:
    """Several workers' limiters on one Valkey, driven step by step."""

    client: redis.Redis
    clock: HourClock
    key: RateLimitKey

    def __post_init__(self) -> None:
        self.limiters = [Limiter(bytes(32)) for _ in range(WORKERS)]

    def request(self, worker: int) -> bool:
        """Send one request to a worker and tell whether it is admitted."""
        limiter = self.limiters[worker]
        ruling = limiter.acquire_leased(self.key, self.clock())
        if ruling is None:
            self._trade(limiter, limiter.lease_request(self.key, 1, self.clock()))
            ruling = limiter.acquire_leased(self.key, self.clock())
        assert ruling is not None
        return ruling.is_admitted

    def give_back_expired(self, worker: int) -> None:
        """Let a worker settle what is due."""
        for request in list(self.limiters[worker].pending_returns(self.clock(), 100)):
            self._trade(self.limiters[worker], request)

    def replace(self, worker: int) -> None:
        """Let a worker die with its leases, and another take its place."""
        self.limiters[worker] = Limiter(bytes(32))

    def _trade(self, limiter: Limiter, request: LeaseRequest) -> None:
        granted, left = self.client.eval(LEASE_SCRIPT, 1, request.key, *map(str, request.arguments))
        limiter.grant(request, LeaseGrant(int(granted), int(left)), self.clock())


def a_fleet(client: redis.Redis, limit: int) -> Fleet:
    """Give workers with a key of their own."""
    return Fleet(client, HourClock(), (limit, new_id(IdPrefix.USER)))


steps = st.lists(
    st.tuples(st.sampled_from(("request", "request", "request", "give back", "die")), st.integers(0, WORKERS - 1)),
    max_size=80,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(limit=st.sampled_from((1, 5, 60, 300)), hours=st.lists(steps, min_size=1, max_size=3))
def test_in_any_order_no_hour_admits_more_than_the_limit(
    redis_client: redis.Redis, limit: int, hours: list[list[tuple[str, int]]]
) -> None:
    fleet = a_fleet(redis_client, limit)
    for hour in hours:
        admitted = deaths = 0
        for action, worker in hour:
            if action == "request":
                admitted += fleet.request(worker)
            elif action == "give back":
                fleet.clock.now += LEASE_SECONDS
                fleet.give_back_expired(worker)
            else:
                deaths += 1
                fleet.replace(worker)
        assert admitted <= limit
        # Until it is refused everywhere, one worker alone gets all but what lies in the others' leases.
        fleet.clock.now += 2
        for _ in range(limit):
            admitted += fleet.request(0)
        assert limit - (WORKERS - 1 + deaths) * lease_size(limit) <= admitted <= limit
        fleet.clock.next_hour()


def test_one_worker_admits_exactly_the_limit(redis_client: redis.Redis) -> None:
    fleet = a_fleet(redis_client, 1000)
    assert [fleet.request(0) for _ in range(1003)] == [True] * 1000 + [False] * 3


def test_far_from_the_limit_a_hundredth_of_it_is_one_question(redis_client: redis.Redis) -> None:
    fleet = a_fleet(redis_client, 1000)
    redis_client.config_resetstat()
    assert all(fleet.request(0) for _ in range(500))
    assert redis_client.info("commandstats")["cmdstat_eval"]["calls"] == 50


def test_near_the_limit_leases_shrink_so_that_idle_workers_hold_little(redis_client: redis.Redis) -> None:
    fleet = a_fleet(redis_client, 1000)
    assert all(fleet.request(0) for _ in range(970))
    for worker in (1, 2, 3):
        assert fleet.request(worker)
    assert sum(fleet.request(0) for _ in range(100)) == 1000 - 973


def test_what_a_client_left_unused_at_one_worker_it_gets_at_another(redis_client: redis.Redis) -> None:
    fleet = a_fleet(redis_client, 1000)
    for worker in (1, 2, 3):
        assert fleet.request(worker)
    fleet.clock.now += LEASE_SECONDS
    for worker in (1, 2, 3):
        fleet.give_back_expired(worker)
    assert sum(fleet.request(0) for _ in range(1100)) == 997


def test_a_count_goes_with_its_hour(redis_client: redis.Redis) -> None:
    fleet = a_fleet(redis_client, 1000)
    fleet.request(0)
    [key] = redis_client.keys("onboarding:rate:*")
    assert isinstance(key, bytes)
    assert redis_client.expiretime(key.decode()) == fleet.clock.window_end + 60


def test_redis_is_never_told_an_address_or_a_user(redis_client: redis.Redis) -> None:
    fleet = Fleet(redis_client, HourClock(), (60, "address 203.0.113.9"))
    fleet.request(0)
    [key] = redis_client.keys("*")
    assert b"203.0.113.9" not in key
    assert b"address" not in key
    assert redis_client.get(key) == b"1"


def test_more_settled_than_was_ever_taken_does_not_raise_the_limit(redis_client: redis.Redis) -> None:
    granted = redis_client.eval(LEASE_SCRIPT, 1, "{key}", "60", "-500", "100", "1", "4000000000")
    assert granted == [60, 0]
