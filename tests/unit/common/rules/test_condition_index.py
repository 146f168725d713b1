"""Whom rules are for, remembered by value: the same as asking every condition of every rule anew."""

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from common.rules.bounded_cache import Weight
from common.rules.condition_index import ConditionIndex
from common.rules.conditions import CompiledCondition, Condition, all_hold, compile_conditions
from common.rules.resolution import Device
from common.wire.public_bodies import ResolveBody

CONDITIONS = [
    Condition("attributes.n", "eq", 1),
    Condition("attributes.n", "eq", value=True),
    Condition("attributes.n", "gt", 0),
    Condition("attributes.n", "exists"),
    Condition("attributes.n", "contains", "x"),
    Condition("country", "in", ["BR", "PT"]),
    Condition("country", "not_exists"),
    Condition("locale", "neq", "pt"),
    Condition("appVersion", "semver_gte", "2.0"),
    Condition("deviceId", "ends_with", "1"),
]
audiences = st.lists(st.lists(st.sampled_from(CONDITIONS), max_size=3).map(compile_conditions), max_size=8)
bodies = st.builds(
    ResolveBody,
    device_id=st.sampled_from(["d1", "d2"]),
    country=st.sampled_from([None, "BR", "br", "DE"]),
    locale=st.sampled_from([None, "pt-BR", "en"]),
    app_version=st.sampled_from([None, "1", "2.0.0"]),
    attributes=st.none()
    | st.dictionaries(st.just("n"), st.sampled_from([0, 1, 1.0, True, False, "x", "1", "x" * 65, "y" * 65])),
)


def admitted_naively(rules: list[tuple[CompiledCondition, ...]], body: ResolveBody) -> tuple[int, ...]:
    return tuple(number for number, conditions in enumerate(rules) if all_hold(conditions, Device.of(body).attributes))


@given(audiences, st.lists(bodies, max_size=20))
def test_what_is_remembered_of_some_devices_is_true_of_all(
    rules: list[tuple[CompiledCondition, ...]], asking: list[ResolveBody]
) -> None:
    remembering = ConditionIndex(list(enumerate(rules)), Weight())
    for body in asking:
        assert remembering.admitting(body) == admitted_naively(rules, body)


def test_values_without_end_are_forgotten_and_asked_again() -> None:
    rules = [compile_conditions([Condition("attributes.n", "ends_with", "7")])]
    remembering = ConditionIndex(list(enumerate(rules)), Weight())
    for number in [*range(600), *range(600)]:
        body = ResolveBody(device_id="d", attributes={"n": str(number)})
        assert remembering.admitting(body) == ((0,) if number % 10 == 7 else ())


def test_what_is_remembered_weighs_about_what_memory_it_takes() -> None:
    rules = [
        compile_conditions([Condition("country", "eq", "BR"), Condition(f"attributes.a{number % 10}", "exists")])
        for number in range(200)
    ]
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    weight = Weight()
    remembering = ConditionIndex(list(enumerate(rules)), weight)
    for number in range(250):
        attributes: dict[str, str | float | bool] = {f"a{one}": f"{number} of {one}" for one in range(number % 10)}
        remembering.admitting(ResolveBody(device_id="d", country=f"country {number}", attributes=attributes))
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 0.8 < weight.bytes / (after - before) < 2.0
