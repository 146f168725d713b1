"""The proxy of the fault tests fails as configured, and in no other way."""

import time
from collections.abc import Iterator

import pytest
import redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry

from tests.support.polling import eventually
from tests.support.servers.fault_proxy import FaultProxy


@pytest.fixture
def proxy(redis_url: str) -> Iterator[FaultProxy]:
    """Return a proxy in front of Valkey."""
    with FaultProxy(redis_url, seed=1) as proxy:
        yield proxy


@pytest.fixture
def client(proxy: FaultProxy) -> Iterator[redis.Redis]:
    """Return a client that connects through the proxy and does not retry."""
    with redis.Redis.from_url(proxy.url, socket_timeout=0.3, retry=Retry(NoBackoff(), 0)) as client:
        yield client


def test_proxy_without_a_fault_forwards_all_bytes(client: redis.Redis) -> None:
    large = b"x" * 3_000_000
    client.set("large", large)
    assert client.get("large") == large


def test_refusal_ends_connections_and_rejects_new_ones_until_healed(proxy: FaultProxy, client: redis.Redis) -> None:
    client.ping()
    proxy.refuse()
    for _ in range(3):
        with pytest.raises(RedisConnectionError):
            client.ping()
    proxy.heal()
    assert client.ping()
    assert proxy.accepted == 2


def test_cut_ends_connections_and_new_ones_work(proxy: FaultProxy, client: redis.Redis) -> None:
    for number in range(5):
        client.ping()
        assert (proxy.open_connections, proxy.accepted) == (1, number + 1)
        proxy.cut()
        eventually(lambda: proxy.open_connections == 0)
        # redis-py checks its connection before it sends, and opens another.
    assert client.ping()


def test_cut_after_some_bytes_happens_there(proxy: FaultProxy, client: redis.Redis, redis_url: str) -> None:
    client.ping()
    # As long as the request: the first byte of the response is too much.
    proxy.cut_after(len(b"*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1\r\n1\r\n"))
    with pytest.raises(RedisConnectionError):
        client.set("a", "1")
    with redis.Redis.from_url(redis_url) as direct:
        assert direct.get("a") == b"1"


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


def test_black_hole_sends_nothing_until_healed(proxy: FaultProxy, client: redis.Redis) -> None:
    client.ping()
    proxy.black_hole()
    for _ in range(2):
        with pytest.raises(RedisTimeoutError):
            client.ping()
    proxy.heal()
    assert client.ping()


def test_delay_applies_to_requests_and_replies(proxy: FaultProxy, client: redis.Redis) -> None:
    client.ping()
    proxy.delay(0.05)
    started = time.monotonic()
    client.ping()
    assert time.monotonic() - started >= 0.1


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


def test_unreachable_target_ends_connections(proxy: FaultProxy, client: redis.Redis) -> None:
    client.ping()
    assert proxy.open_connections == 1
    client.close()
    with FaultProxy(f"redis://127.0.0.1:{proxy.port}") as second:
        proxy.refuse()
        with redis.Redis.from_url(second.url, retry=Retry(NoBackoff(), 0)) as lost, pytest.raises(RedisConnectionError):
            lost.ping()
