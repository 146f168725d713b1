"""Targeting conditions: matching of devices, and conditions that cannot be stored (contract, section 5)."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from common.json_body import convert_object
from common.rules.conditions import (
    DEVICE_ATTRIBUTES,
    OPERATORS,
    Condition,
    Scalar,
    all_hold,
    compile_conditions,
    condition_error,
    parse_version,
)
from common.rules.resolution import device_attributes
from common.wire.public_bodies import ResolveBody
from tests.support.data.conditions import storable_conditions
from tests.support.offline_sdk import matching

CUSTOM = "attributes.a"


def test_all_conditions_must_hold() -> None:
    conditions = compile_conditions([Condition("country", "eq", "BR"), Condition("platform", "eq", "ios")])
    assert all_hold(conditions, {"country": "BR", "platform": "ios"})
    assert not all_hold(conditions, {"country": "BR", "platform": "android"})
    assert all_hold((), {})


@pytest.mark.parametrize(
    ("attribute", "operator", "value"),
    [
        ("colour", "eq", "x"),
        ("attributes.", "eq", "x"),
        ("attributes." + "n" * 129, "eq", "x"),
        (CUSTOM, "like", "x"),
        (CUSTOM, "eq", None),
        (CUSTOM, "eq", ["x"]),
        (CUSTOM, "eq", "v" * 257),
        (CUSTOM, "in", []),
        (CUSTOM, "in", "x"),
        (CUSTOM, "in", [["x"]]),
        (CUSTOM, "in", ["x"] * 501),
        (CUSTOM, "contains", ""),
        (CUSTOM, "contains", 1),
        (CUSTOM, "gt", "1"),
        (CUSTOM, "gt", True),
        (CUSTOM, "semver_gt", "one"),
        (CUSTOM, "semver_gt", 1),
        (CUSTOM, "exists", True),
        ("platform", "eq", 1),
        ("country", "in", ["BR", 1]),
    ],
)
def test_senseless_condition_cannot_be_stored(attribute: str, operator: str, value: object) -> None:
    error = condition_error(Condition(attribute, operator, value))
    assert error is not None
    assert error.startswith("must ")


TEXTS = st.sampled_from(
    ["pt", "pt-BR", "PT-br", "ptx", "BR", "br", "ß", "SS", "\u212a", "ios", "x", "xy", "é", "e\u0301", "1", ""]
)
VERSIONS = st.sampled_from(
    ["1", "1.2", "1.2.0", "1.10.0-rc.1", "1.10.0-rc.10", "1.10.0-rc.a", "1.10.0+5", "v1", "1.2.3.4", ""]
)
NUMBERS = st.sampled_from([-1, 0, 1, 1.0, 1.5, 2**53, 2**53 + 1, 1e300]) | st.integers(-(2**63), 2**64 - 1)
scalars = TEXTS | VERSIONS | NUMBERS | st.booleans() | st.floats(allow_nan=False) | st.text("abAB12.-é😀", max_size=6)
valid_conditions = storable_conditions(
    sorted(DEVICE_ATTRIBUTES | {CUSTOM}), scalars=scalars, texts=TEXTS, numbers=NUMBERS, versions=VERSIONS
)
names = st.sampled_from(sorted(DEVICE_ATTRIBUTES | {CUSTOM}))
junk = scalars | st.none() | st.lists(scalars, max_size=3) | st.dictionaries(st.text(max_size=3), scalars, max_size=2)
conditions = st.builds(Condition, names, st.sampled_from(sorted(OPERATORS)), junk)
devices = st.fixed_dictionaries(
    {"deviceId": TEXTS.filter(bool)},
    optional={
        "platform": st.sampled_from(["ios", "android"]),
        "appVersion": VERSIONS,
        "osVersion": VERSIONS,
        "locale": st.sampled_from(["pt", "pt-BR", "PT-br", "pt-BR-x-a", "en"]),
        "country": st.sampled_from(["BR", "br", "SS"]),
        "attributes": st.dictionaries(st.sampled_from("ab"), scalars, max_size=2),
    },
)


@settings(max_examples=150)
@given(valid_conditions, devices)
def test_condition_matches_exactly_when_the_offline_sdk_matches(condition: Condition, device: dict[str, Any]) -> None:
    attributes = device_attributes(convert_object(device, ResolveBody))
    naive = {"attribute": condition.attribute, "operator": condition.operator, "value": condition.value}
    assert all_hold(compile_conditions([condition]), attributes) is matching.holds(naive, device)


@given(conditions, scalars)
def test_any_condition_is_refused_or_evaluates_any_value(condition: Condition, actual: Scalar) -> None:
    if condition_error(condition) is None:
        all_hold(compile_conditions([condition]), {condition.attribute: actual})


def test_number_that_python_refuses_to_convert_is_no_version() -> None:
    assert parse_version("9" * 5_000) is None
