"""Targeting conditions: validation at write time, and matching of devices (contract, section 5).

An operator is a row of one table: the type of the values that it takes, and its check of a device's value. Schemas,
TypeScript modules, documents and tests are made from the table or compared with it. Conditions are compiled once, when
a snapshot is loaded; the compiled checks make no decisions about the types of their values.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from operator import contains, eq, ge, gt, le, lt
from typing import Any, Protocol

import msgspec
from semver import Version

#: The attributes of a device that a condition may name, besides `attributes.<name>`; all of them are strings.
DEVICE_ATTRIBUTES = frozenset({"platform", "appVersion", "osVersion", "locale", "country", "deviceId"})
CUSTOM_PREFIX = "attributes."
MAX_CONDITIONS = 50
MAX_NAME_LENGTH = 128
MAX_TEXT_LENGTH = 256
MAX_VALUES = 500

Scalar = str | float | bool
#: A device's attributes by the names that conditions use; an attribute that it lacks is absent.
DeviceAttributes = Mapping[str, Scalar]
#: Returns whether a device's value satisfies a condition with this operand.
Test = Callable[[Scalar, Any], bool]


class Device(Protocol):
    """A device that asks for its flow. The bodies of SDKs have this form; an attribute that it lacks is None."""

    @property
    def device_id(self) -> str: ...  # noqa: D102 - a member, not a function
    @property
    def platform(self) -> str | None: ...  # noqa: D102
    @property
    def app_version(self) -> str | None: ...  # noqa: D102
    @property
    def os_version(self) -> str | None: ...  # noqa: D102
    @property
    def locale(self) -> str | None: ...  # noqa: D102
    @property
    def country(self) -> str | None: ...  # noqa: D102
    @property
    def attributes(self) -> Mapping[str, Scalar] | None: ...  # noqa: D102


class Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One condition. All conditions of a list must hold."""

    attribute: str
    operator: str
    value: Any = None


class ValueType(StrEnum):
    """The types of the values of conditions."""

    SCALAR = "scalar"
    LIST = "list"
    TEXT = "text"
    NUMBER = "number"
    VERSION = "version"
    NONE = "none"


@dataclass(frozen=True, slots=True, eq=False)
class Operator:
    """A row of the table of operators. `prepare` returns the operand of `test` for a value of a condition."""

    takes: ValueType
    prepare: Callable[[Any], Any]
    test: Test
    holds_when_missing: bool = False


class CompiledCondition(msgspec.Struct, frozen=True, gc=False):
    """A condition that is ready for matching. The test is a function of the module, because an edge keeps many."""

    attribute: str
    test: Test
    operand: Any
    holds_when_missing: bool

    def holds(self, device: DeviceAttributes) -> bool:
        """Return whether the device satisfies the condition."""
        return self.holds_for(device.get(self.attribute))

    def holds_for(self, value: Scalar | None) -> bool:
        """Return whether a device with this value of the attribute, or with none, satisfies the condition."""
        return self.holds_when_missing if value is None else self.test(value, self.operand)


def condition_error(condition: Condition, prefixes: Sequence[str] = (CUSTOM_PREFIX,)) -> str | None:
    """Return why a condition cannot be stored, None when it can.

    `prefixes` begin the attributes besides those of the device.
    """
    prefix = next(filter(condition.attribute.startswith, prefixes), "")
    is_custom = prefix != ""
    is_named = is_custom and len(prefix) < len(condition.attribute) <= len(prefix) + MAX_NAME_LENGTH
    if condition.attribute not in DEVICE_ATTRIBUTES and not is_named:
        names = ", ".join([*sorted(DEVICE_ATTRIBUTES), *(f"{prefix}<name>" for prefix in prefixes)])
        return f"must name one of {names}"
    operator = OPERATORS.get(condition.operator)
    if operator is None:
        return f"must use one of the operators {', '.join(OPERATORS)}"
    error = _VALUE_ERRORS[operator.takes](condition.value)
    if error is None and not is_custom and operator.takes in {ValueType.SCALAR, ValueType.LIST}:
        return _string_error(condition.value)
    return error


