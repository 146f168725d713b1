"""Targeting conditions: what is refused at write time, and how a device is matched (contract, section 5).

An operator is a row of one table: which values it takes, and what it asks of the device's value. A condition is
compiled once, when a snapshot is loaded; matching a device then makes no decisions about types.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from common.rules.versions import Version, parse_version

#: The attributes of a device that a condition may name, besides `attributes.<name>`; all of them are strings.
DEVICE_ATTRIBUTES = frozenset({"platform", "appVersion", "osVersion", "locale", "country", "deviceId"})
CUSTOM_PREFIX = "attributes."
MAX_CONDITIONS = 50
MAX_NAME_LENGTH = 128
MAX_TEXT_LENGTH = 256
MAX_VALUES = 500

Scalar = str | float | bool
#: A device by the names that conditions use; an attribute that it lacks is absent.
DeviceAttributes = Mapping[str, Scalar]
#: Tells whether one value of a device satisfies one condition.
Check = Callable[[Scalar], bool]


class Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One condition. All conditions of a list must hold."""

    attribute: str
    operator: str
    value: Any = None


@dataclass(frozen=True, slots=True)
class Operator:
    """`problem` says what is wrong with a condition's value, `compile` makes the check of a device's value."""

    problem: Callable[[Any], str | None]
    compile: Callable[[Any], Check]
    holds_when_missing: bool = False


@dataclass(frozen=True, slots=True)
class CompiledCondition:
    """A condition made ready for matching."""

    attribute: str
    check: Check
    holds_when_missing: bool

    def holds(self, device: DeviceAttributes) -> bool:
        """Tell whether the device satisfies the condition."""
        return self.holds_for(device.get(self.attribute))

    def holds_for(self, value: Scalar | None) -> bool:
        """Tell whether a device with this value of the attribute, or with none, satisfies the condition."""
        return self.holds_when_missing if value is None else self.check(value)


def condition_problem(condition: Condition) -> str | None:
    """Say why a condition cannot be stored, or None when it can."""
    name = condition.attribute.removeprefix(CUSTOM_PREFIX)
    custom = name != condition.attribute
    if condition.attribute not in DEVICE_ATTRIBUTES and not (custom and 0 < len(name) <= MAX_NAME_LENGTH):
        return f"must name one of {', '.join(sorted(DEVICE_ATTRIBUTES))} or attributes.<name>"
    operator = OPERATORS.get(condition.operator)
    if operator is None:
        return f"must use one of the operators {', '.join(OPERATORS)}"
    problem = operator.problem(condition.value)
    if problem is None and not custom and operator in (_EQUAL, _NOT_EQUAL, _IN, _NOT_IN):
        return _string_problem(condition.value)
    return problem


def compile_conditions(conditions: Iterable[Condition]) -> tuple[CompiledCondition, ...]:
    """Make conditions that have no problem ready for matching."""
    return tuple(_compile(condition) for condition in conditions)


def all_hold(conditions: Iterable[CompiledCondition], device: DeviceAttributes) -> bool:
    """Tell whether the device satisfies every condition."""
    return all(condition.holds(device) for condition in conditions)


def _compile(condition: Condition) -> CompiledCondition:
    operator = OPERATORS[condition.operator]
    fold = _FOLDS.get(condition.attribute)
    if fold is None or operator not in (_EQUAL, _NOT_EQUAL, _IN, _NOT_IN):
        check = operator.compile(condition.value)
    else:
        listed = condition.value if isinstance(condition.value, list) else [condition.value]
        check = fold(listed, wanted=operator in (_EQUAL, _IN))
    return CompiledCondition(condition.attribute, check, operator.holds_when_missing)


# --- equality ---------------------------------------------------------------------------------------------------------


def _identity(value: Scalar) -> tuple[bool, Scalar]:
    """Keep `true` and `1` apart, which Python takes for equal; numbers are doubles, as they are to most SDKs."""
    if isinstance(value, bool | str):
        return isinstance(value, bool), value
    return False, float(value)


def _is_one_of(values: Iterable[Scalar]) -> Check:
    listed = frozenset(map(_identity, values))
    return lambda actual: _identity(actual) in listed


def _negated(check: Check) -> Check:
    return lambda actual: not check(actual)


def _ascii_folded(values: Iterable[str]) -> tuple[str, ...]:
    """Put A to Z in lower case; tags and codes are ASCII, so that what has other letters, to fold or not, is none."""
    return tuple(value.lower() for value in values if value.isascii())


def _locale_check(values: Iterable[str], *, wanted: bool) -> Check:
    """Compare BCP 47 tags without regard to case; a tag also stands for its longer forms (`pt` for `pt-BR`)."""
    folded = _ascii_folded(values)
    exact, prefixes = frozenset(folded), tuple(f"{value}-" for value in folded)
    return lambda actual: (str(actual).lower() in exact or str(actual).lower().startswith(prefixes)) is wanted


