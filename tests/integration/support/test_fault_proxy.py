"""The proxy of the fault tests fails as configured, and in no other way."""

from collections.abc import Iterator

import pytest
import redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry

from tests.support.servers.fault_proxy import FaultProxy


@pytest.fixture
def proxy(redis_url: str) -> Iterator[FaultProxy]:
    with FaultProxy(redis_url, seed=1) as proxy:
        yield proxy


@pytest.fixture
def client(proxy: FaultProxy) -> Iterator[redis.Redis]:
    """Return a client that connects through the proxy and does not retry."""
    with redis.Redis.from_url(proxy.url, socket_timeout=0.3, retry=Retry(NoBackoff(), 0)) as client:
        yield client


def test_refusal_ends_connections_and_rejects_new_ones_until_healed(proxy: FaultProxy, client: redis.Redis) -> None:
    client.ping()
    proxy.refuse()
    for _ in range(3):
        with pytest.raises(RedisConnectionError):
            client.ping()
    proxy.heal()
    assert client.ping()
    assert proxy.accepted == 2


def test_lost_reply_is_of_a_request_that_was_executed(proxy: FaultProxy, client: redis.Redis) -> None:
    client.set("count", 0)
    proxy.swallow_replies()
    with pytest.raises(RedisTimeoutError):
        client.incr("count")
    proxy.heal()
    client.ping()
    proxy.cut_at_replies()
    # Not RedisTimeoutError: the connection ends at once.
    with pytest.raises(RedisConnectionError):
        client.incr("count")
    proxy.heal()
    assert client.get("count") == b"2"


def test_random_cuts_hit_some_requests_and_cause_no_wrong_reply(proxy: FaultProxy, client: redis.Redis) -> None:
    proxy.cut_at_random(0.2)
    failures = 0
    for number in range(200):
        try:
            assert client.echo(str(number)) == str(number).encode()
        except RedisConnectionError:
            failures += 1
    assert 20 < failures < 180
    proxy.heal()
    assert client.ping()
