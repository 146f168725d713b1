"""Formulas of variables: their grammar, which clients evaluate (logic, Formulas and texts).

The service checks formulas, so that no client meets one that it cannot read, and hosted pages get their trees. The
grammar is a part of Python's:
Python's parser builds the tree from a text in which each name and each text is a plain identifier, so that no keyword
and no escape of Python has a meaning here.
"""

import ast
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Final, TypeAlias

#: Of a tree, so that a client evaluates a formula in bounded time.
MAX_NODES = 200
MAX_FORMULA_LENGTH = 500
#: The attributes of a device that a formula may name.
DEVICE_NAMES = frozenset({"platform", "appVersion", "osVersion", "locale", "country"})
ANSWERS, ATTRIBUTES, VARIABLES = "answers", "attributes", "variables"

#: The least and the greatest number of arguments of each function; None: any number.
FUNCTIONS: Final[Mapping[str, tuple[int, int | None]]] = {
    "if": (3, 3),
    "round": (1, 2),
    "floor": (1, 1),
    "ceil": (1, 1),
    "abs": (1, 1),
    "min": (1, None),
    "max": (1, None),
    "pow": (2, 2),
    "contains": (2, 2),
    "count": (1, 1),
    "coalesce": (1, None),
    "concat": (1, None),
    "lookup": (4, None),
    "today": (0, 0),
    "date_add": (3, 3),
    "days_between": (2, 2),
}

_TOKEN = re.compile(
    r"(?P<space>[ \t\r\n]+)"
    r"|(?P<number>(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![0-9A-Za-z_.]))"
    r'|(?P<text>"(?:[^"\\]|\\["\\])*")'
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)"
    r"|(?P<operator>==|!=|<=|>=|[-+*/<>(),])"
)
_OPERATORS = frozenset({"and", "or", "not"})
_CONSTANTS = frozenset({"true", "false"})
#: Stands for a name or a text in the source for Python; the number is the place of the token.
_PLACEHOLDER = "t{}"


#: A text, a number, a boolean, or a list of an operator or a function and its arguments; `get` has a name.
Tree: TypeAlias = "str | float | bool | list[Tree]"

_OPERATOR_NAMES: Final[Mapping[type[ast.AST], str]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.And: "and",
    ast.Or: "or",
}


