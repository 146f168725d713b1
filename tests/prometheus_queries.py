"""As much of Prometheus's query language as our queries use, read by a few regular expressions."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

#: What Prometheus itself puts on every series.
OWN_LABELS = frozenset({"job", "instance", "le"})
_METRIC = re.compile(r"\b(onboarding_[a-z_]+|up)\b(?:\{([^}]*)\})?")
_MATCHER = re.compile(r'([a-z_]+)\s*(=~|!~|!=|=)\s*"([^"]*)"')
_GROUPING = re.compile(r"\b(?:by|without|on|ignoring)\s*\(([^)]*)\)")
_CALLED = re.compile(r"\b([a-z_]+)\s*(?=\()")
#: All that may stand before a bracket.
KNOWN_CALLS = frozenset(
    {"sum", "max", "min", "count", "rate", "increase", "histogram_quantile", "absent", "time", "by", "ignoring", "or"}
)


@dataclass(frozen=True)
class Selector:
    """A series that a query asks for, with its conditions: label, operator, value."""

    series: str
    matchers: tuple[tuple[str, str, str], ...]

    def admits(self, labels: Mapping[str, str]) -> bool:
        """Tell whether the conditions hold."""
        return all(_holds(operator, labels.get(label, ""), value) for label, operator, value in self.matchers)


def selectors_of(query: str) -> list[Selector]:
    """Give what a query asks for."""
    return [Selector(name, tuple(_MATCHER.findall(matchers or ""))) for name, matchers in _METRIC.findall(query)]


def grouping_labels_of(query: str) -> set[str]:
    """Name the labels that a query groups by."""
    return {label.strip() for labels in _GROUPING.findall(query) for label in labels.split(",")}


def calls_of(query: str) -> set[str]:
    """Name the functions of a query, and the words that stand before brackets."""
    return set(_CALLED.findall(_without_strings(query)))


def is_balanced(query: str) -> bool:
    """Tell whether every bracket has its partner."""
    open_ones: list[str] = []
    for character in _without_strings(query):
        if character in "([{":
            open_ones.append({"(": ")", "[": "]", "{": "}"}[character])
        elif character in ")]}" and (not open_ones or open_ones.pop() != character):
            return False
    return not open_ones


def _holds(operator: str, value: str, wanted: str) -> bool:
    is_same = value == wanted if operator in ("=", "!=") else re.fullmatch(wanted, value) is not None
    return is_same is not operator.startswith("!")


def _without_strings(query: str) -> str:
    return re.sub(r'"[^"]*"', '""', query)
