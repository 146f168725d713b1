"""Fixtures for real servers: PostgreSQL and Valkey, never a substitute."""

import base64
import functools
import gc
import os
import secrets
from collections.abc import Generator, Iterator
from pathlib import Path

import httpx
import hypothesis
import pytest
import redis
import structlog
from xdist.remote import Producer

from tests.support.databases.fresh_databases import FreshDatabases
from tests.support.databases.postgres_session import shared_postgresql
from tests.support.databases.recycled_databases import RecycledDatabases
from tests.support.servers.local_stack import RunningStack
from tests.support.servers.running_server import RunningServer, own_valkey
from tests.support.servers.stack_session import shared_local_stack
from tests.support.xdist_scheduler import GroupedScheduler

# The time of an example depends on the machine, not on the product. `make soak` takes "thorough".
hypothesis.settings.register_profile("quick", deadline=None, max_examples=25)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=100)
hypothesis.settings.load_profile("quick")

# structlog's default renders a traceback by rich, with all local variables: seconds for one line of the log.
*_PROCESSORS, _RENDERER = structlog.get_config()["processors"]
structlog.configure(
    processors=[*_PROCESSORS, structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> GroupedScheduler:
    """Return the scheduler that distributes the tests among the workers of this run."""
    return GroupedScheduler(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep all modules and tests out of the garbage collections of the run: they took a sixth of its processor time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return the number of workers: one more than processors, or twice as many with slow tests, which mostly wait."""
    processors = os.cpu_count() or 1
    return processors + 1 if config.getoption("markexpr").startswith("not slow") else 2 * processors


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the whole product by their folders."""
    for item in items:
        if item.nodeid.startswith(("tests/browser/", "tests/e2e/", "tests/faults/")):
            item.add_marker(pytest.mark.whole)


@pytest.fixture(scope="session", autouse=True)
def authorities_read_once() -> Iterator[None]:
    """Cache the certificate authorities of httpx, which takes 30 ms to read them for each client."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("httpx._transports.default.create_ssl_context", functools.cache(httpx.create_ssl_context))
        yield


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Run tests that are coroutines on asyncio, as the edge does."""
    return "asyncio"


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that all workers of this test run share."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


@pytest.fixture(scope="session")
def postgresql_url(run_folder: Path) -> str:
    """Return the URL of the run's PostgreSQL server; each test has a database of its own on it."""
    return shared_postgresql(run_folder)


@pytest.fixture(scope="session")
def stack(run_folder: Path) -> RunningStack:
    """Return the local stack that tests of all workers share: each has users and projects of its own, none kills it."""
    return shared_local_stack(run_folder)


@pytest.fixture(scope="session")
def recycled_databases(postgresql_url: str, run_folder: Path) -> Iterator[RecycledDatabases]:
    """Return the databases that the tests of this worker use one after the other."""
    databases = RecycledDatabases(FreshDatabases(postgresql_url, run_folder))
    yield databases
    databases.close()


@pytest.fixture
def database_url(recycled_databases: RecycledDatabases) -> Iterator[str]:
    """Return the URL of a database of this test, with the current schema."""
    with recycled_databases.database() as url:
        yield url


@pytest.fixture
def empty_database_url(postgresql_url: str, run_folder: Path) -> Iterator[str]:
    """Return the URL of a database of this test, without tables."""
    with FreshDatabases(postgresql_url, run_folder).empty() as url:
        yield url


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Return the Valkey server of this worker; a test that kills it uses `private_redis_server` instead."""
    with own_valkey(tmp_path_factory.mktemp("valkey")) as server:
        yield server


@pytest.fixture
def redis_url(redis_server: RunningServer) -> str:
    """Return the URL of the worker's Valkey server, emptied for this test."""
    with redis.Redis.from_url(redis_server.url) as client:
        client.flushall()
    return redis_server.url


@pytest.fixture
def private_redis_server(tmp_path: Path) -> Iterator[RunningServer]:
    """Return a Valkey server of this test, which it may kill and start again."""
    with own_valkey(tmp_path / "valkey") as server:
        yield server


@pytest.fixture
def master_key() -> str:
    """Return a random master key in base64."""
    return base64.b64encode(secrets.token_bytes(32)).decode()
