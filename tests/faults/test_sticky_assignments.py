"""Devices stay in their variants through changed weights, restarts and the loss of Redis; `SOAK_DEVICES` says how many.

Which device belongs where is computed from the contract's formula, bucket by bucket, so that not one may be off.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis
from pydantic import SecretStr

from common.rules.bucketing import bucket_of
from publisher.republish import republish_all
from publisher.settings import PublisherSettings
from tests.faults.crowd_of_devices import CrowdOfDevices, Given
from tests.faults.soak import report, soaked
from tests.journey.visitors import Dashboard, Phone
from tests.polling import eventually
from tests.running_server import RunningServer
from tests.stack import RunningStack

DEVICES = [f"device-{number}" for number in range(soaked("DEVICES", 2000))]
OTHERS = [f"another-{number}" for number in range(len(DEVICES))]
#: What is asked of single devices only is asked of so many.
SOME = 500
#: A split that is as it should be is taken for a wrong one once in so many runs.
UNLIKELY = 1e-6


@pytest.fixture
def servers(database_url: str, private_redis_server: RunningServer, master_key: str) -> dict[str, str]:
    """Give the settings that name the servers, which outlive the stack."""
    return {
        "database_url": database_url,
        "redis_url": private_redis_server.url,
        "master_key": master_key,
    }


@pytest.fixture
def stack(servers: Mapping[str, str], tmp_path: Path) -> Iterator[RunningStack]:
    """Give a stack on these servers. Exposures are not what this is about, and storing them takes the longest."""
    settings = {f"ONBOARDING_{name.upper()}": value for name, value in servers.items()}
    with RunningStack(tmp_path, {**settings, "ONBOARDING_RECORD_EXPOSURES": "false"}) as running:
        yield running


class Halves:
    """An experiment half and half between two flows of a new project, and everyone who takes part in it."""

    def __init__(self, http: httpx.Client, stack: RunningStack) -> None:
        self._dashboard = Dashboard(http, stack.management_url, stack.token("owner@example.com"))
        project_id = self._dashboard.post("/projects", {"name": "Sticky"})["id"]
        key = self._dashboard.get(f"/projects/{project_id}/api-keys")["secret_keys"][0]["secret_key"]
        default, *flows = [
            self._dashboard.post("/flows", {"projectId": project_id, "name": "Flow", "status": status, **more})["id"]
            for status, more in [("active", {"is_default": True}), ("draft", {}), ("draft", {})]
        ]
        self.flow_of = {None: default, "a": flows[0], "b": flows[1]}
        body = {"projectId": project_id, "name": "Halves", "traffic_percentage": 60, "variants": self._variants(50, 50)}
        self.id = self._dashboard.post("/experiments", body)["id"]
        self._phone = Phone(http, stack.edge_url, project_id, key)
        self.crowd = CrowdOfDevices(int(stack.ports["EDGE_PORT"]), project_id, key)

    def act(self, verb: str) -> None:
        """Start or pause it, and wait until the edge knows."""
        self._dashboard.post(f"/experiments/{self.id}/{verb}", {})
        self.wait(lambda shown: shown["status"] == ("running" if verb == "start" else "paused"))

    def put(self, change: dict[str, Any], is_there: Callable[[dict[str, Any]], bool]) -> None:
        """Change it, and wait until the edge knows."""
        self._dashboard.put(f"/experiments/{self.id}", change)
        self.wait(is_there)

    def weigh(self, *weights: int) -> None:
        """Give the variants other weights."""
        first = weights[0]
        self.put({"variants": self._variants(*weights)}, lambda shown: bool(shown["variants"][0]["weight"] == first))

    def wait(self, is_there: Callable[[dict[str, Any]], bool]) -> None:
        """Wait until the edge's configuration has the experiment in such a shape."""
        eventually(lambda: any(map(is_there, self._phone.config().json()["experiments"])), within=30)

    def bucket(self, share: str, device: str, version: int = 1) -> int:
        """Give the device's bucket of the traffic or of the variants."""
        return bucket_of(f"{self.id}:{share}:{version}", device)

    def _variants(self, *weights: int) -> list[dict[str, Any]]:
        return [
            {"key": key, "name": key, "flow_id": self.flow_of[key], "weight": weight, "is_control": key == "a"}
            for key, weight in zip("ab", weights, strict=True)
        ]


