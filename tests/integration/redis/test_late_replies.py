"""A reply that comes after the time-out: no client sends the write again."""

import asyncio
from collections.abc import Callable, Iterator

import pytest
from redis.exceptions import TimeoutError as RedisTimeoutError

from common.redis.connect import connect, connect_async
from tests.integration.redis.valkey_cluster import ValkeyCluster
from tests.integration.redis.valkey_sentinels import ValkeySentinels
from tests.support.servers.running_server import RunningServer

pytestmark = pytest.mark.slow

STREAM, EMPTY_LIST = "{late}stream", "{late}list"
#: The reply to BLPOP of an empty list comes after two seconds.
BLOCK_SECONDS = 2
REPLY_SECONDS = 0.5


@pytest.fixture(scope="module")
def sentinels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with ValkeySentinels(tmp_path_factory.mktemp("sentinels") / "servers") as servers:
        yield servers.url


@pytest.fixture(params=["single", "sentinel", "cluster"])
def url(request: pytest.FixtureRequest, redis_server: RunningServer) -> str:
    if request.param == "sentinel":
        return str(request.getfixturevalue("sentinels"))
    if request.param == "cluster":
        cluster: ValkeyCluster = request.getfixturevalue("cluster")
        return cluster.url
    return redis_server.url


def append_by_thread(url: str) -> None:
    with (
        connect(url, reply_seconds=REPLY_SECONDS, connect_seconds=5) as client,
        client.pipeline(transaction=False) as pipeline,
    ):
        pipeline.xadd(STREAM, {"a": "1"})
        pipeline.blpop([EMPTY_LIST], BLOCK_SECONDS)
        pipeline.execute()


def append_by_asyncio(url: str) -> None:
    async def append() -> None:
        async with (
            connect_async(url, reply_seconds=REPLY_SECONDS, connect_seconds=5) as client,
            client.pipeline(transaction=False) as pipeline,
        ):
            pipeline.xadd(STREAM, {"a": "1"})
            pipeline.blpop([EMPTY_LIST], BLOCK_SECONDS)
            await pipeline.execute()

    asyncio.run(append())


@pytest.mark.parametrize("append", [append_by_thread, append_by_asyncio])
def test_write_with_a_late_reply_is_sent_once(url: str, append: Callable[[str], None]) -> None:
    with connect(url, reply_seconds=20, connect_seconds=5) as observer:
        observer.delete(STREAM)
        with pytest.raises(RedisTimeoutError):
            append(url)
        assert observer.xlen(STREAM) == 1
