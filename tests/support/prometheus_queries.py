"""Parses the part of PromQL that the queries of this project use, with regular expressions."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

#: Labels that Prometheus adds to every series.
OWN_LABELS = frozenset({"job", "instance", "le"})
_METRIC = re.compile(r"\b(onboarding[_:][a-z0-9_:]+|up|probe_success)\b(?:\{([^}]*)\})?")
_MATCHER = re.compile(r'([a-z_]+)\s*(=~|!~|!=|=)\s*"([^"]*)"')
_GROUPING = re.compile(r"\b(?:by|without|on|ignoring)\s*\(([^)]*)\)")
_CALLED = re.compile(r"\b([a-z_]+)\s*(?=\()")
#: The functions and keywords of the queries.
KNOWN_CALLS = frozenset(
    {
        "sum",
        "max",
        "min",
        "avg",
        "count",
        "rate",
        "increase",
        "histogram_quantile",
        "absent",
        "time",
        "vector",
        "or",
        "and",
    }
    | {"avg_over_time", "by", "on", "ignoring", "group_left"}
)


@dataclass(frozen=True)
class Selector:
    """A series of a query with its matchers: label, operator, value."""

    series: str
    matchers: tuple[tuple[str, str, str], ...]

    def admits(self, labels: Mapping[str, str]) -> bool:
        """Return whether the labels match."""
        return all(_holds(operator, labels.get(label, ""), value) for label, operator, value in self.matchers)


def selectors_of(query: str) -> list[Selector]:
    """Return the selectors of a query."""
    return [Selector(name, tuple(_MATCHER.findall(matchers or ""))) for name, matchers in _METRIC.findall(query)]


def grouping_labels_of(query: str) -> set[str]:
    """Return the labels by which a query groups."""
    return {label.strip() for labels in _GROUPING.findall(query) for label in labels.split(",")}


def calls_of(query: str) -> set[str]:
    """Return the functions and keywords before the brackets of a query."""
    return set(_CALLED.findall(_without_strings(query)))


def is_balanced(query: str) -> bool:
    """Return whether every bracket is closed."""
    expected: list[str] = []
    for character in _without_strings(query):
        if character in "([{":
            expected.append({"(": ")", "[": "]", "{": "}"}[character])
        elif character in ")]}" and (not expected or expected.pop() != character):
            return False
    return not expected


def _holds(operator: str, value: str, wanted: str) -> bool:
    is_same = value == wanted if operator in ("=", "!=") else re.fullmatch(wanted, value) is not None
    return is_same is not operator.startswith("!")


def _without_strings(query: str) -> str:
    return re.sub(r'"[^"]*"', '""', query)
