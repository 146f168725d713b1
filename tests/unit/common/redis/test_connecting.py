"""The URL decides what connections are made: plain or over TLS, to a place that is known or that Sentinels know."""

import pytest
from redis.asyncio.connection import SSLConnection as AsyncSslConnection
from redis.connection import SSLConnection

from common.redis.async_cluster_client import AsyncClusterClient
from common.redis.async_connecting import Timeouts
from common.redis.async_connecting import connect as connect_async
from common.redis.cluster_client import ClusterClient
from common.redis.connecting import connect

URLS = ["redis://one", "redis+sentinel://one/flows", "redis+cluster://one"]


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize("is_tls", [False, True])
def test_tls_is_what_the_scheme_says(url: str, *, is_tls: bool) -> None:
    chosen = url.replace("redis", "rediss", 1) if is_tls else url
    with connect(chosen, reply_seconds=1, connect_seconds=1) as client:
        assert issubclass(client.connection_pool.connection_class, SSLConnection) is is_tls
    pool = connect_async(chosen, Timeouts(1, 1)).connection_pool
    assert issubclass(pool.connection_class, AsyncSslConnection) is is_tls


def test_only_a_cluster_has_a_client_of_its_own() -> None:
    made = [connect(url, reply_seconds=1, connect_seconds=1) for url in URLS]
    made_async = [connect_async(url, Timeouts(1, 1)) for url in URLS]
    assert [isinstance(client, ClusterClient) for client in made] == [False, False, True]
    assert [isinstance(client, AsyncClusterClient) for client in made_async] == [False, False, True]


def test_time_limits_and_the_end_of_silent_retries_hold_for_every_connection() -> None:
    for url in URLS:
        pool = connect_async(url, Timeouts(2, 1), most_connections=3).connection_pool
        options = pool.connection_kwargs
        assert (options["socket_timeout"], options["socket_connect_timeout"], pool.max_connections) == (2, 1, 3)
        assert options["retry"].get_retries() == 0
