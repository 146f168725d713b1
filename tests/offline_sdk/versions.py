"""Versions as docs/bucketing.md tells them; nothing of the service is used here."""

import re

_NUMBER = "(?:0|[1-9][0-9]*)"
_PART = f"(?:{_NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_VERSION = re.compile(
    rf"({_NUMBER}(?:\.{_NUMBER}){{0,2}})(?:-({_PART}(?:\.{_PART})*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
)


def order(one: str, other: str) -> int | None:
    """Give -1, 0 or 1 as the first is less, equal or greater; None unless both are versions."""
    first, second = _VERSION.fullmatch(one), _VERSION.fullmatch(other)
    if first is None or second is None:
        return None
    numbers = _compared(_numbers(first[1]), _numbers(second[1]))
    if numbers or first[2] == second[2]:
        return numbers
    if first[2] is None or second[2] is None:
        return 1 if first[2] is None else -1
    return _compared(_parts(first[2]), _parts(second[2]))


def _numbers(text: str) -> list[int]:
    given = [int(number) for number in text.split(".")]
    return given + [0] * (3 - len(given))


def _parts(text: str) -> list[tuple[int, int, str]]:
    """Make parts comparable: numbers before texts."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in text.split(".")]


def _compared(one: list[int] | list[tuple[int, int, str]], other: list[int] | list[tuple[int, int, str]]) -> int:
    return (one > other) - (one < other)  # type: ignore[operator]  # both are of one kind
