"""The fixtures that other tests stand on."""

import psycopg
import redis
from pydantic import SecretStr

from common.settings.shared import DatabaseSettings
from management_api.db.engine import make_engine
from management_api.db.migrate import is_current
from tests.support.servers.running_server import RunningServer


def test_empty_database_has_no_table(empty_database_url: str) -> None:
    with psycopg.connect(empty_database_url) as connection:
        found = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
    assert found == (0,)


def test_database_has_the_current_schema(database_url: str) -> None:
    engine = make_engine(DatabaseSettings(database_url=SecretStr(database_url)))
    with engine.connect() as connection:
        assert is_current(connection)
    engine.dispose()


def test_redis_is_durable_and_empty(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url, decode_responses=True) as client:
        assert client.dbsize() == 0
        assert client.config_get("appendfsync") == {"appendfsync": "always"}
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}


def test_killed_redis_comes_back_with_its_data_at_the_same_url(private_redis_server: RunningServer) -> None:
    url = private_redis_server.url
    with redis.Redis.from_url(url, decode_responses=True) as client:
        client.set("greeting", "hello")
    private_redis_server.kill()
    private_redis_server.start()
    assert private_redis_server.url == url
    with redis.Redis.from_url(url, decode_responses=True) as client:
        assert client.get("greeting") == "hello"
