"""Every setting as one row, taken from the classes that read it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic.fields import FieldInfo

from cli.process_settings import READERS
from common.settings.shared import ProcessSettings
from common.settings.sources import is_secret, variables_of


@dataclass(frozen=True, slots=True)
class Reader:
    """What one process makes of a setting; `default` is how it would be written, None where it is required."""

    process: str
    default: str | None
    description: str


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A setting, whichever processes read it."""

    variables: tuple[str, ...]
    type: str
    is_secret: bool
    example: str | None
    #: The default follows from other settings, as the description says.
    is_default_computed: bool
    readers: list[Reader] = field(default_factory=list)

    @property
    def is_required(self) -> bool:
        """Tell whether some process does not start without it."""
        return any(reader.default is None for reader in self.readers)

    @property
    def default(self) -> str:
        """Give the default of those that have one; they agree."""
        return next((reader.default for reader in self.readers if reader.default is not None), "")

    @property
    def description(self) -> str:
        """Give what it means, as the process says that cannot do without it, else the first."""
        required = (reader.description for reader in self.readers if reader.default is None)
        return next(required, self.readers[0].description)


def setting_rows() -> list[SettingRow]:
    """Give all rows, in the order of the classes, which belong together."""
    rows: dict[tuple[str, ...], SettingRow] = {}
    for process, kind in READERS.items():
        properties = _properties(kind)
        for name, info in kind.model_fields.items():
            variables = variables_of(name, info)
            shape = properties[variables[0] if info.validation_alias else name]
            row = rows.setdefault(variables, _row(variables, shape, info))
            row.readers.append(Reader(process, _default_of(info), info.description or ""))
    return list(rows.values())


def _row(variables: tuple[str, ...], shape: Mapping[str, Any], info: FieldInfo) -> SettingRow:
    return SettingRow(
        variables,
        type=_type_of(shape),
        is_secret=is_secret(info),
        example=_example(info),
        is_default_computed=info.default_factory is not None,
    )


def _properties(kind: type[ProcessSettings]) -> Mapping[str, Any]:
    properties: Mapping[str, Any] = kind.model_json_schema(by_alias=True)["properties"]
    return properties


def _type_of(shape: Mapping[str, Any]) -> str:
    """Say in words what JSON Schema says of a setting; None is left out, since it cannot be written."""
    for choice in shape.get("anyOf", ()):
        if choice.get("type") != "null":
            return _type_of(choice)
    if "enum" in shape:
        return " or ".join(f"`{value}`" for value in shape["enum"])
    words = {
        "boolean": "`true` or `false`",
        "integer": "whole number",
        "number": "number",
        "array": "list with commas",
        "string": "path" if shape.get("format") == "path" else "text",
    }
    return words[shape["type"]] + _bounds_of(shape)


def _bounds_of(shape: Mapping[str, Any]) -> str:
    signs = {"exclusiveMinimum": "above", "minimum": "from", "maximum": "to"}
    bounds = " ".join(f"{word} {shape[name]:,}" for name, word in signs.items() if name in shape)
    return f", {bounds}" if bounds else ""


def _default_of(info: FieldInfo) -> str | None:
    """Write a default as the environment would have it."""
    if info.is_required():
        return None
    default: object = info.default
    if info.default_factory is not None or default is None or is_secret(info) or default == ():
        return ""
    if isinstance(default, bool):
        return str(default).lower()
    return f"{default:g}" if isinstance(default, float) else str(default)


def _example(info: FieldInfo) -> str | None:
    return next(iter(info.examples or ()), None)
