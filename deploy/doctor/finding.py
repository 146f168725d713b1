"""What a check has found, in a plain sentence, and what to do about it."""

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How things stand, from good to bad."""

    WELL = "well"
    #: It could not be looked at, because of something that another check tells, or because nobody said where it is.
    UNCHECKED = "not checked"
    WARNING = "warning"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence; `remedy` is another one, where something is to be done. Neither ever shows a secret."""

    level: Level
    sentence: str
    remedy: str = ""


def well(sentence: str) -> Finding:
    """Say that something is as it should be."""
    return Finding(Level.WELL, sentence)


def unchecked(sentence: str) -> Finding:
    """Say why something was not looked at."""
    return Finding(Level.UNCHECKED, sentence)


def warning(sentence: str, remedy: str) -> Finding:
    """Say that something wants looking after, though clients notice nothing."""
    return Finding(Level.WARNING, sentence, remedy)


def wrong(sentence: str, remedy: str) -> Finding:
    """Say that something does not work, or that data is in danger."""
    return Finding(Level.WRONG, sentence, remedy)