def variants(given: Mapping[str, Given]) -> dict[str, str | None]:
    return {device: one.variant for device, one in given.items()}


def tokens(given: Mapping[str, Given]) -> dict[str, str | None]:
    return {device: one.token for device, one in given.items()}


def owners(experiment: Halves, devices: list[str], border: int, version: int = 1) -> dict[str, str | None]:
    """Say which variant each device belongs to when the first so many buckets are those of a."""
    return {device: "a" if experiment.bucket("variant", device, version) < border else "b" for device in devices}


def restart_everything(stack: RunningStack, servers: Mapping[str, str], redis_server: RunningServer) -> None:
    """Stop all, let Redis lose all that it has, restore it from PostgreSQL, and start all."""
    stack.stop()
    redis_server.kill()
    redis_server.start()
    with redis.Redis.from_url(servers["redis_url"]) as client:
        client.flushall()
    settings = PublisherSettings(
        database_url=SecretStr(servers["database_url"]),
        redis_url=SecretStr(servers["redis_url"]),
        master_key=SecretStr(servers["master_key"]),
    )
    assert republish_all(settings, lambda _done, _total: None) > 0
    stack.start()


@pytest.mark.timeout(240 + len(DEVICES) / 20)
def test_nobody_leaves_a_variant_and_no_more_move_than_must(
    http: httpx.Client, stack: RunningStack, servers: Mapping[str, str], private_redis_server: RunningServer
) -> None:
    experiment = Halves(http, stack)
    experiment.act("start")

    some = DEVICES[:SOME]
    inside = {device for device in some if experiment.bucket("traffic", device) < 6_000}
    early = experiment.crowd.resolve(some)
    assert {device for device, one in early.items() if one.variant} == inside
    assert {one.flow_id for device, one in early.items() if device not in inside} == {experiment.flow_of[None]}

    # More traffic moves nobody who is in, with or without a token.
    experiment.put({"traffic_percentage": 100}, lambda shown: bool(shown["trafficPercentage"] == 100))
    first = experiment.crowd.resolve(DEVICES)
    assert variants(first) == owners(experiment, DEVICES, 5_000)
    assert all(first[device].variant == early[device].variant for device in inside)
    assert all(one.flow_id == experiment.flow_of[one.variant] for one in first.values())

    experiment.weigh(10, 90)
    restart_everything(stack, servers, private_redis_server)
    experiment.wait(lambda shown: bool(shown["variants"][0]["weight"] == 10))

    kept = experiment.crowd.resolve(DEVICES, tokens(first))
    flips = sum(kept[device].variant != first[device].variant for device in DEVICES)
    assert flips == 0

    without = experiment.crowd.resolve(DEVICES)
    moved = {device for device in DEVICES if without[device].variant != first[device].variant}
    assert moved == {device for device in DEVICES if 1_000 <= experiment.bucket("variant", device) < 5_000}
    assert {without[device].variant for device in moved} == {"b"}

    new = experiment.crowd.resolve(OTHERS)
    counts = Counter(one.variant for one in new.values())
    # To import it takes half a second, which is not for every worker to spend.
    split = import_module("scipy.stats").chisquare([counts["a"], counts["b"]], [len(OTHERS) * 0.1, len(OTHERS) * 0.9])
    assert split.pvalue > UNLIKELY

    experiment.act("pause")
    assert variants(experiment.crowd.resolve(some, tokens(kept))) == variants({one: first[one] for one in some})
    assert {one.source for one in experiment.crowd.resolve(some).values()} == {"default"}

    # Assigned anew once: the old tokens are void, and the new ones keep.
    experiment.act("start")
    experiment.put({"reset_assignments": True}, lambda shown: shown["variantSalt"].endswith(":2"))
    anew = experiment.crowd.resolve(some, tokens(kept))
    assert variants(anew) == owners(experiment, some, 1_000, version=2)
    experiment.weigh(50, 50)
    assert variants(experiment.crowd.resolve(some, tokens(anew))) == variants(anew)

    report(
        "half and half to 10/90, restarted, Redis lost",
        {
            "devices": len(DEVICES),
            "flips with tokens": flips,
            "moved without": len(moved),
            "expected": f"{len(DEVICES) * 0.4:.0f}",
            "new ones in a": counts["a"],
            "in b": counts["b"],
            "p of 10/90": f"{split.pvalue:.3f}",
        },
    )
