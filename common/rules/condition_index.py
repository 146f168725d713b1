"""Which of a project's rules have a device in their audience, remembered by the values that devices have.

Devices are many, but the versions, countries and locales that they have are few. So what the conditions on one
attribute make of one value is computed once and kept, as an integer with a bit for each rule; the rules that admit
a device are those whose bit is set for all of its values. It is the same `CompiledCondition` that is asked, only less
often; a device's id, which is its own, is not remembered.
"""

from collections.abc import Callable, Sequence
from operator import attrgetter
from sys import getsizeof
from typing import Generic, TypeVar

from common.rules.bounded_cache import LONGEST_REMEMBERED, BoundedCache, Weight
from common.rules.conditions import CUSTOM_PREFIX, CompiledCondition, Scalar
from common.wire.public_bodies import ResolveBody

RuleT = TypeVar("RuleT")
ReadAttribute = Callable[[ResolveBody], Scalar | None]

_DEVICE_ID = "deviceId"
#: How to read the attributes that are members of the body, by the names that conditions use.
MEMBERS: dict[str, ReadAttribute] = {
    _DEVICE_ID: attrgetter("device_id"),
    "platform": attrgetter("platform"),
    "appVersion": attrgetter("app_version"),
    "osVersion": attrgetter("os_version"),
    "locale": attrgetter("locale"),
    "country": attrgetter("country"),
}
#: What the objects weigh besides what is remembered, by measurement on CPython 3.11, rounded up.
_RULE_BYTES = 180
_ATTRIBUTE_BYTES = 800
_CONDITION_BYTES = 60


class _Attribute:
    """The conditions on one attribute, each with the bit of its rule."""

    __slots__ = ("_conditions", "_is_remembered", "_known", "_read")

    def __init__(self, name: str, conditions: Sequence[tuple[int, CompiledCondition]], weight: Weight) -> None:
        self._read = MEMBERS.get(name) or _custom(name.removeprefix(CUSTOM_PREFIX))
        self._conditions = conditions
        self._is_remembered = name != _DEVICE_ID
        self._known: BoundedCache[object, int] = BoundedCache(weight)
        weight.add(_ATTRIBUTE_BYTES + sum(_CONDITION_BYTES + getsizeof(bit) for bit, _ in conditions))

    def admitting(self, body: ResolveBody) -> int:
        """Give the bits of all rules but those that have a condition which does not hold."""
        value = self._read(body)
        # True and 1 are equal to a dictionary, not to a condition.
        key = value if value.__class__ is str else (value.__class__, value)
        mask = self._known.recall(key)
        return self._asked(key, value) if mask is None else mask

    def _asked(self, key: object, value: Scalar | None) -> int:
        mask = -1
        for bit, condition in self._conditions:
            if not condition.holds_for(value):
                mask &= ~bit
        if self._is_remembered and not (isinstance(value, str) and len(value) > LONGEST_REMEMBERED):
            self._known.keep(key, mask)
        return mask


class ConditionIndex(Generic[RuleT]):
    """The rules of a project in their order, each with its conditions; `weight` hears what all of it takes."""

    __slots__ = ("_all", "_attributes", "_known", "_rules")

    def __init__(self, rules: Sequence[tuple[RuleT, Sequence[CompiledCondition]]], weight: Weight) -> None:
        self._rules = tuple(rule for rule, _ in rules)
        self._all = (1 << len(rules)) - 1
        by_name: dict[str, list[tuple[int, CompiledCondition]]] = {}
        for number, (_, conditions) in enumerate(rules):
            for condition in conditions:
                by_name.setdefault(condition.attribute, []).append((1 << number, condition))
        self._attributes = tuple(_Attribute(name, conditions, weight) for name, conditions in by_name.items())
        self._known: BoundedCache[int, tuple[RuleT, ...]] = BoundedCache(weight)
        weight.add(len(rules) * _RULE_BYTES)

    def admitting(self, body: ResolveBody) -> tuple[RuleT, ...]:
        """Give the rules whose conditions all hold, in their order."""
        mask = self._all
        for attribute in self._attributes:
            mask &= attribute.admitting(body)
        rules = self._known.recall(mask)
        if rules is None:
            rules = tuple(rule for number, rule in enumerate(self._rules) if mask >> number & 1)
            self._known.keep(mask, rules)
        return rules


def _custom(name: str) -> ReadAttribute:
    return lambda body: None if body.attributes is None else body.attributes.get(name)
