"""Every place in a body where a value may stand: members of objects and items of lists, at any depth."""

import copy
from collections.abc import Iterator
from typing import Any

Place = tuple[str | int, ...]


def places(document: Any, above: Place = ()) -> Iterator[Place]:  # noqa: ANN401 - any JSON
    inner = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for name, value in inner:
        yield (*above, name)
        yield from places(value, (*above, name))


def with_value_at(document: Any, place: Place, value: object) -> Any:  # noqa: ANN401 - any JSON
    changed = copy.deepcopy(document)
    holder = changed
    for name in place[:-1]:
        holder = holder[name]
    holder[place[-1]] = value
    return changed