def _country_check(values: Iterable[str], *, wanted: bool) -> Check:
    """Compare ISO 3166-1 codes without regard to case."""
    listed = frozenset(_ascii_folded(values))
    return lambda actual: (str(actual).lower() in listed) is wanted


_FOLDS: dict[str, Callable[..., Check]] = {"locale": _locale_check, "country": _country_check}

# --- numbers and versions ---------------------------------------------------------------------------------------------


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number_check(compare: Callable[[float, float], bool]) -> Callable[[float], Check]:
    def compile_check(expected: float) -> Check:
        bound = float(expected)
        return lambda actual: _is_number(actual) and compare(float(actual), bound)

    return compile_check


def _text_check(test: Callable[[str, str], bool]) -> Callable[[str], Check]:
    return lambda expected: lambda actual: isinstance(actual, str) and test(actual, expected)


def _version_check(compare: Callable[[Version, Version], bool]) -> Callable[[str], Check]:
    def compile_check(expected: str) -> Check:
        wanted = parse_version(expected)

        def check(actual: Scalar) -> bool:
            version = parse_version(actual) if isinstance(actual, str) else None
            return version is not None and wanted is not None and compare(version, wanted)

        return check

    return compile_check


# --- what an operator takes -------------------------------------------------------------------------------------------


def _scalar_problem(value: object) -> str | None:
    if isinstance(value, str):
        return None if len(value) <= MAX_TEXT_LENGTH else f"must have a value of at most {MAX_TEXT_LENGTH} characters"
    return None if isinstance(value, bool | int | float) else "must have a string, a number or a boolean as its value"


def _list_problem(value: object) -> str | None:
    if not isinstance(value, list) or not 0 < len(value) <= MAX_VALUES:
        return f"must have a list of 1 to {MAX_VALUES} values"
    return next(filter(None, map(_scalar_problem, value)), None)


def _string_problem(value: object) -> str | None:
    values = value if isinstance(value, list) else [value]
    return None if all(isinstance(one, str) for one in values) else "must be compared with strings"


def _text_problem(value: object) -> str | None:
    if not isinstance(value, str) or not 0 < len(value) <= MAX_TEXT_LENGTH:
        return f"must have a string of 1 to {MAX_TEXT_LENGTH} characters as its value"
    return None


def _number_problem(value: object) -> str | None:
    return None if _is_number(value) else "must have a number as its value"


def _version_problem(value: object) -> str | None:
    known = isinstance(value, str) and len(value) <= MAX_TEXT_LENGTH and parse_version(value) is not None
    return None if known else "must have a semantic version as its value"


def _presence_problem(value: object) -> str | None:
    return None if value is None else "must have no value"


_EQUAL = Operator(_scalar_problem, lambda value: _is_one_of([value]))
_NOT_EQUAL = Operator(_scalar_problem, lambda value: _negated(_is_one_of([value])), holds_when_missing=True)
_IN = Operator(_list_problem, _is_one_of)
_NOT_IN = Operator(_list_problem, lambda values: _negated(_is_one_of(values)), holds_when_missing=True)

OPERATORS: dict[str, Operator] = {
    "eq": _EQUAL,
    "neq": _NOT_EQUAL,
    "in": _IN,
    "not_in": _NOT_IN,
    "contains": Operator(_text_problem, _text_check(lambda actual, part: part in actual)),
    "starts_with": Operator(_text_problem, _text_check(str.startswith)),
    "ends_with": Operator(_text_problem, _text_check(str.endswith)),
    "gt": Operator(_number_problem, _number_check(lambda actual, bound: actual > bound)),
    "gte": Operator(_number_problem, _number_check(lambda actual, bound: actual >= bound)),
    "lt": Operator(_number_problem, _number_check(lambda actual, bound: actual < bound)),
    "lte": Operator(_number_problem, _number_check(lambda actual, bound: actual <= bound)),
    "semver_eq": Operator(_version_problem, _version_check(lambda actual, other: actual == other)),
    "semver_gt": Operator(_version_problem, _version_check(lambda actual, other: actual > other)),
    "semver_gte": Operator(_version_problem, _version_check(lambda actual, other: actual >= other)),
    "semver_lt": Operator(_version_problem, _version_check(lambda actual, other: actual < other)),
    "semver_lte": Operator(_version_problem, _version_check(lambda actual, other: actual <= other)),
    "exists": Operator(_presence_problem, lambda _: lambda _actual: True),
    "not_exists": Operator(_presence_problem, lambda _: lambda _actual: False, holds_when_missing=True),
}
