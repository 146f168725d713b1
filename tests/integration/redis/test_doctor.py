"""The doctor on a Redis Cluster."""

from pathlib import Path

import pytest
import redis
from pydantic import SecretStr

from cli.doctor.checks.clocks import check_clocks
from cli.doctor.checks.events import check_event_streams
from cli.doctor.checks.publishing import check_snapshots
from cli.doctor.checks.redis_server import check_event_replicas, check_redis
from cli.doctor.installation import Installation
from cli.doctor.result import Level
from cli.settings import CommandSettings


@pytest.fixture
def installation(database_url: str, redis_url: str, tmp_path: Path) -> Installation:
    """Return an installation on the Cluster, without processes."""
    settings = CommandSettings(database_url=SecretStr(database_url), redis_url=SecretStr(redis_url), state_dir=tmp_path)
    return Installation(settings)


def test_every_master_of_a_cluster_is_checked(installation: Installation, redis_client: redis.Redis) -> None:
    assert redis_client.ping()
    found = [result.level for result in check_redis(installation)]
    assert found == [Level.OK] * 9
    assert [result.level for result in check_clocks(installation)] == [Level.OK] * 2
    assert [result.level for result in check_event_streams(installation)] == [Level.ERROR]
    assert [result.level for result in check_snapshots(installation)] == [Level.ERROR, Level.OK]


def test_missing_replicas_are_wrong(installation: Installation) -> None:
    # The default with a Cluster is 1, and two of the masters of this one have no replica.
    [result] = check_event_replicas(installation)
    assert (result.level, "a master has 0" in result.message) == (
        Level.ERROR,
        True,
    )


def test_explicit_zero_replicas_is_a_warning(installation: Installation) -> None:
    settings = installation.settings.model_copy(update={"edge_event_replicas": 0})
    [result] = check_event_replicas(Installation(settings))
    assert (result.level, "ONBOARDING_EDGE_EVENT_REPLICAS is 0" in result.message) == (Level.WARNING, True)
