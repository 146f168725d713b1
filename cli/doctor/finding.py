"""The result of a check: a sentence for the operator, and a remedy."""

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """The severity, in ascending order."""

    WELL = "well"
    #: Not looked at: a server is unreachable, which another check reports, or its address is not given.
    UNCHECKED = "not checked"
    WARNING = "warning"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence, and one that says what to do, if anything. Neither shows a secret."""

    level: Level
    sentence: str
    remedy: str = ""


def well(sentence: str) -> Finding:
    """Return a finding without a problem."""
    return Finding(Level.WELL, sentence)


def unchecked(sentence: str) -> Finding:
    """Return the reason why something was not looked at."""
    return Finding(Level.UNCHECKED, sentence)


def warning(sentence: str, remedy: str) -> Finding:
    """Return a problem that clients do not notice yet."""
    return Finding(Level.WARNING, sentence, remedy)


def wrong(sentence: str, remedy: str) -> Finding:
    """Return a failure, or a danger for data."""
    return Finding(Level.WRONG, sentence, remedy)
