"""The result of a check: a sentence for the operator, and a remedy."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self


class Level(StrEnum):
    """The severity, in ascending order."""

    OK = "ok"
    #: A server is unreachable, which another check reports, or its address is not given.
    NOT_CHECKED = "not checked"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Result:
    """One sentence, and a remedy if one is needed. Neither shows a secret."""

    level: Level
    message: str
    remedy: str = ""

    @classmethod
    def ok(cls, message: str) -> Self:
        """Return a result without a problem."""
        return cls(Level.OK, message)

    @classmethod
    def not_checked(cls, message: str) -> Self:
        """Return the reason why a check was not possible."""
        return cls(Level.NOT_CHECKED, message)

    @classmethod
    def warning(cls, message: str, remedy: str) -> Self:
        """Return a problem that clients do not notice yet."""
        return cls(Level.WARNING, message, remedy)

    @classmethod
    def error(cls, message: str, remedy: str) -> Self:
        """Return a failure, or a danger for data."""
        return cls(Level.ERROR, message, remedy)
