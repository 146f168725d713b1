"""YAML and JSON texts of a folder: plain values, without tags, anchors or members that are given twice.

YAML is read as version 1.2 defines its core schema, so `no` and `2027-01-04` are texts. The writer quotes texts that
version 1.1 reads as something else.
"""

import json
import math
import re
import sys
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any, NoReturn, TypeAlias

import yaml

from cli.errors import CommandError

#: Deeper than a document that the service stores.
MAX_DEPTH = 40

Json: TypeAlias = Any

_NULL = re.compile(r"(?:~|null|Null|NULL)?")
#: Only YAML 1.1 takes them for ends of lines. Between double quotes they are escaped.
_OTHER_LINE_ENDS = re.compile("[\r\x85\u2028\u2029\ufeff]")
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
#: The service reads longer numbers as floats, too.
_INTEGERS = range(-(2**63), 2**64)
_MAX_DIGITS = 400
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Format(StrEnum):
    """The format of the files of a folder, which is also the end of their names."""

    YAML = "yaml"
    JSON = "json"


class TextError(CommandError):
    """A text that is not read, with the reason and the line."""


def parse_text(text: str, file_format: Format) -> Json:
    """Return the value of a YAML or JSON text. Raises TextError."""
    return _parse_json(text) if file_format is Format.JSON else _parse_yaml(text)


def format_text(value: Json, file_format: Format) -> str:
    """Return a value as YAML or JSON, members in their order, texts of several lines as blocks."""
    if file_format is Format.JSON:
        return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    # A long text stays on its line, so a review shows the line that changed.
    text: str = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=sys.maxsize)
    return text


def line_of(text: str, place: Sequence[str | int]) -> int | None:
    """Return the line of a member of a text, or of the innermost one around it that the text has; None without one.

    A place names the members; an entry of a list by its number, or by its member `key`.
    """
    try:
        # JSON is read as YAML here, because its parser has no places.
        node = yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError:
        return None
    line = None
    for part in place:
        found = next((entry for entry in _entries(node) if part in entry[0]), None)
        if found is None:
            break
        _, mark, node = found
        line = mark.line + 1
    return line


def _entries(node: yaml.Node | None) -> Iterator[tuple[set[str | int], yaml.Mark, yaml.Node]]:
    """Yield the members of an object or a list: their names, where they begin, and their values."""
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            yield {str(name.value)}, name.start_mark, value
    elif isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            keys = {str(inner.value) for names, _, inner in _entries(value) if "key" in names}
            yield {number, *(keys or {str(number)})}, value.start_mark, value


# --- JSON ---


def _parse_json(text: str) -> Json:
    try:
        return json.loads(text, object_pairs_hook=_members, parse_constant=_no_json_number, parse_int=_integer)
    except json.JSONDecodeError as error:
        raise TextError(f"line {error.lineno}: {error.msg}") from None
    except RecursionError:
        raise TextError("is nested too deeply") from None


def _members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        raise TextError(f"{next(name for name in names if names.count(name) > 1)!r} is given twice")
    return members


def _no_json_number(text: str) -> NoReturn:
    raise TextError(f"{text} is not a number of JSON")


def _integer(text: str) -> int | float:
    if len(text) > _MAX_DIGITS:
        raise TextError("a number has too many digits")
    number = int(text)
    return number if number in _INTEGERS else float(number)


# --- YAML ---


def _parse_yaml(text: str) -> Json:
    try:
        events = (event for event in yaml.parse(text, Loader=_LOADER) if not isinstance(event, _ENVELOPE))
        first = next(events, None)
        if first is None:
            return None
        value = _value(events, first, 0)
        following = next(events, None)
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        raise TextError(f"{line}{error.problem or error.context}") from None
    except yaml.YAMLError as error:
        raise TextError(" ".join(str(error).split())) from None
    if following is not None:
        raise TextError(f"{_line(following)}: has a second document")
    return value


_ENVELOPE = (yaml.StreamStartEvent, yaml.StreamEndEvent, yaml.DocumentStartEvent, yaml.DocumentEndEvent)


def _value(events: Iterator[yaml.Event], event: yaml.Event, depth: int) -> Json:
    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
        raise TextError(f"{_line(event)}: anchors and aliases are not allowed")
    if getattr(event, "tag", None) is not None:
        raise TextError(f"{_line(event)}: tags are not allowed")
    if depth > MAX_DEPTH:
        raise TextError(f"{_line(event)}: is nested too deeply")
    if isinstance(event, yaml.SequenceStartEvent):
        return list(_items(events, depth))
    if isinstance(event, yaml.MappingStartEvent):
        return _mapping(events, depth)
    assert isinstance(event, yaml.ScalarEvent)  # noqa: S101 - no other event begins a value
    return _scalar(event) if event.implicit[0] else event.value


def _items(events: Iterator[yaml.Event], depth: int) -> Iterator[Json]:
    for event in events:
        if isinstance(event, yaml.SequenceEndEvent):
            return
        yield _value(events, event, depth + 1)


def _mapping(events: Iterator[yaml.Event], depth: int) -> dict[str, Json]:
    members: dict[str, Json] = {}
    for event in events:
        if isinstance(event, yaml.MappingEndEvent):
            break
        # A name is a text, also where it looks like a number or a boolean.
        if not isinstance(event, yaml.ScalarEvent) or event.anchor is not None or event.tag is not None:
            raise TextError(f"{_line(event)}: the name of a member must be a text")
        if event.value in members:
            raise TextError(f"{_line(event)}: {event.value!r} is given twice")
        members[event.value] = _value(events, next(events), depth + 1)
    return members


def _scalar(event: yaml.ScalarEvent) -> Json:
    text = event.value
    if _NULL.fullmatch(text):
        return None
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    if _INTEGER.fullmatch(text):
        return _integer(text)
    if _FLOAT.fullmatch(text):
        number = float(text)
        if not math.isfinite(number):
            raise TextError(f"{_line(event)}: {text} is not a number of JSON")
        return number
    return text


def _line(event: yaml.Event) -> str:
    return f"line {event.start_mark.line + 1}" if event.start_mark else "a line"


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: object) -> bool:
        """Write a value twice rather than an anchor."""
        del data
        return True


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = '"' if _OTHER_LINE_ENDS.search(text) else "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)
# Version 1.1 has no floats without a dot; texts like them need quotes.
_Dumper.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(f"^(?:{_FLOAT.pattern})$"), list("-+.0123456789"))
