"""Conditions as docs/bucketing.md tells them, operator by operator; nothing of the service is used here."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.offline_sdk.versions import order

Json = Mapping[str, Any]

_MEMBERS = ("platform", "appVersion", "osVersion", "locale", "country", "deviceId")
_ORDERS: Mapping[str, tuple[int | None, ...]] = {
    "semver_eq": (0,),
    "semver_gt": (1,),
    "semver_gte": (0, 1),
    "semver_lt": (-1,),
    "semver_lte": (-1, 0),
}


def all_hold(conditions: Sequence[Json], device: Json) -> bool:
    """Tell whether all conditions hold for what a device says."""
    return all(holds(condition, device) for condition in conditions)


def holds(condition: Json, device: Json) -> bool:
    """Tell whether one condition holds."""
    attribute, operator = condition["attribute"], condition["operator"]
    value: Any = condition.get("value")
    actual = _said(attribute, device)
    if actual is None:
        return operator in {"neq", "not_in", "not_exists"}
    if operator in {"eq", "neq"}:
        return _is_equal(attribute, actual, value) is (operator == "eq")
    if operator in {"in", "not_in"}:
        return any(_is_equal(attribute, actual, one) for one in value) is (operator == "in")
    return _asks_alike(operator, actual, value)


def _asks_alike(operator: str, actual: Any, value: Any) -> bool:  # noqa: ANN401 - JSON
    """Ask what does not depend on the attribute."""
    match operator:
        case "exists" | "not_exists":
            return operator == "exists"
        case "contains" | "starts_with" | "ends_with":
            return isinstance(actual, str) and _has_text(operator, actual, value)
        case "gt" | "gte" | "lt" | "lte":
            return _kind(actual) == "number" and _is_in_order(operator, float(actual), float(value))
    return isinstance(actual, str) and order(actual, value) in _ORDERS[operator]


def _said(attribute: str, device: Json) -> Any:  # noqa: ANN401 - whatever the device says
    if attribute in _MEMBERS:
        said = device.get(attribute)
        return said.strip() if isinstance(said, str) else said
    return (device.get("attributes") or {}).get(attribute.split(".", 1)[1])


def _is_equal(attribute: str, actual: object, value: object) -> bool:
    if attribute in {"locale", "country"}:
        actual, value = _in_small_letters(str(actual)), _in_small_letters(str(value))
        if attribute == "locale" and actual.startswith(value + "-"):
            return True
    if _kind(actual) != _kind(value):
        return False
    return float(actual) == float(value) if _kind(actual) == "number" else actual == value  # type: ignore[arg-type]  # numbers


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "boolean"
    return "text" if isinstance(value, str) else "number"


def _in_small_letters(text: str) -> str:
    return "".join(chr(ord(one) + 32) if "A" <= one <= "Z" else one for one in text)


def _has_text(operator: str, actual: str, value: str) -> bool:
    if operator == "contains":
        return value in actual
    return actual[: len(value)] == value if operator == "starts_with" else actual[-len(value) :] == value


def _is_in_order(operator: str, actual: float, value: float) -> bool:
    if actual == value:
        return operator in {"gte", "lte"}
    return (actual > value) is (operator in {"gt", "gte"})
