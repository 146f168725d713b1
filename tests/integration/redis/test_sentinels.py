"""Clients of a master behind a Sentinel: when they leave it."""

import asyncio
from collections.abc import Callable, Iterator

import pytest
from redis import ResponseError
from redis.exceptions import RedisError

from common.redis.connect import connect, connect_async
from tests.integration.redis.valkey_sentinels import ValkeySentinels
from tests.support.polling import eventually

pytestmark = pytest.mark.slow

SECONDS = 5.0


@pytest.fixture
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValkeySentinels]:
    with ValkeySentinels(tmp_path_factory.mktemp("sentinels") / "servers") as servers:
        yield servers


def connections_by_thread(url: str) -> list[int]:
    """Return the ids of the connections before and after a write that the master refuses."""
    with connect(url, reply_seconds=SECONDS, connect_seconds=SECONDS) as client:
        before = client.client_id()
        with pytest.raises(ResponseError, match="NOREPLICAS"):
            client.set("a", "1")
        return [before, client.client_id()]


def connections_by_asyncio(url: str) -> list[int]:
    async def connections() -> list[int]:
        async with connect_async(url, reply_seconds=SECONDS, connect_seconds=SECONDS, max_connections=1) as client:
            before = await client.client_id()
            with pytest.raises(ResponseError, match="NOREPLICAS"):
                await client.set("a", "1")
            return [before, await client.client_id()]

    return asyncio.run(connections())


@pytest.mark.parametrize("connections", [connections_by_thread, connections_by_asyncio])
def test_client_reconnects_after_a_master_without_replicas_refused_a_write(
    servers: ValkeySentinels, connections: Callable[[str], list[int]]
) -> None:
    servers.master.ask("CONFIG SET", "min-replicas-to-write", 5)
    before, after = connections(servers.url)
    assert before != after


def test_client_with_open_connections_writes_to_the_new_master(servers: ValkeySentinels) -> None:
    former = servers.master
    with connect(servers.url, reply_seconds=SECONDS, connect_seconds=SECONDS) as client, asyncio.Runner() as runner:
        async_client = connect_async(servers.url, reply_seconds=SECONDS, connect_seconds=SECONDS, max_connections=1)

        async def write() -> None:
            await async_client.set("b", "1")

        def is_written() -> bool:
            try:
                client.set("a", "1")
                runner.run(write())
            except RedisError:
                return False
            return True

        assert is_written()
        eventually(servers.fail_over)
        eventually(lambda: servers.master is not former, within=30)
        eventually(is_written, within=30)
        assert servers.master.ask("EXISTS", "a", "b") == 2
        runner.run(async_client.aclose())
