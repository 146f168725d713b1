"""The vectors that SDKs are tested with: the service keeps to them, and so does who has read docs/bucketing.md only."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from common.json_body import convert_object
from common.rules.bucketing import bucket_of, traffic_salt, variant_salt
from common.rules.conditions import Condition, all_hold, compile_conditions, condition_problem
from common.rules.project_rules import Choice, Experiment, ProjectRules, TargetedFlow, VariantAllocation
from common.rules.resolution import Device, choose
from common.rules.versions import parse_version
from common.wire.public_bodies import ResolveBody
from tests.offline_sdk import matching, versions
from tests.offline_sdk.buckets import bucket, is_inside, murmur3
from tests.offline_sdk.deciding import decide, variant_of

VECTORS: dict[str, list[Any]] = json.loads((Path(__file__).parents[4] / "docs/bucketing-vectors.json").read_text())


def each(kind: str) -> pytest.MarkDecorator:
    """Run a test once for each vector of that kind."""
    return pytest.mark.parametrize("vector", VECTORS[kind], ids=range(len(VECTORS[kind])))


@each("buckets")
def test_a_bucket(vector: dict[str, Any]) -> None:
    salt, device_id = vector["salt"], vector["deviceId"]
    assert murmur3(f"{salt}:{device_id}".encode()) == vector["hash"]
    assert bucket(salt, device_id) == bucket_of(salt, device_id) == vector["bucket"]


@each("salts")
def test_the_salts_of_an_experiment(vector: dict[str, Any]) -> None:
    assert traffic_salt(vector["experimentId"], vector["saltVersion"]) == vector["trafficSalt"]
    assert variant_salt(vector["experimentId"], vector["saltVersion"]) == vector["variantSalt"]


@each("rollouts")
def test_a_rollout(vector: dict[str, Any]) -> None:
    flow_id, percentage = vector["flowId"], vector["percentage"]
    for device in vector["devices"]:
        assert is_inside(flow_id, percentage, device["deviceId"]) is device["inside"]
        assert (bucket_of(flow_id, device["deviceId"]) < round(percentage * 100)) is device["inside"]


@each("variants")
def test_the_variant_of_a_bucket(vector: dict[str, Any]) -> None:
    experiment = Experiment.of(
        "exp_1",
        is_paused=False,
        conditions=(),
        traffic_buckets=10_000,
        salt_version=1,
        variants=[
            VariantAllocation(one["key"], "flow", [(start, end) for start, end in one["ranges"]])
            for one in vector["variants"]
        ],
    )
    for device in vector["devices"]:
        assert variant_of(vector, device["deviceId"])["key"] == device["variant"]
        _, _, choice = experiment.chosen_for(device["deviceId"])
        assert isinstance(choice, Choice)
        assert choice.assignment is not None
        assert choice.assignment.variant == device["variant"]


@each("versions")
def test_the_order_of_two_versions(vector: dict[str, Any]) -> None:
    one, other = parse_version(vector["one"]), parse_version(vector["other"])
    assert one is not None
    assert other is not None
    assert (one > other) - (one < other) == vector["order"]
    assert versions.order(vector["one"], vector["other"]) == vector["order"]


@each("notVersions")
def test_what_is_no_version(vector: str) -> None:
    assert parse_version(vector) is None
    assert versions.order(vector, vector) is None


@each("conditions")
def test_a_condition(vector: dict[str, Any]) -> None:
    condition = msgspec.convert(vector["condition"], Condition)
    assert condition_problem(condition) is None
    device = Device.of(convert_object(vector["device"], ResolveBody))
    assert all_hold(compile_conditions([condition]), device.attributes) is vector["holds"]
    assert matching.holds(vector["condition"], vector["device"]) is vector["holds"]


@each("decisions")
def test_decision_follows_the_order_of_the_rules(vector: dict[str, Any]) -> None:
    config = vector["config"]
    rules = ProjectRules(
        platforms=tuple(config["settings"]["platforms"]),
        overrides={},
        experiments=(),
        flows=tuple(
            TargetedFlow(
                flow["id"],
                round(flow["targeting"]["percentage"] * 100),
                compile_conditions(msgspec.convert(flow["targeting"]["conditions"], list[Condition])),
            )
            for flow in config["flows"]
            if flow["status"] == "active" and not flow["isDefault"]
        ),
        default_flow_id=next((flow["id"] for flow in config["flows"] if flow["isDefault"]), None),
    )
    for example in vector["devices"]:
        expected = None if example["flowId"] is None else (example["flowId"], example["source"])
        decision = decide(config, example["device"])
        choice = choose(rules, Device.of(convert_object(example["device"], ResolveBody)))
        assert (decision and (decision.flow_id, decision.source)) == expected
        assert (choice and (choice.flow_id, choice.source)) == expected