def compile_conditions(conditions: Iterable[Condition]) -> tuple[CompiledCondition, ...]:
    """Compile conditions that :func:`condition_error` accepts."""
    return tuple(_compile(condition) for condition in conditions)


def all_hold(conditions: Iterable[CompiledCondition], device: DeviceAttributes) -> bool:
    """Return whether the device satisfies every condition."""
    return all(condition.holds(device) for condition in conditions)


# Conditions of many projects, and the devices of one, have few versions, and a parse takes 8 µs.
@lru_cache(maxsize=1024)
def parse_version(text: str) -> Version | None:
    """Parse a semantic version, None for other text. A missing number counts as 0 (`17` is `17.0.0`)."""
    try:
        return Version.parse(text, optional_minor_and_patch=True)
    except ValueError:
        return None


def _compile(condition: Condition) -> CompiledCondition:
    operator, value = OPERATORS[condition.operator], condition.value
    prepare, test = operator.prepare, operator.test
    folded = _FOLDED.get(condition.attribute)
    if folded is not None and operator in _EQUALITY:
        prepare, is_one_of, is_none_of = folded
        test = is_one_of if operator in (_EQUAL, _IN) else is_none_of
        value = value if isinstance(value, list) else [value]
    return CompiledCondition(condition.attribute, test, prepare(value), operator.holds_when_missing)


# --- equality ---------------------------------------------------------------------------------------------------------


def _identity(value: Scalar) -> tuple[bool, Scalar]:
    """Return a key that is equal for equal values: `true` differs from `1`, and all numbers are doubles."""
    if isinstance(value, bool | str):
        return isinstance(value, bool), value
    return False, float(value)


def _identities(values: Iterable[Scalar]) -> frozenset[tuple[bool, Scalar]]:
    return frozenset(map(_identity, values))


def _negated(test: Test) -> Test:
    return lambda actual, operand: not test(actual, operand)


def _is_one_of(actual: Scalar, accepted: frozenset[tuple[bool, Scalar]]) -> bool:
    return _identity(actual) in accepted


def _ascii_folded(values: Iterable[str]) -> list[str]:
    """Return the values in lower case, without those that are not ASCII: no tag and no code has other letters."""
    return [value.lower() for value in values if value.isascii()]


