"""A Cluster that the tests of a worker share; tests that kill nodes start their own."""

from collections.abc import Iterator

import pytest
import redis

from common.redis.connect import connect
from tests.integration.redis.valkey_cluster import ValkeyCluster
from tests.support.rate_limits import HourClock


@pytest.fixture(scope="session")
def shared_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValkeyCluster]:
    """Return a Cluster whose nodes no test kills."""
    with ValkeyCluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture
def cluster(shared_cluster: ValkeyCluster) -> ValkeyCluster:
    """Return the Cluster, emptied for this test."""
    shared_cluster.empty()
    return shared_cluster


@pytest.fixture
def redis_url(cluster: ValkeyCluster) -> str:
    """Return the URL of the Cluster, for tests that were written for one server."""
    return cluster.url


@pytest.fixture
def redis_client(redis_url: str) -> Iterator[redis.Redis]:
    with connect(redis_url, reply_seconds=5, connect_seconds=2, protocol=2) as client:
        yield client


@pytest.fixture
def clock() -> HourClock:
    return HourClock()
