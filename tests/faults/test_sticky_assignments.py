"""Devices stay in their variants through changed weights, restarts and the loss of Redis' data.

The expected variants are computed by the contract's formula, bucket by bucket. `SOAK_DEVICES` is their number.
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
from publisher.main import rebuild_all
from publisher.settings import PublisherSettings
from tests.e2e.api_clients import Dashboard, Phone
from tests.support.faults.device_clients import DeviceClients, Resolution
from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack
from tests.support.servers.running_server import RunningServer
from tests.support.soak import report, soak_setting

pytestmark = pytest.mark.slow

DEVICES = [f"device-{number}" for number in range(soak_setting("DEVICES", 2000, 100_000))]
OTHERS = [f"another-{number}" for number in range(len(DEVICES))]
#: The number of devices in checks that need only some of them.
SAMPLE_SIZE = 500
#: The probability that a correct split fails the test.
FALSE_ALARM_PROBABILITY = 1e-6


@pytest.fixture
def servers(database_url: str, private_redis_server: RunningServer, master_key: str) -> dict[str, str]:
    """Return the settings with the URLs of the servers, which outlive the stack."""
    return {
        "database_url": database_url,
        "redis_url": private_redis_server.url,
        "master_key": master_key,
    }


@pytest.fixture
def stack(servers: Mapping[str, str], tmp_path: Path) -> Iterator[RunningStack]:
    """Return a stack on these servers, without exposures, whose storing would take most of the time."""
    settings = {f"ONBOARDING_{name.upper()}": value for name, value in servers.items()}
    with RunningStack(tmp_path, {**settings, "ONBOARDING_RECORD_EXPOSURES": "false"}) as running:
        yield running


class Halves:
    """An experiment with equal weights between two flows of a new project, and its devices."""

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
        self.crowd = DeviceClients(int(stack.ports["EDGE_PORT"]), project_id, key)

    def act(self, verb: str) -> None:
        """Start or pause the experiment, and wait until the edge has the change."""
        self._dashboard.post(f"/experiments/{self.id}/{verb}", {})
        self.wait(lambda shown: shown["status"] == ("running" if verb == "start" else "paused"))

    def put(self, change: dict[str, Any], is_there: Callable[[dict[str, Any]], bool]) -> None:
        """Change the experiment, and wait until the edge has the change."""
        self._dashboard.put(f"/experiments/{self.id}", change)
        self.wait(is_there)

    def set_weights(self, *weights: int) -> None:
        first = weights[0]
        self.put({"variants": self._variants(*weights)}, lambda shown: bool(shown["variants"][0]["weight"] == first))

    def wait(self, is_there: Callable[[dict[str, Any]], bool]) -> None:
        """Wait until the edge's configuration has the experiment in the given state."""
        eventually(lambda: any(map(is_there, self._phone.config().json()["experiments"])), within=30)

    def bucket(self, share: str, device: str, version: int = 1) -> int:
        """Return the device's bucket of the traffic or of the variants."""
        return bucket_of(f"{self.id}:{share}:{version}", device)

    def _variants(self, *weights: int) -> list[dict[str, Any]]:
        return [
            {"key": key, "name": key, "flow_id": self.flow_of[key], "weight": weight, "is_control": key == "a"}
            for key, weight in zip("ab", weights, strict=True)
        ]


def variants(resolutions: Mapping[str, Resolution]) -> dict[str, str | None]:
    return {device: resolution.variant for device, resolution in resolutions.items()}


def tokens(resolutions: Mapping[str, Resolution]) -> dict[str, str | None]:
    return {device: resolution.token for device, resolution in resolutions.items()}


def owners(experiment: Halves, devices: list[str], border: int, version: int = 1) -> dict[str, str | None]:
    """Return the variant of each device when the buckets below the border belong to variant a."""
    return {device: "a" if experiment.bucket("variant", device, version) < border else "b" for device in devices}


def restart_everything(stack: RunningStack, servers: Mapping[str, str], redis_server: RunningServer) -> None:
    """Stop all processes, delete the data of Redis, restore it from PostgreSQL, and start all processes."""
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
    assert rebuild_all(settings, lambda _done, _total: None) > 0
    stack.start()


@pytest.mark.timeout(240 + len(DEVICES) / 20)
def test_devices_with_tokens_keep_variants_and_others_move_minimally(
    http: httpx.Client, stack: RunningStack, servers: Mapping[str, str], private_redis_server: RunningServer
) -> None:
    experiment = Halves(http, stack)
    experiment.act("start")

    sample = DEVICES[:SAMPLE_SIZE]
    inside = {device for device in sample if experiment.bucket("traffic", device) < 6_000}
    early = experiment.crowd.resolve(sample)
    assert {device for device, resolution in early.items() if resolution.variant} == inside
    assert {resolution.flow_id for device, resolution in early.items() if device not in inside} == {
        experiment.flow_of[None]
    }

    # More traffic moves no device of the experiment, with or without a token.
    experiment.put({"traffic_percentage": 100}, lambda shown: bool(shown["trafficPercentage"] == 100))
    first = experiment.crowd.resolve(DEVICES)
    assert variants(first) == owners(experiment, DEVICES, 5_000)
    assert all(first[device].variant == early[device].variant for device in inside)
    assert all(resolution.flow_id == experiment.flow_of[resolution.variant] for resolution in first.values())

    experiment.set_weights(10, 90)
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
    counts = Counter(resolution.variant for resolution in new.values())
    # The import takes half a second, which other test processes save.
    split = import_module("scipy.stats").chisquare([counts["a"], counts["b"]], [len(OTHERS) * 0.1, len(OTHERS) * 0.9])
    assert split.pvalue > FALSE_ALARM_PROBABILITY

    experiment.act("pause")
    assert variants(experiment.crowd.resolve(sample, tokens(kept))) == variants(
        {device: first[device] for device in sample}
    )
    assert {resolution.source for resolution in experiment.crowd.resolve(sample).values()} == {"default"}

    # After a reset the former tokens are invalid, and the new ones keep the devices in their variants.
    experiment.act("start")
    experiment.put({"reset_assignments": True}, lambda shown: shown["variantSalt"].endswith(":2"))
    reassigned = experiment.crowd.resolve(sample, tokens(kept))
    assert variants(reassigned) == owners(experiment, sample, 1_000, version=2)
    experiment.set_weights(50, 50)
    assert variants(experiment.crowd.resolve(sample, tokens(reassigned))) == variants(reassigned)

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
