"""Values of formulas, implemented from docs/logic.md alone; Python's parser reads them."""

import ast
import calendar
import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

Values = Mapping[str, Any]

_PARTS = re.compile(r'(?P<text>"(?:[^"\\]|\\.)*")|(?P<name>[A-Za-z_][\w.]*)|(?P<number>[0-9.]+(?:[eE][+-]?[0-9]+)?)')
_CONSTANTS = {"true": True, "false": False}


class Missing(Exception):  # noqa: N818 - a value, not an error
    """The value of a formula is missing."""


def value_of(formula: str, values: Values, today: str) -> Any:  # noqa: ANN401 - JSON
    """Return the value of a formula, None if it is missing."""
    leaves: list[Any] = []

    def in_python(part: re.Match[str]) -> str:
        text = part[0]
        if text in {"and", "or", "not"}:
            return text
        if part["text"] is not None:
            leaves.append(("constant", re.sub(r"\\(.)", r"\1", text[1:-1])))
        elif part["number"] is not None:
            leaves.append(("constant", float(text)))
        elif text in _CONSTANTS:
            leaves.append(("constant", _CONSTANTS[text]))
        else:
            leaves.append(("name", text))
        return f" _{len(leaves) - 1} "

    source = _PARTS.sub(in_python, formula.replace("\n", " ")).strip()
    try:
        return _Evaluation(leaves, values, today).of(ast.parse(source, mode="eval").body)
    except Missing:
        return None


class _Evaluation:
    def __init__(self, leaves: Sequence[tuple[str, Any]], values: Values, today: str) -> None:
        self._leaves = leaves
        self._values = values
        self._today = today

    def of(self, node: ast.expr) -> Any:  # noqa: ANN401 - JSON
        """Return the value of a part. Raises Missing."""
        match node:
            case ast.Name():
                kind, leaf = self._leaf(node)
                found = leaf if kind == "constant" else self._values.get(leaf)
            case ast.UnaryOp(op=ast.Not()):
                found = not _boolean(self.of(node.operand))
            case ast.UnaryOp():
                found = -_number(self.of(node.operand))
            case ast.BoolOp():
                given = [_boolean(self.of(part)) for part in node.values]
                found = all(given) if isinstance(node.op, ast.And) else any(given)
            case ast.BinOp():
                found = _calculated(node.op, _number(self.of(node.left)), _number(self.of(node.right)))
            case ast.Compare(ops=[operator], comparators=[other]):
                found = _compared(operator, self.of(node.left), self.of(other))
            case ast.Call(func=ast.Name() as function):
                found = self._called(self._leaf(function)[1], node.args)
            case _:
                raise AssertionError(ast.dump(node))
        return _checked(found)

    def _leaf(self, node: ast.Name) -> tuple[str, Any]:
        return self._leaves[int(node.id[1:])]

    def _called(self, function: str, parts: Sequence[ast.expr]) -> Any:  # noqa: ANN401 - JSON
        if function == "if":
            return self.of(parts[1] if _boolean(self.of(parts[0])) else parts[2])
        if function == "coalesce":
            for part in parts:
                try:
                    return self.of(part)
                except Missing:
                    continue
            raise Missing
        given = [self.of(part) for part in parts]
        return self._today if function == "today" else FUNCTIONS[function](*given)


