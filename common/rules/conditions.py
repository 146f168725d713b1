"""Targeting conditions: validation at write time, and matching of devices (contract, section 5).

An operator is a row of one table: the values that it takes, and its check of a device's value. Conditions are compiled
once, when a snapshot is loaded; the compiled checks make no decisions about the types of their values.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
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
#: Returns whether a device's value satisfies a condition.
Check = Callable[[Scalar], bool]


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


class Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One condition. All conditions of a list must hold."""

    attribute: str
    operator: str
    value: Any = None


@dataclass(frozen=True, slots=True)
class Operator:
    """`value_error` returns the error in a condition's value, `compile` returns the check of a device's value."""

    value_error: Callable[[Any], str | None]
    compile: Callable[[Any], Check]
    holds_when_missing: bool = False


@dataclass(frozen=True, slots=True)
class CompiledCondition:
    """A condition that is ready for matching."""

    attribute: str
    check: Check
    holds_when_missing: bool

    def holds(self, device: DeviceAttributes) -> bool:
        """Return whether the device satisfies the condition."""
        return self.holds_for(device.get(self.attribute))

    def holds_for(self, value: Scalar | None) -> bool:
        """Return whether a device with this value of the attribute, or with none, satisfies the condition."""
        return self.holds_when_missing if value is None else self.check(value)


def condition_error(condition: Condition) -> str | None:
    """Return why a condition cannot be stored, None when it can."""
    name = condition.attribute.removeprefix(CUSTOM_PREFIX)
    is_custom = name != condition.attribute
    if condition.attribute not in DEVICE_ATTRIBUTES and not (is_custom and 0 < len(name) <= MAX_NAME_LENGTH):
        return f"must name one of {', '.join(sorted(DEVICE_ATTRIBUTES))} or attributes.<name>"
    operator = OPERATORS.get(condition.operator)
    if operator is None:
        return f"must use one of the operators {', '.join(OPERATORS)}"
    error = operator.value_error(condition.value)
    if error is None and not is_custom and operator in (_EQUAL, _NOT_EQUAL, _IN, _NOT_IN):
        return _string_error(condition.value)
    return error


def compile_conditions(conditions: Iterable[Condition]) -> tuple[CompiledCondition, ...]:
    """Compile conditions that :func:`condition_error` accepts."""
    return tuple(_compile(condition) for condition in conditions)


def all_hold(conditions: Iterable[CompiledCondition], device: DeviceAttributes) -> bool:
    """Return whether the device satisfies every condition."""
    return all(condition.holds(device) for condition in conditions)


def parse_version(text: str) -> Version | None:
    """Parse a semantic version, None for other text. A missing number counts as 0 (`17` is `17.0.0`)."""
    try:
        return Version.parse(text, optional_minor_and_patch=True)
    except ValueError:
        return None


def _compile(condition: Condition) -> CompiledCondition:
    operator = OPERATORS[condition.operator]
    folded_check = _FOLDED_CHECKS.get(condition.attribute)
    if folded_check is None or operator not in (_EQUAL, _NOT_EQUAL, _IN, _NOT_IN):
        check = operator.compile(condition.value)
    else:
        values = condition.value if isinstance(condition.value, list) else [condition.value]
        check = folded_check(values, wanted=operator in (_EQUAL, _IN))
    return CompiledCondition(condition.attribute, check, operator.holds_when_missing)


# --- equality ---------------------------------------------------------------------------------------------------------


def _identity(value: Scalar) -> tuple[bool, Scalar]:
    """Return a key that is equal for equal values: `true` differs from `1`, and all numbers are doubles."""
    if isinstance(value, bool | str):
        return isinstance(value, bool), value
    return False, float(value)


def _is_one_of(values: Iterable[Scalar]) -> Check:
    accepted = frozenset(map(_identity, values))
    return lambda actual: _identity(actual) in accepted


def _negated(check: Check) -> Check:
    return lambda actual: not check(actual)


def _ascii_folded(values: Iterable[str]) -> tuple[str, ...]:
    """Return the values in lower case, without those that are not ASCII: no tag and no code has other letters."""
    return tuple(value.lower() for value in values if value.isascii())


def _locale_check(values: Iterable[str], *, wanted: bool) -> Check:
    """Compare BCP 47 tags without regard to case; a tag also stands for its longer forms (`pt` for `pt-BR`)."""
    folded = _ascii_folded(values)
    exact, prefixes = frozenset(folded), tuple(f"{value}-" for value in folded)
    return lambda actual: (str(actual).lower() in exact or str(actual).lower().startswith(prefixes)) is wanted


def _country_check(values: Iterable[str], *, wanted: bool) -> Check:
    """Compare ISO 3166-1 codes without regard to case."""
    accepted = frozenset(_ascii_folded(values))
    return lambda actual: (str(actual).lower() in accepted) is wanted


#: The attributes whose values are compared without regard to case.
_FOLDED_CHECKS: dict[str, Callable[..., Check]] = {"locale": _locale_check, "country": _country_check}

# --- texts, numbers and versions --------------------------------------------------------------------------------------


def _text_check(test: Callable[[str, str], bool]) -> Callable[[str], Check]:
    return lambda expected: lambda actual: isinstance(actual, str) and test(actual, expected)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number_check(compare: Callable[[float, float], bool]) -> Callable[[float], Check]:
    def compile_check(expected: float) -> Check:
        bound = float(expected)
        return lambda actual: _is_number(actual) and compare(float(actual), bound)

    return compile_check


def _version_check(compare: Callable[[Version, Version], bool]) -> Callable[[str], Check]:
    def compile_check(expected: str) -> Check:
        bound = parse_version(expected)

        def check(actual: Scalar) -> bool:
            version = parse_version(actual) if isinstance(actual, str) else None
            return version is not None and bound is not None and compare(version, bound)

        return check

    return compile_check


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


_EQUAL = Operator(_scalar_error, lambda value: _is_one_of([value]))
_NOT_EQUAL = Operator(_scalar_error, lambda value: _negated(_is_one_of([value])), holds_when_missing=True)
_IN = Operator(_list_error, _is_one_of)
_NOT_IN = Operator(_list_error, lambda values: _negated(_is_one_of(values)), holds_when_missing=True)

OPERATORS: dict[str, Operator] = {
    "eq": _EQUAL,
    "neq": _NOT_EQUAL,
    "in": _IN,
    "not_in": _NOT_IN,
    "contains": Operator(_text_error, _text_check(lambda actual, part: part in actual)),
    "starts_with": Operator(_text_error, _text_check(str.startswith)),
    "ends_with": Operator(_text_error, _text_check(str.endswith)),
    "gt": Operator(_number_error, _number_check(lambda actual, bound: actual > bound)),
    "gte": Operator(_number_error, _number_check(lambda actual, bound: actual >= bound)),
    "lt": Operator(_number_error, _number_check(lambda actual, bound: actual < bound)),
    "lte": Operator(_number_error, _number_check(lambda actual, bound: actual <= bound)),
    "semver_eq": Operator(_version_error, _version_check(lambda actual, bound: actual == bound)),
    "semver_gt": Operator(_version_error, _version_check(lambda actual, bound: actual > bound)),
    "semver_gte": Operator(_version_error, _version_check(lambda actual, bound: actual >= bound)),
    "semver_lt": Operator(_version_error, _version_check(lambda actual, bound: actual < bound)),
    "semver_lte": Operator(_version_error, _version_check(lambda actual, bound: actual <= bound)),
    "exists": Operator(_presence_error, lambda _: lambda _actual: True),
    "not_exists": Operator(_presence_error, lambda _: lambda _actual: False, holds_when_missing=True),
}
