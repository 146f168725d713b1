"""Versions, implemented from docs/bucketing.md; imports nothing of the service."""

import re

#: Numbers are less than texts.
Part = tuple[int, int, str]

_NUMBER = "(?:0|[1-9][0-9]*)"
_PART = f"(?:{_NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_VERSION = re.compile(
    rf"({_NUMBER}(?:\.{_NUMBER}){{0,2}})(?:-({_PART}(?:\.{_PART})*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
)


def order(first_text: str, second_text: str) -> int | None:
    """Return -1, 0 or 1 as the first is less, equal or greater; None unless both are versions."""
    first, second = _VERSION.fullmatch(first_text), _VERSION.fullmatch(second_text)
    if first is None or second is None:
        return None
    numbers = _compare(_numbers(first[1]), _numbers(second[1]))
    if numbers or first[2] == second[2]:
        return numbers
    if first[2] is None or second[2] is None:
        return 1 if first[2] is None else -1
    return _compare(_parts(first[2]), _parts(second[2]))


def _numbers(text: str) -> list[Part]:
    numbers = [int(number) for number in text.split(".")]
    return [(0, number, "") for number in numbers + [0] * (3 - len(numbers))]


def _parts(text: str) -> list[Part]:
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in text.split(".")]


def _compare(first: list[Part], second: list[Part]) -> int:
    return (first > second) - (first < second)
