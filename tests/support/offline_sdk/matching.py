"""Conditions, implemented from docs/bucketing.md operator by operator; imports nothing of the service."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.support.offline_sdk.versions import order

Json = Mapping[str, Any]
Scalar = str | float | bool

_MEMBERS = ("platform", "appVersion", "osVersion", "locale", "country", "deviceId")
_ORDERS: Mapping[str, tuple[int | None, ...]] = {
    "semver_eq": (0,),
    "semver_gt": (1,),
    "semver_gte": (0, 1),
    "semver_lt": (-1,),
    "semver_lte": (-1, 0),
}
_OPERATORS = {
    *("eq", "neq", "in", "not_in", "contains", "starts_with", "ends_with", "gt", "gte", "lt", "lte"),
    *("exists", "not_exists", *_ORDERS),
}


def all_hold(conditions: Sequence[Json], device: Json) -> bool:
    """Return whether all conditions hold for a device."""
    return all(holds(condition, device) for condition in conditions)


def holds(condition: Json, device: Json) -> bool:
    """Return whether a condition holds for a device. One with an unknown operator or attribute fails."""
    attribute, operator = condition["attribute"], condition["operator"]
    if operator not in _OPERATORS or not (attribute in _MEMBERS or attribute.startswith("attributes.")):
        return False
    value: Any = condition.get("value")
    actual = _value(attribute, device)
    if actual is None:
        return operator in {"neq", "not_in", "not_exists"}
    if operator in {"eq", "neq"}:
        return _is_equal(attribute, actual, value) is (operator == "eq")
    if operator in {"in", "not_in"}:
        return any(_is_equal(attribute, actual, item) for item in value) is (operator == "in")
    return _holds_for_any_attribute(operator, actual, value)


def _holds_for_any_attribute(operator: str, actual: Any, value: Any) -> bool:  # noqa: ANN401 - JSON
    """Evaluate the operators that do not depend on the attribute."""
    match operator:
        case "exists" | "not_exists":
            return operator == "exists"
        case "contains" | "starts_with" | "ends_with":
            return isinstance(actual, str) and _has_text(operator, actual, value)
        case "gt" | "gte" | "lt" | "lte":
            return _kind(actual) == "number" and _is_in_order(operator, float(actual), float(value))
    return isinstance(actual, str) and order(actual, value) in _ORDERS[operator]


def _value(attribute: str, device: Json) -> Any:  # noqa: ANN401 - JSON
    if attribute in _MEMBERS:
        value = device.get(attribute)
        return value.strip() if isinstance(value, str) else value
    return (device.get("attributes") or {}).get(attribute.split(".", 1)[1])


def _is_equal(attribute: str, actual: Scalar, value: Scalar) -> bool:
    if attribute in {"locale", "country"}:
        actual, value = _ascii_lower(str(actual)), _ascii_lower(str(value))
        if attribute == "locale" and actual.startswith(value + "-"):
            return True
    if _kind(actual) != _kind(value):
        return False
    return float(actual) == float(value) if _kind(actual) == "number" else actual == value


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "boolean"
    return "text" if isinstance(value, str) else "number"


def _ascii_lower(text: str) -> str:
    return "".join(chr(ord(letter) + 32) if "A" <= letter <= "Z" else letter for letter in text)


def _has_text(operator: str, actual: str, value: str) -> bool:
    if operator == "contains":
        return value in actual
    return actual[: len(value)] == value if operator == "starts_with" else actual[-len(value) :] == value


def _is_in_order(operator: str, actual: float, value: float) -> bool:
    if actual == value:
        return operator in {"gte", "lte"}
    return (actual > value) is (operator in {"gt", "gte"})
