"""Differences of two documents of a flow or a theme, for people and programs (contract, section 7).

Screens are compared by their ids: a screen that is moved and changed is one move and the changes inside of it.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from common.wire.screen_contents import unescaped
from management_api.db.models.documents import LOCALIZATIONS, LOGIC_OF_SCREEN

Json = Any
Operation = Literal["add", "remove", "replace", "move"]
#: The names from the document to a value; a screen is named by its id. Its pointer is written for a change only.
Path = tuple[str, ...]

#: Above one of these limits a diff has one change: the deepest object that holds all differences is replaced.
MAX_CHANGES = 2000
MAX_PATH_CHARACTERS = 1024 * 1024

#: Of the path of a screen.
_SCREEN_DEPTH = 2

#: The document before the first version.
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
    """Return the changes from one document to the other: of the flow, then of its screens in their new order.

    Documents with more changes than MAX_CHANGES, or longer paths than MAX_PATH_CHARACTERS together, have one change.
    """
    changes: list[Change] = []
    characters = 0
    for change in _document_changes(before, after):
        changes.append(change)
        characters += len(change.path)
        if len(changes) > MAX_CHANGES or characters > MAX_PATH_CHARACTERS:
            return [_common_replacement(before, after)]
    return changes


def is_same_document(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Compare documents as JSON: 1 and 1.0 are equal, 1 and true are not."""
    return not document_changes(one, other)


def _document_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
    former, present = (
        {name: value for name, value in document.items() if name != "screens"} for document in (before, after)
    )
    yield from _object_changes((), former, present)
    yield from _screen_changes(before.get("screens", ()), after.get("screens", ()))


def _common_replacement(before: Mapping[str, Any], after: Mapping[str, Any]) -> Change:
    """Return the replacement of the deepest object that holds all differences of two documents."""
    path: Path = ()
    # As objects of their ids, in their order: screens that were moved are a difference of the whole document.
    former, present = (
        {**document, "screens": {screen["id"]: screen for screen in document.get("screens", ())}}
        for document in (before, after)
    )
    if list(former["screens"]) != list(present["screens"]):
        return Change("replace", _pointer(path), before, after)
    inner: tuple[Json, Json] = (former, present)
    while isinstance(inner[0], dict) and isinstance(inner[1], dict) and inner[0].keys() == inner[1].keys():
        differing = [name for name in inner[0] if not is_same_json(inner[0][name], inner[1][name])]
        if len(differing) != 1 or not all(isinstance(value[differing[0]], dict) for value in inner):
            break
        path, inner = (*path, differing[0]), (inner[0][differing[0]], inner[1][differing[0]])
    if path in ((), ("screens",)):
        return Change("replace", _pointer(()), before, after)
    return Change("replace", _pointer(path), *inner)


def is_same_json(before: Json, after: Json) -> bool:
    """Compare two JSON values: 1 and 1.0 are equal, 1 and true are not."""
    return next(_changes((), before, after), None) is None


def moved_screens(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return the ids of the screens that have moved; those that make room for others have not."""
    former = {screen["id"]: position for position, screen in enumerate(before)}
    kept = [screen["id"] for screen in after if screen["id"] in former]
    in_order = _longest_ascending([former[screen_id] for screen_id in kept])
    return {screen_id for screen_id in kept if former[screen_id] not in in_order}


def _screen_changes(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> Iterator[Change]:
    former = {screen["id"]: (position, screen) for position, screen in enumerate(before)}
    present = {screen["id"] for screen in after}
    for screen_id, (_, screen) in former.items():
        if screen_id not in present:
            yield Change("remove", _pointer(("screens", screen_id)), screen, None)
    moved = moved_screens(before, after)
    for position, screen in enumerate(after):
        path = ("screens", screen["id"])
        if screen["id"] not in former:
            yield Change("add", _pointer(path), None, screen)
            continue
        former_position, former_screen = former[screen["id"]]
        if screen["id"] in moved:
            yield Change("move", _pointer(path), former_position, position)
        yield from _object_changes(path, _untranslated(former_screen), _untranslated(screen))
        former_texts, texts = (each.get(LOCALIZATIONS, {}) for each in (former_screen, screen))
        yield from _translation_changes((*path, LOCALIZATIONS), former_texts, texts)


def _untranslated(screen: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in screen.items() if name != LOCALIZATIONS}


def _translation_changes(path: Path, before: Mapping[str, Json], after: Mapping[str, Json]) -> Iterator[Change]:
    """Yield the changes of translations, each of them as a whole; the pointer of its text ends the path."""
    former, present = (
        {(locale, *unescaped(pointer)): text for locale, texts in screen.items() for pointer, text in texts.items()}
        for screen in (before, after)
    )
    for name in [*former, *(name for name in present if name not in former)]:
        one, other = former.get(name), present.get(name)
        if one is None or other is None:
            yield Change("add" if one is None else "remove", _pointer((*path, *name)), one, other)
        elif not is_same_json(one, other):
            yield Change("replace", _pointer((*path, *name)), one, other)


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


def _changes(path: Path, before: Json, after: Json) -> Iterator[Change]:
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _object_changes(path, before, after)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (former, present) in enumerate(zip(before, after, strict=True)):
            yield from _changes((*path, str(index)), former, present)
    elif not _is_equal(before, after):
        yield Change("replace", _pointer(path), before, after)


def _object_changes(path: Path, before: Mapping[str, Json], after: Mapping[str, Json]) -> Iterator[Change]:
    for name in [*before, *(name for name in after if name not in before)]:
        inner = (*path, name)
        if name not in after:
            yield Change("remove", _pointer(inner), before[name], None)
        elif name not in before:
            yield Change("add", _pointer(inner), None, after[name])
        elif name in LOGIC_OF_SCREEN and len(path) == _SCREEN_DEPTH:
            # A rule is read with all of its conditions.
            if not is_same_json(before[name], after[name]):
                yield Change("replace", _pointer(inner), before[name], after[name])
        else:
            yield from _changes(inner, before[name], after[name])


def _is_equal(before: Json, after: Json) -> bool:
    """Compare two values that are not both objects; to Python, 1 and true are equal."""
    if isinstance(before, list) and isinstance(after, list):
        return False
    return isinstance(before, bool) == isinstance(after, bool) and bool(before == after)


def _pointer(path: Path) -> str:
    """Return the JSON pointer of a path (RFC 6901, section 3)."""
    return "".join(f"/{name.replace('~', '~0').replace('/', '~1')}" for name in path)
