"""Index of a project's rules by their conditions, with the results of evaluated conditions in bounded caches.

Devices are many, the versions, countries and locales that they have are few. The conditions on one attribute are
evaluated once for each value. The result is an integer with a bit for each rule: 0 when a condition of the rule does
not hold. A device matches the rules whose bit is set for each of its values. Device ids are not cached.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from sys import getsizeof
from typing import Any, Generic, TypeVar
from weakref import ref

import msgspec

from common.rules.conditions import CUSTOM_PREFIX, CompiledCondition, Device, Scalar

RuleT = TypeVar("RuleT")
ReadAttribute = Callable[[Device], Scalar | None]

_DEVICE_ID = "deviceId"
#: How to read the attributes of a device that are no custom ones, by the names that conditions use.
ATTRIBUTE_READERS: dict[str, ReadAttribute] = {
    _DEVICE_ID: attrgetter("device_id"),
    "platform": attrgetter("platform"),
    "appVersion": attrgetter("app_version"),
    "osVersion": attrgetter("os_version"),
    "locale": attrgetter("locale"),
    "country": attrgetter("country"),
}

#: Approximate memory of all results of one index. The caches are emptied when they are full, so that invented values
#: cannot grow them.
MAX_CACHE_BYTES = 64 * 1024
#: The same of all indexes of a process. Thousands of projects with invented values would need hundreds of megabytes.
_MAX_TOTAL_BYTES = 16 * 1024 * 1024
#: Only ASCII texts of at most this length are cached, so that an entry has a bound, too.
MAX_KEY_LENGTH = 32
#: A key of the longest kind and its place in a dictionary that has just grown.
_ENTRY_BYTES = 220


class _Attribute(msgspec.Struct, gc=False):
    """The conditions on one attribute, each with the bit of its rule, and the results by the attribute's value."""

    read: ReadAttribute
    is_cached: bool
    conditions: tuple[tuple[int, CompiledCondition], ...]
    results: dict[object, int] = msgspec.field(default_factory=dict)


class CacheBudget:
    """The memory of the results of all indexes. The index that has had results for longest is emptied first."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit_bytes = limit_bytes
        self._used = 0
        #: By the id of an index: the index, and the memory of its results.
        self._shares: dict[int, tuple[ref[ConditionIndex[Any]], int]] = {}

    def resize(self, index: "ConditionIndex[Any]", size: int) -> None:
        """Record the memory of an index, and empty other indexes until all of them are within the limit."""
        key = id(index)
        reference, before = self._shares.get(key) or (ref(index, lambda _: self._remove(key)), 0)
        self._shares[key] = (reference, size)
        self._used += size - before
        while self._used > self._limit_bytes and len(self._shares) > 1:
            first = next(iter(self._shares))
            other = self._shares[first][0]()
            if other is index:
                self._shares[key] = self._shares.pop(key)
                continue
            if other is not None:
                other.clear()
            self._remove(first)

    def _remove(self, key: int) -> None:
        _, size = self._shares.pop(key, (None, 0))
        self._used -= size


_BUDGET = CacheBudget(_MAX_TOTAL_BYTES)


@dataclass(slots=True, eq=False, weakref_slot=True)
class ConditionIndex(Generic[RuleT]):
    """The rules of a project in their order, each with its conditions."""

    rules: tuple[RuleT, ...]
    all_rules: int
    attributes: tuple[_Attribute, ...]
    #: The rules of each combination of bits.
    subsets: dict[int, tuple[RuleT, ...]] = field(default_factory=dict)
    cached_bytes: int = 0
    budget: CacheBudget = _BUDGET

    @classmethod
    def create(
        cls, rules: Sequence[tuple[RuleT, Sequence[CompiledCondition]]], budget: CacheBudget = _BUDGET
    ) -> "ConditionIndex[RuleT]":
        """Return the index of rules in their order, each with its conditions."""
        by_name: dict[str, list[tuple[int, CompiledCondition]]] = {}
        for number, (_, conditions) in enumerate(rules):
            for condition in conditions:
                by_name.setdefault(condition.attribute, []).append((1 << number, condition))
        attributes = tuple(
            _Attribute(_reader(name), name != _DEVICE_ID, tuple(conditions)) for name, conditions in by_name.items()
        )
        return ConditionIndex(tuple(rule for rule, _ in rules), (1 << len(rules)) - 1, attributes, budget=budget)

    def matching(self, device: Device) -> tuple[RuleT, ...]:
        """Return the rules whose conditions all hold, in their order."""
        bits = self.all_rules
        for attribute in self.attributes:
            value = attribute.read(device)
            # A dictionary takes True, 1 and 1.0 for the same key, a condition does not.
            key = value if value.__class__ is str else (value.__class__, value)
            result = attribute.results.get(key)
            bits &= self._evaluate(attribute, key, value) if result is None else result
        rules = self.subsets.get(bits)
        if rules is None:
            rules = tuple(rule for number, rule in enumerate(self.rules) if bits >> number & 1)
            self._make_room(bits, getsizeof(rules))
            self.subsets[bits] = rules
        return rules

    def _evaluate(self, attribute: _Attribute, key: object, value: Scalar | None) -> int:
        """Return the bits of all rules except those with a condition on this attribute that does not hold."""
        bits = self.all_rules
        for bit, condition in attribute.conditions:
            if not condition.holds_for(value):
                bits &= ~bit
        is_short = not isinstance(value, str) or (len(value) <= MAX_KEY_LENGTH and value.isascii())
        if attribute.is_cached and is_short:
            self._make_room(bits)
            attribute.results[key] = bits
        return bits

    def clear(self) -> None:
        """Forget all results."""
        self.cached_bytes = 0
        self.subsets.clear()
        for attribute in self.attributes:
            attribute.results.clear()

    def _make_room(self, bits: int, further_bytes: int = 0) -> None:
        added = _ENTRY_BYTES + getsizeof(bits) + further_bytes
        if self.cached_bytes + added > MAX_CACHE_BYTES:
            self.clear()
        self.cached_bytes += added
        self.budget.resize(self, self.cached_bytes)


def _reader(name: str) -> ReadAttribute:
    reader = ATTRIBUTE_READERS.get(name)
    return _custom_reader(name.removeprefix(CUSTOM_PREFIX)) if reader is None else reader


def _custom_reader(name: str) -> ReadAttribute:
    return lambda device: None if device.attributes is None else device.attributes.get(name)
