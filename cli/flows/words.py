"""Changes of a folder in words, for terminals and logs of pipelines."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from management_api.history.diff import Change

#: A longer value is cut in the output.
MAX_VALUE_LENGTH = 300


def change_lines(changes: Iterable[Change]) -> Iterator[str]:
    """Yield a line for each change of a document whose screens are named by keys."""
    for change in changes:
        # The empty pointer is the whole document, of which too much differs to be listed.
        place = _place(change.path, {}) or "everything"
        is_screen = change.path.startswith("/screens/") and change.path.count("/") == 2  # noqa: PLR2004 - /screens/KEY
        if change.op == "move":
            yield f"{place}: moves from place {change.before + 1} to {change.after + 1}"
        elif change.op == "add":
            yield f"+ {place} ({change.after['type']})" if is_screen else f"+ {place}: {printed(change.after)}"
        elif change.op == "remove":
            yield f"- {place}" if is_screen else f"- {place}: {printed(change.before)}"
        else:
            yield f"{place}: {printed(change.before)} → {printed(change.after)}"


def problem_lines(
    problems: Iterable[Mapping[str, Any]], screens: Mapping[str, str]
) -> Iterator[tuple[Sequence[str], str]]:
    """Yield the place of each problem that the service reports, and a line; `screens` are the keys of screens by id."""
    for problem in problems:
        pointer = str(problem.get("field", ""))
        place = _place(pointer, screens)
        yield _parts(pointer, screens), f"{place + ': ' if place else ''}{problem.get('message')}"


def printed(value: object) -> str:
    """Return a value as JSON without characters that control a terminal."""
    text = visible(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= MAX_VALUE_LENGTH else f"{text[:MAX_VALUE_LENGTH]}…"


def visible(text: str) -> str:
    """Return a text with escapes in place of characters that control a terminal."""
    return "".join(character if character.isprintable() else _escaped(character) for character in text)


def _parts(pointer: str, screens: Mapping[str, str]) -> list[str]:
    """Return the members of a pointer, with the key of a screen in place of its id."""
    parts = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    if parts[:1] == ["screens"]:
        parts[1:2] = [screens.get(part, part) for part in parts[1:2]]
    return parts


def _place(pointer: str, screens: Mapping[str, str]) -> str:
    """Return `screen KEY, content/title` for `/screens/ID/content/title`."""
    parts = _parts(pointer, screens)
    if not parts:
        return pointer
    if parts[0] == "screens" and len(parts) > 1:
        return ", ".join([f"screen {parts[1]}", *(["/".join(parts[2:])] if parts[2:] else [])])
    return "/".join(parts)


def _escaped(character: str) -> str:
    return json.dumps(character)[1:-1]
