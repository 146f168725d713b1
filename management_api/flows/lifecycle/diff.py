"""Differences of two documents of a flow, for people and programs (lifecycle, Shapes).

Screens are compared by their ids: a screen that is moved and changed is one move and the changes inside of it.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Json = Any
Operation = Literal["add", "remove", "replace", "move"]

#: The document of a flow before its first version.
EMPTY_DOCUMENT: Mapping[str, Any] = {"screens": []}


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. `path` is a JSON pointer in which screens are named by their ids.

    `before` and `after` are values, or the positions of a moved screen; None for an added or removed value.
    """

    op: Operation
    path: str
    before: Json
    after: Json


def document_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """Return the changes from one document to the other: of the flow, then of its screens in their new order."""
    former, present = (
        {name: value for name, value in document.items() if name != "screens"} for document in (before, after)
    )
    return [*_object_changes("", former, present), *_screen_changes(before["screens"], after["screens"])]


def _screen_changes(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> Iterator[Change]:
    former = {screen["id"]: (position, screen) for position, screen in enumerate(before)}
    present = {screen["id"] for screen in after}
    for screen_id, (_, screen) in former.items():
        if screen_id not in present:
            yield Change("remove", _join("/screens", screen_id), screen, None)
    kept = [screen["id"] for screen in after if screen["id"] in former]
    in_order = _longest_ascending([former[screen_id][0] for screen_id in kept])
    stays = {screen_id for screen_id in kept if former[screen_id][0] in in_order}
    for position, screen in enumerate(after):
        path = _join("/screens", screen["id"])
        if screen["id"] not in former:
            yield Change("add", path, None, screen)
            continue
        former_position, former_screen = former[screen["id"]]
        if screen["id"] not in stays:
            yield Change("move", path, former_position, position)
        yield from _object_changes(path, former_screen, screen)


def _longest_ascending(positions: Sequence[int]) -> frozenset[int]:
    """Return a longest ascending subsequence of different numbers: the screens that need no move."""
    ends: list[int] = []
    previous: dict[int, int | None] = {}
    for position in positions:
        length = bisect_left(ends, position)
        previous[position] = ends[length - 1] if length else None
        ends[length : length + 1] = [position]
    chain: list[int] = []
    last = ends[-1] if ends else None
    while last is not None:
        chain.append(last)
        last = previous[last]
    return frozenset(chain)


def _changes(path: str, before: Json, after: Json) -> Iterator[Change]:
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _object_changes(path, before, after)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (former, present) in enumerate(zip(before, after, strict=True)):
            yield from _changes(_join(path, str(index)), former, present)
    elif not _is_equal(before, after):
        yield Change("replace", path, before, after)


def _object_changes(path: str, before: Mapping[str, Json], after: Mapping[str, Json]) -> Iterator[Change]:
    for name in [*before, *(name for name in after if name not in before)]:
        inner = _join(path, name)
        if name not in after:
            yield Change("remove", inner, before[name], None)
        elif name not in before:
            yield Change("add", inner, None, after[name])
        else:
            yield from _changes(inner, before[name], after[name])


def _is_equal(before: Json, after: Json) -> bool:
    """Compare two values that are not both objects; to Python, 1 and true are equal."""
    if isinstance(before, list) and isinstance(after, list):
        return False
    return isinstance(before, bool) == isinstance(after, bool) and bool(before == after)


def _join(path: str, name: str) -> str:
    """Append a name to a JSON pointer (RFC 6901, section 3)."""
    return f"{path}/{name.replace('~', '~0').replace('/', '~1')}"
