"""The proxy fails as it is told, and only so: a test that it hurts is about the service."""

import time
from collections.abc import Iterator

import pytest
import redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry

from tests.faulty_proxy import FaultyProxy
from tests.polling import eventually


@pytest.fixture
def proxy(redis_url: str) -> Iterator[FaultyProxy]:
    """Give a proxy before the worker's Valkey."""
    with FaultyProxy(redis_url, seed=1) as proxy:
        yield proxy


@pytest.fixture
def client(proxy: FaultyProxy) -> Iterator[redis.Redis]:
    """Give a client that goes through the proxy and does not try again by itself."""
    with redis.Redis.from_url(proxy.url, socket_timeout=0.3, retry=Retry(NoBackoff(), 0)) as client:
        yield client


def test_a_proxy_without_a_fault_passes_everything_on(client: redis.Redis) -> None:
    large = b"x" * 3_000_000
    client.set("large", large)
    assert client.get("large") == large


def test_a_refusal_cuts_what_there_is_and_lets_nobody_in_until_it_is_healed(
    proxy: FaultyProxy, client: redis.Redis
) -> None:
    client.ping()
    proxy.refuse()
    for _ in range(3):
        with pytest.raises(RedisConnectionError):
            client.ping()
    proxy.heal()
    assert client.ping()
    assert proxy.accepted == 2


def test_a_cut_ends_connections_and_new_ones_work(proxy: FaultyProxy, client: redis.Redis) -> None:
    for number in range(5):
        client.ping()
        assert (proxy.open_connections, proxy.accepted) == (1, number + 1)
        proxy.cut()
        eventually(lambda: proxy.open_connections == 0)
        # redis-py looks whether its connection is still there before it sends, and makes another.
    assert client.ping()


def test_a_cut_after_some_bytes_happens_there(proxy: FaultyProxy, client: redis.Redis, redis_url: str) -> None:
    client.ping()
    # As long as the request: the answer's first byte is too much.
    proxy.cut_after(len(b"*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1\r\n1\r\n"))
    with pytest.raises(RedisConnectionError):
        client.set("a", "1")
    with redis.Redis.from_url(redis_url) as direct:
        assert direct.get("a") == b"1"


def test_a_lost_reply_is_a_request_that_was_done(proxy: FaultyProxy, client: redis.Redis) -> None:
    client.set("count", 0)
    proxy.swallow_replies()
    with pytest.raises(RedisTimeoutError):
        client.incr("count")
    proxy.heal()
    client.ping()
    proxy.cut_at_replies()
    begun = time.monotonic()
    with pytest.raises(RedisConnectionError):
        client.incr("count")
    assert time.monotonic() - begun < 0.3
    proxy.heal()
    assert client.get("count") == b"2"


def test_a_black_hole_answers_nothing_until_it_is_healed(proxy: FaultyProxy, client: redis.Redis) -> None:
    client.ping()
    proxy.black_hole()
    for _ in range(2):
        with pytest.raises(RedisTimeoutError):
            client.ping()
    proxy.heal()
    assert client.ping()


def test_a_delay_holds_requests_and_answers_up(proxy: FaultyProxy, client: redis.Redis) -> None:
    client.ping()
    proxy.delay(0.05)
    begun = time.monotonic()
    client.ping()
    assert time.monotonic() - begun >= 0.1


def test_cuts_at_random_hit_some_and_leave_no_wrong_answer(proxy: FaultyProxy, client: redis.Redis) -> None:
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


def test_a_dead_target_ends_connections(proxy: FaultyProxy, client: redis.Redis) -> None:
    client.ping()
    assert proxy.open_connections == 1
    client.close()
    with FaultyProxy(f"redis://127.0.0.1:{proxy.port}") as second:
        proxy.refuse()
        with redis.Redis.from_url(second.url, retry=Retry(NoBackoff(), 0)) as lost, pytest.raises(RedisConnectionError):
            lost.ping()
