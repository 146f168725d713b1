"""Edge workers, Redis, PostgreSQL and consumers are killed at random while clients post: each event counts once.

The oracle is the log of the clients. `SOAK_EVENTS` and `SOAK_CONSUMERS` make it long.
"""

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deploy.local.running_stack import LocalStack
from deploy.local.service_processes import Connections
from tests.support.faults.random_kills import kill_a_worker, random_kills
from tests.support.faults.retrying_clients import ClientLog, RetryingClients
from tests.support.faults.second_consumers import SecondConsumers
from tests.support.faults.stored_events import differing_rollups, flow_of, stored_count, stored_ids, waiting
from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack
from tests.support.soak import report, soak_setting

pytestmark = pytest.mark.slow

EVENTS = soak_setting("EVENTS", 3000, 200_000)
#: Beside the stack's own.
MORE_CONSUMERS = soak_setting("CONSUMERS", 3, 3) - 1
#: Of each victim, however long the events take.
KILLS = 2
#: For the slowest machine: the consequences of the kills, and then the events at 100 a second.
DRAIN_SECONDS = 60 + EVENTS / 100
RECLAIM = {"ONBOARDING_CONSUMER_RECLAIM_AFTER_MS": "1000"}


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[RunningStack]:
    """Start a stack with its own servers, two edge workers and a spool."""
    spool = {"ONBOARDING_EDGE_SPOOL_FOLDER": str(tmp_path / "spool"), "ONBOARDING_EDGE_WORKERS": "2"}
    with RunningStack(tmp_path, {**spool, **RECLAIM}) as stack:
        yield stack


@pytest.fixture
def addresses(stack: RunningStack) -> Connections:
    """Return the addresses of the stack's servers, which a restart keeps."""
    found = LocalStack(stack.state_folder)
    return Connections(database_url=found.database_url or "", redis_url=found.redis_url or "")


@pytest.mark.timeout(300 + EVENTS / 50)
def test_acknowledged_events_are_counted_once_under_kills(
    stack: RunningStack, addresses: Connections, tmp_path: Path
) -> None:
    demo = stack.demo
    keys = {"X-Project-Id": demo["project_id"], "X-Secret-Key": demo["secret_key"]}
    flow_id = flow_of(stack.edge_url, keys)
    clients = RetryingClients(stack.edge_url, keys, flow_id, screens=["screen_a", "screen_b", "screen_c"])
    environment = {
        "ONBOARDING_DATABASE_URL": addresses.database_url,
        "ONBOARDING_REDIS_URL": addresses.redis_url,
        **RECLAIM,
    }
    begun = time.monotonic()
    with SecondConsumers(MORE_CONSUMERS, environment, tmp_path / "consumers.log") as consumers:
        victims: dict[str, Callable[[], object]] = {
            "edge worker": lambda: kill_a_worker(stack, "edge"),
            "consumer": lambda: stack.kill("consumer"),
            "another consumer": consumers.kill_one,
            "valkey": lambda: stack.kill("valkey"),
            "postgresql": lambda: stack.kill("postgresql"),
        }
        log = ClientLog()
        with random_kills(victims, seed=random.randrange(1000)) as kills:
            while len(log.acknowledged) < EVENTS or min(kills[name] for name in victims) < KILLS:
                log.add(clients.post(max(EVENTS - len(log.acknowledged), 300)))
        eventually(lambda: stored_count(addresses, demo["project_id"]) >= len(log.acknowledged), within=DRAIN_SECONDS)
        eventually(lambda: waiting(addresses.redis_url) == 0, within=60)
        eventually(lambda: differing_rollups(addresses) == [], within=60)
        seconds = time.monotonic() - begun
    assert stored_ids(addresses, demo["project_id"]) == log.acknowledged
    report(
        "events under kills",
        {
            "acknowledged": len(log.acknowledged),
            "sent again": log.repeated,
            "posts": log.posts,
            "failed posts": log.failed_posts,
            "kills": dict(kills),
            "missing": 0,
            "twice": 0,
            "seconds": round(seconds),
        },
    )
