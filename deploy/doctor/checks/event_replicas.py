"""Whether a failover of Redis can lose acknowledged events."""

from collections.abc import Iterator
from typing import Any

from common.redis.connect import primaries
from common.settings.types import can_fail_over
from deploy.doctor.finding import Finding, warning, well, wrong
from deploy.doctor.installation import Installation


def check_event_replicas(installation: Installation) -> Iterator[Finding]:
    """Compare the number of replicas that events wait for, as this environment sets it, with the replicas there are."""
    wanted = installation.settings.edge_event_replicas
    with installation.redis() as client:
        replicas = [_connected_replicas(server.info("replication")) for server in primaries(client)]
    fewest = min(replicas)
    if fewest < wanted:
        yield wrong(
            f"Events wait for {wanted} of the replicas of Redis, a master has {fewest}: its events go to the spool.",
            "Connect the missing replicas; if none are wanted, set ONBOARDING_EDGE_EVENT_REPLICAS=0 for the edges.",
        )
    elif can_fail_over(installation.settings.redis_url) and not wanted:
        yield warning(
            "A failover of Redis can lose acknowledged events: ONBOARDING_EDGE_EVENT_REPLICAS is 0.",
            "Remove the setting, and give each master two replicas: events then wait for one of them.",
        )
    elif wanted:
        yield well(f"Events wait for {wanted} of the replicas of Redis, and every master has {fewest} or more.")
    else:
        yield well("Redis is one server: nothing fails over.")


def _connected_replicas(info: Any) -> int:  # noqa: ANN401 - redis-py's type of a reply
    return int(info["connected_slaves"])
