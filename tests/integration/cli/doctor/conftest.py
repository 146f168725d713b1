"""An installation on the servers of the test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from pydantic import SecretStr

from cli.doctor.installation import Installation
from cli.settings import CommandSettings


@pytest.fixture
def installation(database_url: str, redis_url: str, master_key: str, tmp_path: Path) -> Installation:
    """Return an installation with both servers and no process."""
    settings = CommandSettings(
        database_url=SecretStr(database_url),
        redis_url=SecretStr(redis_url),
        master_key=SecretStr(master_key),
        state_dir=tmp_path,
    )
    return Installation(settings)


@pytest.fixture
def redis_client(redis_url: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(redis_url, protocol=2) as client:
        yield client
