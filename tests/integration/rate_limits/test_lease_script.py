"""Settlements on a real Valkey: the limit holds in any order of actions, and few requests are rejected early."""

from dataclasses import dataclass

import redis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from common.ids import IdPrefix, new_id
from common.rate_limit.limiter import (
    LEASE_SCRIPT,
    LEASE_SECONDS,
    REPORT_SECONDS,
    LeaseGrant,
    Limiter,
    Settlement,
    lease_size,
)
from common.rate_limit.quotas import RateLimitKey
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
        self.limiters = [self._a_limiter() for _ in range(WORKERS)]
        self.under_way: list[list[tuple[Settlement, LeaseGrant]]] = [[] for _ in range(WORKERS)]

    def request(self, worker: int) -> bool:
        """Send a request to a worker and return whether it is admitted."""
        limiter = self.limiters[worker]
        decision = limiter.acquire(self.key)
        if decision is None:
            self.settle(worker)
            decision = limiter.acquire(self.key)
        assert decision is not None
        return decision.is_admitted

    def settle(self, worker: int) -> None:
        """Send the settlements of a worker that are due, and receive the replies to all."""
        self.receive(worker)
        while self.send(worker):
            self.receive(worker)

    def send(self, worker: int) -> bool:
        """Send the settlements of a worker that are due, whose replies stay under way, and return whether any is."""
        for settlement in self.limiters[worker].pending(100):
            ((granted, left),) = self.client.eval(LEASE_SCRIPT, 1, settlement.key, settlement.argument)
            self.under_way[worker].append((settlement, LeaseGrant(int(granted), int(left))))
        return bool(self.under_way[worker])

    def receive(self, worker: int) -> None:
        for settlement, grant in self.under_way[worker]:
            self.limiters[worker].apply(settlement, grant)
        self.under_way[worker].clear()

    def replace(self, worker: int) -> None:
        """Replace a worker that was killed with its leases and its reports."""
        self.limiters[worker] = self._a_limiter()
        self.under_way[worker].clear()

    def _a_limiter(self) -> Limiter:
        return Limiter(bytes(32), self.clock)


def a_fleet(client: redis.Redis, limit: int) -> Fleet:
    return Fleet(client, HourClock(), (limit, new_id(IdPrefix.USER)))


steps = st.lists(
    st.tuples(
        st.sampled_from((*("request",) * 6, "send", "receive", "settle", "report", "return", "die")),
        st.integers(0, WORKERS - 1),
    ),
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
            elif action == "die":
                deaths += 1
                fleet.replace(worker)
            elif action == "send":
                fleet.send(worker)
            elif action == "receive":
                fleet.receive(worker)
            else:
                fleet.clock.now += {"settle": 0.0, "report": REPORT_SECONDS, "return": LEASE_SECONDS}[action]
                fleet.settle(worker)
        slack = (WORKERS + deaths) * lease_size(limit)
        assert admitted <= limit + slack
        # Until all workers reject, a single worker gets everything but the leases of the others.
        for _ in range(limit):
            fleet.clock.now += 0.01
            fleet.settle(0)
            admitted += fleet.request(0)
        assert limit - slack <= admitted <= limit + slack
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
        assert redis_client.info("commandstats")["cmdstat_eval"]["calls"] <= 60


def test_start_of_a_phone_is_one_report_and_takes_no_lease(private_redis_server: RunningServer) -> None:
    """The server is its own: the lasting edges of other tests return leases to the common one."""
    with redis.Redis.from_url(private_redis_server.url) as redis_client:
        fleet = a_fleet(redis_client, 1000)
        redis_client.config_resetstat()
        assert all(fleet.request(0) for _ in range(7))
        fleet.clock.now += REPORT_SECONDS
        fleet.settle(0)
        fleet.clock.now += LEASE_SECONDS
        fleet.settle(0)
        assert redis_client.info("commandstats")["cmdstat_eval"]["calls"] == 1
        assert sum(fleet.request(1) for _ in range(1100)) == 993


def test_leases_shrink_near_the_limit(redis_client: redis.Redis) -> None:
    fleet = a_fleet(redis_client, 1000)
    assert all(fleet.request(0) for _ in range(970))
    for worker in (1, 2, 3):
        assert fleet.request(worker)
        fleet.clock.now += REPORT_SECONDS
        fleet.settle(worker)
    assert sum(fleet.request(0) for _ in range(100)) == 1000 - 973


def test_unused_lease_of_a_worker_is_admitted_by_another(redis_client: redis.Redis) -> None:
    fleet = a_fleet(redis_client, 1000)
    for worker in (1, 2, 3):
        assert all(fleet.request(worker) for _ in range(8))
        fleet.settle(worker)
    fleet.clock.now += LEASE_SECONDS
    for worker in (1, 2, 3):
        fleet.settle(worker)
    assert sum(fleet.request(0) for _ in range(1100)) == 1000 - 3 * 8


def test_count_expires_with_its_hour(redis_client: redis.Redis) -> None:
    fleet = a_fleet(redis_client, 1000)
    fleet.request(0)
    fleet.clock.now += REPORT_SECONDS
    fleet.settle(0)
    [key] = redis_client.keys("onboarding:rate:*")
    assert isinstance(key, bytes)
    assert redis_client.expiretime(key.decode()) == fleet.clock.window_end + 60


def test_key_in_redis_contains_no_address(redis_client: redis.Redis) -> None:
    fleet = Fleet(redis_client, HourClock(), (60, "address 203.0.113.9"))
    fleet.request(0)
    fleet.settle(0)
    [key] = redis_client.keys("*")
    assert b"203.0.113.9" not in key
    assert b"address" not in key
    assert redis_client.get(key) == b"1"


def test_return_of_more_than_was_taken_does_not_raise_the_limit(redis_client: redis.Redis) -> None:
    granted = redis_client.eval(LEASE_SCRIPT, 1, "{key}", "60 -500 100 1 4000000000")
    assert granted == [[60, 0]]


def test_one_call_settles_many_keys(redis_client: redis.Redis) -> None:
    redis_client.set("second", "55")
    arguments = ("60 1 0 10 4000000000", "60 2 2 10 4000000000")
    granted = redis_client.eval(LEASE_SCRIPT, 2, "first", "second", *arguments)
    assert granted == [[2, 57], [2, 1]]
    assert redis_client.mget("first", "second") == [b"3", b"59"]
