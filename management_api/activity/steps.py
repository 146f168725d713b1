"""Work that is done a step at a time, and gives something at the end."""

from collections.abc import Generator
from typing import TypeAlias, TypeVar

T = TypeVar("T")

Steps: TypeAlias = Generator[None, None, T]


def done_at_once(steps: Steps[T]) -> T:
    """Do all steps that are left, and give the result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
