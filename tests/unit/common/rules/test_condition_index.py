"""Index of rules by their conditions: the same result as evaluating every condition, in bounded memory."""

from collections.abc import Iterable
from sys import getsizeof
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from common.rules.condition_index import MAX_CACHE_BYTES, MAX_KEY_LENGTH, CacheBudget, ConditionIndex
from common.rules.conditions import CompiledCondition, Condition, all_hold, compile_conditions
from common.rules.resolution import device_attributes
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
rules_conditions = st.lists(st.lists(st.sampled_from(CONDITIONS), max_size=3).map(compile_conditions), max_size=8)
attribute_values = st.sampled_from([0, 1, 1.0, True, False, "x", "1", "xé", "x" * 32, "x" * 65, "y" * 65])
bodies = st.builds(
    ResolveBody,
    device_id=st.sampled_from(["d1", "d2"]),
    country=st.sampled_from([None, "BR", "br", "DE"]),
    locale=st.sampled_from([None, "pt-BR", "en"]),
    app_version=st.sampled_from([None, "1", "2.0.0"]),
    attributes=st.none() | st.dictionaries(st.just("n"), attribute_values),
)


def index_of(conditions: Iterable[tuple[CompiledCondition, ...]]) -> ConditionIndex[int]:
    return ConditionIndex.create(list(enumerate(conditions)))


def cached_bytes(index: ConditionIndex[int]) -> int:
    caches: list[dict[Any, Any]] = [index.subsets, *(attribute.results for attribute in index.attributes)]
    entries = [entry for cache in caches for entry in cache.items()]
    return sum(map(getsizeof, caches)) + sum(getsizeof(key) + getsizeof(value) for key, value in entries)


@given(rules_conditions, st.lists(bodies, max_size=20))
def test_index_returns_rules_whose_conditions_all_hold(
    rules: list[tuple[CompiledCondition, ...]], requests: list[ResolveBody]
) -> None:
    index = index_of(rules)
    for body in requests:
        attributes = device_attributes(body)
        expected = tuple(number for number, conditions in enumerate(rules) if all_hold(conditions, attributes))
        assert index.matching(body) == expected


def test_evicted_values_are_evaluated_again() -> None:
    index = index_of([compile_conditions([Condition("attributes.n", "ends_with", "7")])])
    for number in [*range(600), *range(600)]:
        body = ResolveBody(device_id="d", attributes={"n": str(number)})
        assert index.matching(body) == ((0,) if number % 10 == 7 else ())


def test_caches_of_invented_values_take_at_most_their_bound() -> None:
    rules = [
        compile_conditions([Condition("country", "eq", "BR"), Condition(f"attributes.a{number % 10}", "exists")])
        for number in range(40)
    ]
    index = index_of(rules)
    sizes = []
    for number in range(1_000):
        attributes: dict[str, str | float | bool] = {
            f"a{digit}": f"{number} of {digit}".ljust(MAX_KEY_LENGTH) for digit in range(10) if number >> digit & 1
        }
        index.matching(ResolveBody(device_id="d", country=f"country {number}", attributes=attributes))
        sizes.append(cached_bytes(index))
    assert 0.5 * MAX_CACHE_BYTES < max(sizes) <= MAX_CACHE_BYTES


def test_caches_of_many_projects_take_at_most_their_common_bound() -> None:
    limit = 100_000
    budget = CacheBudget(limit)
    conditions = compile_conditions([Condition("attributes.n", "ends_with", "7")])
    indexes = [ConditionIndex.create([(1, conditions)], budget) for _ in range(50)]
    sizes = []
    for number in range(2_000):
        index = indexes[number % 50]
        matching = index.matching(ResolveBody(device_id="d", attributes={"n": str(number)}))
        assert matching == ((1,) if number % 10 == 7 else ())
        sizes.append(sum(index.cached_bytes for index in indexes))
    assert 0.5 * limit < max(sizes) <= limit


def test_dropped_projects_leave_their_room_to_others() -> None:
    budget = CacheBudget(2_000)
    conditions = compile_conditions([Condition("attributes.n", "exists")])
    device = ResolveBody(device_id="d", attributes={"n": "x"})
    lasting = ConditionIndex.create([(1, conditions)], budget)
    lasting.matching(device)
    for _ in range(100):
        ConditionIndex.create([(1, conditions)], budget).matching(device)
    assert lasting.attributes[0].results


def test_long_and_non_ascii_values_are_not_cached() -> None:
    index = index_of([compile_conditions([Condition("attributes.n", "exists")])])
    for number in range(100):
        for value in (f"{number}".ljust(1_000), f"é{number}".ljust(30)):
            assert index.matching(ResolveBody(device_id="d", attributes={"n": value})) == (0,)
    assert not index.attributes[0].results
