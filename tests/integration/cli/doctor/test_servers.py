"""The doctor on PostgreSQL and Redis."""

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlsplit

import psycopg
import pytest
import redis
from pydantic import SecretStr

from cli.doctor.checks.clocks import check_clocks
from cli.doctor.checks.postgresql import check_connections, check_postgresql
from cli.doctor.checks.publishing import check_snapshots
from cli.doctor.checks.redis_server import check_event_replicas, check_redis
from cli.doctor.installation import Installation, UnreachableError
from cli.doctor.result import Level
from tests.integration.cli.doctor.results import results_of
from tests.support.polling import eventually
from tests.support.servers.running_server import RunningServer

_NOBODY = "127.0.0.1:1"


@pytest.fixture
def away(installation: Installation) -> Installation:
    settings = installation.settings.model_copy(
        update={
            "database_url": SecretStr(f"postgresql://somebody:s3cret@{_NOBODY}/nothing"),
            "redis_url": SecretStr(f"redis://:s3cret@{_NOBODY}/0"),
        }
    )
    return replace(installation, settings=settings)


@pytest.fixture
def own_redis(installation: Installation, private_redis_server: RunningServer) -> Iterator[redis.Redis]:
    """Return a client of the Redis of `on_own_redis`, for tests that change its configuration."""
    assert installation
    with redis.Redis.from_url(private_redis_server.url) as client:
        yield client


@pytest.fixture
def on_own_redis(installation: Installation, private_redis_server: RunningServer) -> Installation:
    """Return the installation with a Redis of this test only."""
    url = SecretStr(private_redis_server.url)
    return replace(installation, settings=installation.settings.model_copy(update={"redis_url": url}))


def test_healthy_servers_are_well(installation: Installation) -> None:
    assert [level for level, _ in results_of(check_postgresql, installation)] == [Level.OK] * 2
    assert [level for level, _ in results_of(check_redis, installation)] == [Level.OK] * 3
    assert [level for level, _ in results_of(check_clocks, installation)] == [Level.OK] * 2
    assert results_of(check_event_replicas, installation) == [(Level.OK, "Redis is one server: nothing fails over.")]


def test_unreachable_server_is_wrong_once_and_unchecked_by_other_checks(away: Installation) -> None:
    [(level, sentence)] = results_of(check_postgresql, away)
    assert (level, sentence.startswith("PostgreSQL cannot be queried: ")) == (Level.ERROR, True)
    [(level, sentence_on_redis)] = results_of(check_redis, away)
    assert (level, sentence_on_redis.startswith("Redis cannot be queried: ")) == (Level.ERROR, True)
    assert "s3cret" not in sentence + sentence_on_redis
    with pytest.raises(UnreachableError, match="PostgreSQL cannot be queried"):
        results_of(check_snapshots, away)


def test_missing_database_url_is_wrong(installation: Installation) -> None:
    nowhere = replace(installation, settings=installation.settings.model_copy(update={"database_url": None}))
    [(level, sentence)] = results_of(check_postgresql, nowhere)
    assert (level, sentence.startswith("ONBOARDING_DATABASE_URL is not set")) == (Level.ERROR, True)


def test_database_without_the_schema_is_wrong(installation: Installation, empty_database_url: str) -> None:
    url = SecretStr(empty_database_url)
    empty = replace(installation, settings=installation.settings.model_copy(update={"database_url": url}))
    assert [level for level, _ in results_of(check_postgresql, empty)] == [Level.OK, Level.ERROR]
    with pytest.raises(UnreachableError, match="does not have the tables"):
        results_of(check_snapshots, empty)


def test_nearly_exhausted_connections_are_wrong(installation: Installation, database_url: str) -> None:
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {connection.info.dbname} CONNECTION LIMIT 2")
        *_, (level, sentence) = results_of(check_connections, installation)
        assert (level, sentence) == (Level.ERROR, "2 of the 2 connections of the database are taken.")
        connection.execute(f"ALTER DATABASE {connection.info.dbname} CONNECTION LIMIT 20")
        *_, (level, _) = results_of(check_connections, installation)
        assert level is Level.OK


def test_redis_that_is_not_durable_is_wrong(own_redis: redis.Redis, on_own_redis: Installation) -> None:
    own_redis.config_set("appendfsync", "everysec")
    own_redis.config_set("maxmemory-policy", "allkeys-lru")
    wrongs = [sentence for level, sentence in results_of(check_redis, on_own_redis) if level is Level.ERROR]
    assert [sentence.partition(". ")[0] for sentence in wrongs] == [
        "Redis has `maxmemory-policy allkeys-lru`",
        "Redis has `appendfsync everysec`",
    ]


def test_nearly_full_redis_is_a_warning_and_full_wrong(own_redis: redis.Redis, on_own_redis: Installation) -> None:
    # So much that what connections take does not matter; and made there, so that it is in no buffer besides.
    own_redis.setrange("much", 16 * 1024 * 1024 - 1, b"x")
    used: int = own_redis.info("memory")["used_memory"]
    for most, expected in ((used * 10, Level.OK), (int(used * 1.2), Level.WARNING), (used, Level.ERROR)):
        own_redis.config_set("maxmemory", most)
        assert results_of(check_redis, on_own_redis)[-1][0] is expected


def test_redis_without_config_get_is_unchecked(own_redis: redis.Redis, on_own_redis: Installation) -> None:
    own_redis.acl_setuser("default", enabled=True, commands=["-config"])
    assert Level.NOT_CHECKED in [level for level, _ in results_of(check_redis, on_own_redis)]


@pytest.mark.parametrize(("off", "expected"), [(15, Level.WARNING), (-65, Level.ERROR)])
def test_different_clocks_are_reported(
    installation: Installation, monkeypatch: pytest.MonkeyPatch, off: int, expected: Level
) -> None:
    here = time.time
    monkeypatch.setattr(time, "time", lambda: here() + off)
    found = results_of(check_clocks, installation)
    assert [level for level, _ in found] == [expected] * 2
    for name, (_, sentence) in zip(("PostgreSQL", "Redis"), found, strict=True):
        # A slow machine reads its own clock a little later.
        assert re.fullmatch(rf"The clock of {name} is {str(abs(off))[0]}\d s off this machine's\.", sentence)


def test_connected_replicas_are_counted(
    installation: Installation, on_own_redis: Installation, private_redis_server: RunningServer
) -> None:
    master = urlsplit(private_redis_server.url)
    settings = on_own_redis.settings.model_copy(update={"edge_event_replicas": 1})
    on_master = replace(on_own_redis, settings=settings)
    assert [level for level, _ in results_of(check_event_replicas, on_master)] == [Level.ERROR]
    with redis.Redis.from_url(installation.redis_url) as replica:
        replica.config_set("masterauth", str(master.password))
        replica.replicaof(str(master.hostname), str(master.port))
        try:
            eventually(lambda: [level for level, _ in results_of(check_event_replicas, on_master)] == [Level.OK])
        finally:
            replica.replicaof("NO", "ONE")