def _checked(value: Any) -> Any:  # noqa: ANN401 - JSON
    """Return a value that is not missing. A number is finite, and 0 has no sign."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        raise Missing
    return value + 0.0 if kind_of(value) == "number" else value


def kind_of(value: object) -> str:
    """Return text, number, boolean or list."""
    names = {str: "text", bool: "boolean", int: "number", float: "number", list: "list"}
    return names[type(value)]


def is_same(one: Any, other: Any) -> bool:  # noqa: ANN401 - JSON
    """Return whether two values have one type and are equal."""
    if kind_of(one) == kind_of(other) == "list":
        return len(one) == len(other) and all(map(is_same, one, other))
    return bool(kind_of(one) == kind_of(other) and one == other)


def _number(value: Any) -> float:  # noqa: ANN401 - JSON
    if kind_of(value) != "number":
        raise Missing
    return float(value)


def _boolean(value: Any) -> bool:  # noqa: ANN401 - JSON
    if kind_of(value) != "boolean":
        raise Missing
    return bool(value)


def _text(value: Any) -> str:  # noqa: ANN401 - JSON
    if kind_of(value) != "text":
        raise Missing
    return str(value)


def _calculated(operator: ast.operator, left: float, right: float) -> float:
    if isinstance(operator, ast.Div):
        if right == 0:
            raise Missing
        return left / right
    if isinstance(operator, ast.Mult):
        return left * right
    return left + right if isinstance(operator, ast.Add) else left - right


def _compared(operator: ast.cmpop, left: Any, right: Any) -> bool:  # noqa: ANN401 - JSON
    if isinstance(operator, ast.Eq | ast.NotEq):
        return is_same(left, right) is isinstance(operator, ast.Eq)
    if kind_of(left) != kind_of(right) or kind_of(left) not in {"number", "text"}:
        raise Missing
    if kind_of(left) == "text":
        # The order of UTF-16 code units.
        left, right = left.encode("utf-16-be"), right.encode("utf-16-be")
    is_less, is_equal = left < right, left == right
    match operator:
        case ast.Lt():
            return bool(is_less)
        case ast.LtE():
            return bool(is_less or is_equal)
        case ast.Gt():
            return not is_less and not is_equal
        case _:
            return not is_less


def _round(x: float, digits: float = 0) -> float:
    _number(x)
    if not float(_number(digits)).is_integer() or abs(digits) > 15:
        raise Missing
    scale = float(10 ** abs(int(digits)))
    scaled = float(math.floor(_finite(abs(x) * scale if digits >= 0 else abs(x) / scale) + 0.5))
    return math.copysign(scaled / scale if digits >= 0 else scaled * scale, x)


def _finite(number: float) -> float:
    if not math.isfinite(number):
        raise Missing
    return number


def _pow(x: float, y: float) -> float:
    try:
        return math.pow(_number(x), _number(y))
    except (OverflowError, ValueError):
        raise Missing from None


def _contains(inside: Any, value: Any) -> bool:  # noqa: ANN401 - JSON
    if kind_of(inside) == "list":
        return any(is_same(one, value) for one in inside)
    return _text(value) in _text(inside)


def _count(given: Any) -> float:  # noqa: ANN401 - JSON
    if kind_of(given) != "list":
        raise Missing
    return float(len(given))


def _concat(*given: Any) -> str:  # noqa: ANN401 - JSON
    return "".join(plain_text(one) for one in given)


def plain_text(value: Any) -> str:  # noqa: ANN401 - JSON
    """Return a text, a boolean or a number as JavaScript writes it."""
    kind = kind_of(value)
    if kind == "list":
        raise Missing
    if kind != "number":
        return {True: "true", False: "false"}[value] if kind == "boolean" else str(value)
    sign, digits, exponent = Decimal(repr(float(value))).normalize().as_tuple()
    figures, point = "".join(map(str, digits)), len(digits) + int(exponent)
    if figures == "0":
        return "0"
    minus = "-" if sign else ""
    if len(figures) <= point <= 21:
        return minus + figures.ljust(point, "0")
    if 0 < point <= 21:
        return f"{minus}{figures[:point]}.{figures[point:]}"
    if -6 < point <= 0:
        return f"{minus}0.{'0' * -point}{figures}"
    mantissa = figures[0] + (f".{figures[1:]}" if len(figures) > 1 else "")
    return f"{minus}{mantissa}e{point - 1:+d}"


def _lookup(value: Any, *pairs: Any) -> Any:  # noqa: ANN401 - JSON
    for key, found in zip(pairs[0:-1:2], pairs[1::2], strict=True):
        if is_same(key, value):
            return found
    return pairs[-1]


def date_of(value: Any) -> date | None:  # noqa: ANN401 - JSON
    """Return a date of the text `YYYY-MM-DD`, None for another value."""
    if not isinstance(value, str) or re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value) is None:
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None


def _date(value: Any) -> date:  # noqa: ANN401 - JSON
    found = date_of(value)
    if found is None:
        raise Missing
    return found


def _date_add(given: Any, count: Any, unit: Any) -> str:  # noqa: ANN401 - JSON
    start = _date(given)
    if not float(_number(count)).is_integer() or unit not in ("day", "week", "month"):
        raise Missing
    try:
        if unit != "month":
            return (start + timedelta(days=int(count) * (7 if unit == "week" else 1))).isoformat()
        year, month = divmod(start.year * 12 + start.month - 1 + int(count), 12)
        last = calendar.monthrange(year, month + 1)[1]
        return date(year, month + 1, min(start.day, last)).isoformat()
    except (OverflowError, ValueError):
        raise Missing from None


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "round": _round,
    "floor": lambda x: float(math.floor(_number(x))),
    "ceil": lambda x: float(math.ceil(_number(x))),
    "abs": lambda x: abs(_number(x)),
    "min": lambda *given: min(map(_number, given)),
    "max": lambda *given: max(map(_number, given)),
    "pow": _pow,
    "contains": _contains,
    "count": _count,
    "concat": _concat,
    "lookup": _lookup,
    "date_add": _date_add,
    "days_between": lambda a, b: float((_date(b) - _date(a)).days),
}
