"""The doctor on a Redis Cluster."""

from pathlib import Path

import pytest
import redis
from pydantic import SecretStr

from cli.doctor.checks.clocks import check_clocks
from cli.doctor.checks.events import check_event_streams
from cli.doctor.checks.publishing import check_snapshots
from cli.doctor.checks.redis_server import check_event_replicas, check_redis
from cli.doctor.finding import Level
from cli.doctor.installation import Installation
from deploy.local.settings import StackSettings


@pytest.fixture
def installation(database_url: str, redis_url: str, tmp_path: Path) -> Installation:
    """Return an installation on the Cluster, without processes."""
    settings = StackSettings(database_url=SecretStr(database_url), redis_url=SecretStr(redis_url), state_dir=tmp_path)
    return Installation(settings)


def test_every_master_of_a_cluster_is_checked(installation: Installation, redis_client: redis.Redis) -> None:
    assert redis_client.ping()
    found = [finding.level for finding in check_redis(installation)]
    assert found == [Level.WELL] * 9
    assert [finding.level for finding in check_clocks(installation)] == [Level.WELL] * 2
    assert [finding.level for finding in check_event_streams(installation)] == [Level.WRONG]
    assert [finding.level for finding in check_snapshots(installation)] == [Level.WRONG, Level.WELL]


def test_missing_replicas_are_wrong(installation: Installation) -> None:
    # The default with a Cluster is 1, and two of the masters of this one have no replica.
    [finding] = check_event_replicas(installation)
    assert (finding.level, "a master has 0" in finding.sentence) == (
        Level.WRONG,
        True,
    )


def test_explicit_zero_replicas_is_a_warning(installation: Installation) -> None:
    settings = installation.settings.model_copy(update={"edge_event_replicas": 0})
    [finding] = check_event_replicas(Installation(settings))
    assert (finding.level, "ONBOARDING_EDGE_EVENT_REPLICAS is 0" in finding.sentence) == (Level.WARNING, True)
