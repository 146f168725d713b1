"""Connections to Redis that are cut at any byte: every worker reaches the newest revision and serves no older one."""

import asyncio
import itertools
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis
import uvloop
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError

from edge_api.redis_clients import snapshot_client
from tests.support.background import in_background
from tests.support.clients.revision_readers import a_numbered_snapshot, numbered_revision, revision_readers
from tests.support.data.snapshots import publish
from tests.support.polling import eventually
from tests.support.servers.edge_process import StartedEdge
from tests.support.servers.fault_proxy import FaultProxy
from tests.support.soak import report, soak_setting

pytestmark = pytest.mark.slow

PUBLISHES = soak_setting("PUBLISHES", 120, 1000)
PROJECTS = 4
SEED = soak_setting("SEED", 20261121, 20261121)
CONVERGENCE_SECONDS = 5.0
PUBLISH_PAUSE_SECONDS = 0.02


@contextmanager
def connections_cut(proxy: FaultProxy, seed: int) -> Iterator[None]:
    """Cut connections for the length of the block, inside of chunks and while idle."""
    rng = random.Random(seed)

    def cut_idle_ones(stop: threading.Event) -> None:
        while not stop.wait(rng.uniform(0.05, 0.5)):
            proxy.cut()

    proxy.cut_at_random(0.1)
    try:
        with in_background(threading.Event(), cut_idle_ones):
            yield
    finally:
        proxy.heal()


@pytest.mark.timeout(PUBLISHES + 240)
def test_workers_reach_the_newest_revision_under_random_cuts_and_never_go_back(
    redis_url: str, redis_client: redis.Redis, tmp_path: Path
) -> None:
    snapshots = [a_numbered_snapshot() for _ in range(PROJECTS)]
    for snapshot in snapshots:
        publish(redis_client, snapshot)
    with (
        FaultProxy(redis_url, SEED) as proxy,
        StartedEdge(proxy.url, tmp_path, edge_snapshot_folder=str(tmp_path / "copies")) as edge,
        revision_readers(edge, snapshots) as readers,
    ):
        eventually(lambda: readers.all_serve(1), within=20)
        before = proxy.accepted
        paces = itertools.cycle((PUBLISH_PAUSE_SECONDS / 2, PUBLISH_PAUSE_SECONDS * 3 / 2))
        with connections_cut(proxy, SEED):
            for revision in range(2, PUBLISHES // PROJECTS + 2):
                for snapshot in snapshots:
                    publish(redis_client, numbered_revision(snapshot, revision))
                    threading.Event().wait(next(paces))
        healed = time.monotonic()
        eventually(lambda: readers.all_serve(revision), within=CONVERGENCE_SECONDS)
        took = time.monotonic() - healed
        cuts = proxy.accepted - before
    assert (readers.wrong, readers.unreached) == ([], 0)
    assert cuts > PUBLISHES / 10
    results = {"publishes": PUBLISHES, "reconnections": cuts, "right": readers.right, "converged in": f"{took:.2f} s"}
    report("Connections to Redis cut at random, 4 workers, 8 readers", results)


async def send_only(connection: AbstractConnection) -> None:
    """Send without reading: a read would find the end of the connection before a write does."""
    while True:
        await connection.send_command("PING")


def test_connection_cut_while_sending_raises_redis_error_on_uvloop(redis_url: str) -> None:
    async def scenario() -> None:
        client = snapshot_client(proxy.url)
        async with client.client() as single:
            assert single.connection is not None
            proxy.cut()
            with pytest.raises(RedisError):
                await send_only(single.connection)
        await client.aclose()

    with FaultProxy(redis_url) as proxy, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(scenario())
