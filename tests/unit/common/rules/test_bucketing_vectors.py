"""The test vectors for SDKs hold for the service and for the offline SDK, which was written from docs/bucketing.md."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from common.json_body import convert_object
from common.rules.bucketing import bucket_of, traffic_salt, variant_salt
from common.rules.conditions import (
    OPERATORS,
    Condition,
    all_hold,
    compile_conditions,
    condition_error,
    parse_version,
)
from common.rules.locales import ProjectLocales, fallbacks
from common.rules.resolution import (
    Experiment,
    ProjectRules,
    TargetedFlow,
    VariantAllocation,
    device_attributes,
    evaluate,
)
from common.wire.public_bodies import ResolveBody
from common.wire.screen_contents import with_texts
from publisher.locales import aliases_of, direction_of
from tests.support.offline_sdk import matching, versions
from tests.support.offline_sdk.buckets import bucket, is_inside, murmur3
from tests.support.offline_sdk.deciding import decide, variant_of
from tests.support.offline_sdk.languages import matched_locale, overlaid

VECTORS: dict[str, list[Any]] = json.loads((Path(__file__).parents[4] / "docs/bucketing-vectors.json").read_text())


def each_vector(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("vector", VECTORS[kind], ids=range(len(VECTORS[kind])))


@each_vector("buckets")
def test_bucket(vector: dict[str, Any]) -> None:
    salt, device_id = vector["salt"], vector["deviceId"]
    assert murmur3(f"{salt}:{device_id}".encode()) == vector["hash"]
    assert bucket(salt, device_id) == bucket_of(salt, device_id) == vector["bucket"]


@each_vector("salts")
def test_salts_of_experiment(vector: dict[str, Any]) -> None:
    assert traffic_salt(vector["experimentId"], vector["saltVersion"]) == vector["trafficSalt"]
    assert variant_salt(vector["experimentId"], vector["saltVersion"]) == vector["variantSalt"]


@each_vector("rollouts")
def test_rollout(vector: dict[str, Any]) -> None:
    flow_id, percentage = vector["flowId"], vector["percentage"]
    for device in vector["devices"]:
        assert is_inside(flow_id, percentage, device["deviceId"]) is device["inside"]
        assert (bucket_of(flow_id, device["deviceId"]) < round(percentage * 100)) is device["inside"]


@each_vector("variants")
def test_variant_of_bucket(vector: dict[str, Any]) -> None:
    experiment = Experiment.create(
        "exp_1",
        is_paused=False,
        conditions=(),
        traffic_buckets=10_000,
        salt_version=1,
        variants=[
            VariantAllocation(variant["key"], "flow", [(start, end) for start, end in variant["ranges"]])
            for variant in vector["variants"]
        ],
    )
    for device in vector["devices"]:
        assert variant_of(vector, device["deviceId"])["key"] == device["variant"]
        choice = experiment.assign(device["deviceId"])
        assert choice.assignment is not None
        assert choice.assignment.variant == device["variant"]


@each_vector("versions")
def test_order_of_versions(vector: dict[str, Any]) -> None:
    first, second = parse_version(vector["one"]), parse_version(vector["other"])
    assert first is not None
    assert second is not None
    assert (first > second) - (first < second) == vector["order"]
    assert versions.order(vector["one"], vector["other"]) == vector["order"]


@each_vector("notVersions")
def test_text_that_is_no_version(vector: str) -> None:
    assert parse_version(vector) is None
    assert versions.order(vector, vector) is None


@each_vector("conditions")
def test_condition(vector: dict[str, Any]) -> None:
    condition = msgspec.convert(vector["condition"], Condition)
    assert condition_error(condition) is None
    attributes = device_attributes(convert_object(vector["device"], ResolveBody))
    assert all_hold(compile_conditions([condition]), attributes) is vector["holds"]
    assert matching.holds(vector["condition"], vector["device"]) is vector["holds"]


@pytest.mark.parametrize("operator", OPERATORS)
def test_each_operator_has_vectors(operator: str) -> None:
    """An implementation that lacks the operator fails one of them: it holds, it fails, the attribute is missing."""
    vectors = [vector for vector in VECTORS["conditions"] if vector["condition"]["operator"] == operator]
    missing = [vector for vector in vectors if vector["device"] == {"deviceId": "phone"}]
    assert {vector["holds"] for vector in vectors} == {True, False}
    assert [vector["holds"] for vector in missing] == [OPERATORS[operator].holds_when_missing]


@each_vector("decisions")
def test_decision(vector: dict[str, Any]) -> None:
    config = vector["config"]
    rules = ProjectRules.create(
        platforms=tuple(config["settings"]["platforms"]),
        overrides={},
        experiments=(),
        flows=tuple(
            TargetedFlow.create(
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
        choice = evaluate(rules, convert_object(example["device"], ResolveBody))
        assert (decision and (decision.flow_id, decision.source)) == expected
        assert (choice and (choice.flow_id, choice.source)) == expected


@each_vector("languages")
def test_language(vector: dict[str, Any]) -> None:
    locales, aliases = vector["locales"], vector["aliases"]
    assert aliases_of(locales) == aliases
    project = ProjectLocales(locales, aliases)
    expected = [locale for _, locale in vector["tags"]]
    assert [project.match(wanted) for wanted, _ in vector["tags"]] == expected
    assert [matched_locale(locales, aliases, wanted) for wanted, _ in vector["tags"]] == expected


def test_direction_is_that_of_the_script() -> None:
    expected = [(vector["locale"], vector["direction"]) for vector in VECTORS["directions"]]
    assert [(locale, direction_of(locale)) for locale, _ in expected] == expected


@each_vector("overlays")
def test_overlay(vector: dict[str, Any]) -> None:
    locales, locale = vector["locales"], vector["locale"]
    content = vector["content"]
    for tag in reversed(fallbacks(locale, locales)):
        content = with_texts(content, vector["localizations"].get(tag, {}))
    assert content == vector["expected"]
    settings = {"defaultLocale": locales[0], "locales": locales}
    screen = {"id": "screen_1", "content": vector["content"], "localizations": vector["localizations"]}
    assert overlaid(screen, settings, locale) == {"id": "screen_1", "content": vector["expected"]}
