"""Index of a project's rules by their conditions, with the results of evaluated conditions in bounded caches.

Devices are many, the versions, countries and locales that they have are few. The conditions on one attribute are
evaluated once for each value. The result is an integer with a bit for each rule: 0 when a condition of the rule does
not hold. A device matches the rules whose bit is set for each of its values. Device ids are not cached.
"""

from collections.abc import Callable, Sequence
from operator import attrgetter
from sys import getsizeof
from typing import Generic, TypeVar

from common.rules.conditions import CUSTOM_PREFIX, CompiledCondition, Device, Scalar

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")
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

#: Entries of one cache. The oldest entry makes room for a new one, so invented values cannot grow a cache.
MAX_ENTRIES = 128
#: Only ASCII texts of at most this length are cached, so that an entry has a bound, too.
MAX_KEY_LENGTH = 32

#: Sizes measured on CPython 3.11, rounded up: a dictionary's slot in a full cache, and the longest key.
_SLOT_BYTES = 40
_KEY_BYTES = getsizeof("x" * MAX_KEY_LENGTH)
_RULE_BYTES = 180
_ATTRIBUTE_BYTES = 800
_CONDITION_BYTES = 100


class BoundedCache(Generic[KeyT, ValueT]):
    """Dictionary of at most MAX_ENTRIES entries. `get` returns None for a missing key."""

    __slots__ = ("_values", "get")

    def __init__(self) -> None:
        self._values: dict[KeyT, ValueT] = {}
        self.get = self._values.get

    def __len__(self) -> int:
        return len(self._values)

    def put(self, key: KeyT, value: ValueT) -> None:
        """Add an entry. A full cache evicts its oldest one."""
        if len(self._values) >= MAX_ENTRIES:
            del self._values[next(iter(self._values))]
        self._values[key] = value


class _Attribute:
    """The conditions on one attribute, each with the bit of its rule."""

    __slots__ = ("_all", "_cache", "_conditions", "_is_cached", "_read")

    def __init__(self, name: str, conditions: Sequence[tuple[int, CompiledCondition]], all_rules: int) -> None:
        self._read = ATTRIBUTE_READERS.get(name) or _custom_reader(name.removeprefix(CUSTOM_PREFIX))
        self._conditions = conditions
        self._all = all_rules
        self._is_cached = name != _DEVICE_ID
        self._cache: BoundedCache[object, int] = BoundedCache()

    def matching(self, device: Device) -> int:
        """Return the bits of all rules except those with a condition on this attribute that does not hold."""
        value = self._read(device)
        # A dictionary takes True, 1 and 1.0 for the same key, a condition does not.
        key = value if value.__class__ is str else (value.__class__, value)
        bits = self._cache.get(key)
        return self._evaluate(key, value) if bits is None else bits

    def _evaluate(self, key: object, value: Scalar | None) -> int:
        bits = self._all
        for bit, condition in self._conditions:
            if not condition.holds_for(value):
                bits &= ~bit
        is_short = not isinstance(value, str) or (len(value) <= MAX_KEY_LENGTH and value.isascii())
        if self._is_cached and is_short:
            self._cache.put(key, bits)
        return bits


class ConditionIndex(Generic[RuleT]):
    """The rules of a project in their order, each with its conditions."""

    __slots__ = ("_all", "_attributes", "_cache", "_rules", "max_bytes")

    def __init__(self, rules: Sequence[tuple[RuleT, Sequence[CompiledCondition]]]) -> None:
        self._rules = tuple(rule for rule, _ in rules)
        self._all = (1 << len(rules)) - 1
        by_name: dict[str, list[tuple[int, CompiledCondition]]] = {}
        for number, (_, conditions) in enumerate(rules):
            for condition in conditions:
                by_name.setdefault(condition.attribute, []).append((1 << number, condition))
        self._attributes = tuple(_Attribute(name, conditions, self._all) for name, conditions in by_name.items())
        self._cache: BoundedCache[int, tuple[RuleT, ...]] = BoundedCache()
        #: The memory that the index takes when all its caches are full.
        self.max_bytes = _max_bytes(len(rules), len(by_name), sum(map(len, by_name.values())))

    def matching(self, device: Device) -> tuple[RuleT, ...]:
        """Return the rules whose conditions all hold, in their order."""
        bits = self._all
        for attribute in self._attributes:
            bits &= attribute.matching(device)
        rules = self._cache.get(bits)
        if rules is None:
            rules = tuple(rule for number, rule in enumerate(self._rules) if bits >> number & 1)
            self._cache.put(bits, rules)
        return rules


def _custom_reader(name: str) -> ReadAttribute:
    return lambda device: None if device.attributes is None else device.attributes.get(name)


def _max_bytes(rules: int, attributes: int, conditions: int) -> int:
    bits_bytes = getsizeof(1 << rules)
    subsets = min(MAX_ENTRIES, 1 << min(rules, MAX_ENTRIES)) if attributes else 1
    return (
        rules * _RULE_BYTES
        + attributes * _ATTRIBUTE_BYTES
        + conditions * (_CONDITION_BYTES + bits_bytes)
        + attributes * MAX_ENTRIES * (_SLOT_BYTES + _KEY_BYTES + bits_bytes)
        + subsets * (_SLOT_BYTES + bits_bytes + getsizeof((None,) * rules))
    )