class FormulaError(Exception):
    """A formula that cannot be stored. The message reads on after the name of the member."""

    def __init__(self, position: int, reason: str) -> None:
        super().__init__(f"must be a formula, but has an error at character {position + 1}: {reason}")


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a formula, and the place of its first character."""

    kind: str
    text: str
    start: int


def tokens_of(formula: str) -> Iterator[Token]:
    """Yield the tokens of a formula, white space too. Raises FormulaError."""
    place = 0
    while place < len(formula):
        found = _TOKEN.match(formula, place)
        if found is None:
            raise FormulaError(place, f"{formula[place]!r} is not expected")
        yield Token(str(found.lastgroup), found[0], place)
        place = found.end()


def parse_formula(formula: str, earlier: Collection[str], later: Collection[str] = ()) -> Tree:
    """Return the tree of a formula.

    Raises FormulaError unless the formula parses, and names answers, attributes and earlier variables only.
    """
    tokens = [token for token in tokens_of(formula) if token.kind != "space"]
    if not tokens:
        raise FormulaError(0, "a value is expected")
    return _Parser(tokens, earlier, later).parse()


def names_in(formula: str) -> list[str]:
    """Return the names in a formula that :func:`parse_formula` accepts, `answers.goal` for example."""
    return [token.text for token in tokens_of(formula) if token.kind == "name" and "." in token.text]


def rename_in(formula: str, renamed: Callable[[str], str]) -> str:
    """Return a formula with other names for answers, attributes and variables."""
    return "".join(renamed(token.text) if token.kind == "name" else token.text for token in tokens_of(formula))


class _Parser:
    """Makes the tree of one formula. Columns of Python's tree lead back to tokens."""

    def __init__(self, tokens: list[Token], earlier: Collection[str], later: Collection[str]) -> None:
        self._tokens = tokens
        self._earlier = earlier
        self._later = later
        self._starts: list[tuple[int, int]] = []

    def parse(self) -> Tree:
        parts: list[str] = []
        column = 0
        for place, token in enumerate(self._tokens):
            if token.text == ")" and place and self._tokens[place - 1].text == ",":
                raise FormulaError(token.start, "a value is expected")
            self._starts.append((column, token.start))
            parts.append(self._in_python(place, token))
            column += len(parts[-1]) + 1
        try:
            tree = ast.parse(" ".join(parts), mode="eval")
        except SyntaxError as error:
            # Python counts columns from 1; without one, or at the end, something is missing.
            raise FormulaError(self._position((error.offset or column) - 1), "this is not a formula") from None
        except (RecursionError, MemoryError, ValueError):
            raise FormulaError(0, "the formula is nested too deeply") from None
        if sum(isinstance(node, ast.expr) for node in ast.walk(tree)) > MAX_NODES:
            raise FormulaError(0, f"a formula has at most {MAX_NODES} parts")
        return self._tree(tree.body)

    @staticmethod
    def _in_python(place: int, token: Token) -> str:
        if token.kind == "number":
            # Python refuses a zero in front.
            number = float(token.text)
            if math.isinf(number):
                raise FormulaError(token.start, "the number is too large")
            return repr(number)
        if token.kind == "operator" or token.text in _OPERATORS:
            return token.text
        return _PLACEHOLDER.format(place)

    def _tree(self, node: ast.expr) -> Tree:
        """Return the tree of a part. Raises FormulaError for one that is not in the grammar."""
        match node:
            case ast.Constant(value=float() as number):
                tree: Tree = number
            case ast.Name():
                tree = self._leaf(node)
            case ast.BoolOp(op=operator):
                first, *others = map(self._tree, node.values)
                tree = reduce(lambda left, right: [_OPERATOR_NAMES[type(operator)], left, right], others, first)
            case ast.UnaryOp(op=ast.USub() | ast.Not()):
                tree = ["-" if isinstance(node.op, ast.USub) else "not", self._tree(node.operand)]
            case ast.BinOp(op=operator) | ast.Compare(ops=[operator]) if type(operator) in _OPERATOR_NAMES:
                right = node.right if isinstance(node, ast.BinOp) else node.comparators[0]
                tree = [_OPERATOR_NAMES[type(operator)], self._tree(node.left), self._tree(right)]
            case ast.Compare(comparators=[_, second, *_]):
                raise self._error(second, "comparisons cannot be chained: use and")
            case ast.Call():
                tree = self._call(node)
            case _:
                raise self._error(node, "this is not a formula")
        return tree

    def _call(self, node: ast.Call) -> Tree:
        function = self._token(node.func).text if isinstance(node.func, ast.Name) else ""
        limits = FUNCTIONS.get(function)
        if limits is None:
            raise self._error(node, f"the functions are {', '.join(FUNCTIONS)}")
        least, greatest = limits
        given = len(node.args)
        if given < least or (greatest is not None and given > greatest) or (function == "lookup" and given % 2):
            raise self._error(node, f"{function} has not {given} arguments")
        if any(isinstance(argument, ast.Starred) for argument in node.args) or node.keywords:
            raise self._error(node, "this is not a formula")
        return [function, *map(self._tree, node.args)]

    def _leaf(self, node: ast.Name) -> Tree:
        token = self._token(node)
        if token.kind == "text":
            return re.sub(r"\\(.)", r"\1", token.text[1:-1])
        if token.text in _CONSTANTS:
            return token.text == "true"
        group, dot, name = token.text.partition(".")
        is_free = group in {ANSWERS, ATTRIBUTES} and bool(dot) and "." not in name
        if token.text in DEVICE_NAMES or is_free or (group == VARIABLES and name in self._earlier):
            return ["get", token.text]
        if group == VARIABLES and name in self._later:
            raise self._error(node, f"{token.text} is not computed before this variable")
        raise self._error(node, f"{token.text} is unknown")

    def _token(self, node: ast.expr) -> Token:
        return self._tokens[int(node.id[1:])] if isinstance(node, ast.Name) else self._tokens[0]

    def _error(self, node: ast.expr, reason: str) -> FormulaError:
        return FormulaError(self._position(node.col_offset), reason)

    def _position(self, column: int) -> int:
        """Return the place in the formula of a column of Python's source."""
        return max((start for begun, start in self._starts if begun <= column), default=0)