def _locale_prefixes(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{value}-" for value in _ascii_folded(values))


def _is_locale_of(actual: Scalar, prefixes: tuple[str, ...]) -> bool:
    """Compare BCP 47 tags without regard to case; a tag also stands for its longer forms (`pt` for `pt-BR`)."""
    return f"{actual}-".lower().startswith(prefixes)


def _country_codes(values: Iterable[str]) -> frozenset[str]:
    return frozenset(_ascii_folded(values))


def _is_country_of(actual: Scalar, codes: frozenset[str]) -> bool:
    """Compare ISO 3166-1 codes without regard to case."""
    return str(actual).lower() in codes


#: The attributes whose values are compared without regard to case: the operand for a list of values, and the tests of
#: equality and of inequality.
_FOLDED: dict[str, tuple[Callable[[Any], Any], Test, Test]] = {
    "locale": (_locale_prefixes, _is_locale_of, _negated(_is_locale_of)),
    "country": (_country_codes, _is_country_of, _negated(_is_country_of)),
}

# --- texts, numbers and versions --------------------------------------------------------------------------------------


def _as_it_is(value: object) -> object:
    return value


def _text_test(test: Callable[[str, str], bool]) -> Test:
    return lambda actual, expected: isinstance(actual, str) and test(actual, expected)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number_test(compare: Callable[[float, float], bool]) -> Test:
    return lambda actual, bound: _is_number(actual) and compare(float(actual), bound)


def _version_test(compare: Callable[[Version, Version], bool]) -> Test:
    def test(actual: Scalar, bound: Version | None) -> bool:
        version = parse_version(actual) if isinstance(actual, str) else None
        return version is not None and bound is not None and compare(version, bound)

    return test


# --- validation of values ---------------------------------------------------------------------------------------------


def _scalar_error(value: object) -> str | None:
    if isinstance(value, str):
        return None if len(value) <= MAX_TEXT_LENGTH else f"must have a value of at most {MAX_TEXT_LENGTH} characters"
    return None if isinstance(value, bool | int | float) else "must have a string, a number or a boolean as its value"


def _list_error(value: object) -> str | None:
    if not isinstance(value, list) or not 0 < len(value) <= MAX_VALUES:
        return f"must have a list of 1 to {MAX_VALUES} values"
    return next(filter(None, map(_scalar_error, value)), None)


def _string_error(value: object) -> str | None:
    values = value if isinstance(value, list) else [value]
    return None if all(isinstance(item, str) for item in values) else "must be compared with strings"


def _text_error(value: object) -> str | None:
    if not isinstance(value, str) or not 0 < len(value) <= MAX_TEXT_LENGTH:
        return f"must have a string of 1 to {MAX_TEXT_LENGTH} characters as its value"
    return None


def _number_error(value: object) -> str | None:
    return None if _is_number(value) else "must have a number as its value"


def _version_error(value: object) -> str | None:
    is_version = isinstance(value, str) and len(value) <= MAX_TEXT_LENGTH and parse_version(value) is not None
    return None if is_version else "must have a semantic version as its value"


def _presence_error(value: object) -> str | None:
    return None if value is None else "must have no value"


_VALUE_ERRORS: dict[ValueType, Callable[[Any], str | None]] = {
    ValueType.SCALAR: _scalar_error,
    ValueType.LIST: _list_error,
    ValueType.TEXT: _text_error,
    ValueType.NUMBER: _number_error,
    ValueType.VERSION: _version_error,
    ValueType.NONE: _presence_error,
}

# --- the table --------------------------------------------------------------------------------------------------------

_EQUAL = Operator(ValueType.SCALAR, lambda value: _identities([value]), _is_one_of)
_NOT_EQUAL = Operator(ValueType.SCALAR, _EQUAL.prepare, _negated(_is_one_of), holds_when_missing=True)
_IN = Operator(ValueType.LIST, _identities, _is_one_of)
_NOT_IN = Operator(ValueType.LIST, _identities, _negated(_is_one_of), holds_when_missing=True)
_EQUALITY = (_EQUAL, _NOT_EQUAL, _IN, _NOT_IN)


def _text_operator(test: Callable[[str, str], bool]) -> Operator:
    return Operator(ValueType.TEXT, _as_it_is, _text_test(test))


def _number_operator(compare: Callable[[float, float], bool]) -> Operator:
    return Operator(ValueType.NUMBER, float, _number_test(compare))


def _version_operator(compare: Callable[[Version, Version], bool]) -> Operator:
    return Operator(ValueType.VERSION, parse_version, _version_test(compare))


OPERATORS: dict[str, Operator] = {
    "eq": _EQUAL,
    "neq": _NOT_EQUAL,
    "in": _IN,
    "not_in": _NOT_IN,
    "contains": _text_operator(contains),
    "starts_with": _text_operator(str.startswith),
    "ends_with": _text_operator(str.endswith),
    "gt": _number_operator(gt),
    "gte": _number_operator(ge),
    "lt": _number_operator(lt),
    "lte": _number_operator(le),
    "semver_eq": _version_operator(eq),
    "semver_gt": _version_operator(gt),
    "semver_gte": _version_operator(ge),
    "semver_lt": _version_operator(lt),
    "semver_lte": _version_operator(le),
    "exists": Operator(ValueType.NONE, _as_it_is, lambda _actual, _operand: True),
    "not_exists": Operator(ValueType.NONE, _as_it_is, lambda _actual, _operand: False, holds_when_missing=True),
}
