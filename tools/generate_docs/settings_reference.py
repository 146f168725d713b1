"""All settings as rows, taken from the classes that read them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from pydantic.fields import FieldInfo

from cli.processes.start import READERS
from common.settings.shared import ProcessSettings
from common.settings.sources import is_secret, variables_of
from deploy.local.settings import StackSettings

#: The classes that read settings, by the names of their processes.
ALL_READERS: Mapping[str, type[ProcessSettings]] = MappingProxyType({**READERS, "local stack": StackSettings})


@dataclass(frozen=True, slots=True)
class Reader:
    """A process that reads a setting; `default` is as in the environment, None where the setting is required."""

    process: str
    default: str | None
    description: str


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A setting, with all processes that read it."""

    variables: tuple[str, ...]
    type: str
    is_secret: bool
    example: str | None
    #: The default follows from other settings, as the description states.
    is_default_computed: bool
    readers: list[Reader] = field(default_factory=list)

    @property
    def is_required(self) -> bool:
        """Whether a process does not start without it."""
        return any(reader.default is None for reader in self.readers)

    @property
    def default(self) -> str:
        """The default, which is the same in all processes that have one."""
        return next((reader.default for reader in self.readers if reader.default is not None), "")

    @property
    def description(self) -> str:
        """The description of a process that requires it, else the first."""
        required = (reader.description for reader in self.readers if reader.default is None)
        return next(required, self.readers[0].description)


def setting_rows() -> list[SettingRow]:
    """Return all rows, in the order of the classes, which keep related settings together."""
    rows: dict[tuple[str, ...], SettingRow] = {}
    for process, settings_class in ALL_READERS.items():
        properties = settings_class.model_json_schema(by_alias=True)["properties"]
        for name, info in settings_class.model_fields.items():
            variables = variables_of(name, info)
            schema = properties[variables[0] if info.validation_alias else name]
            row = rows.setdefault(variables, _row(variables, schema, info))
            row.readers.append(Reader(process, _default_of(info), info.description or ""))
    return list(rows.values())


def _row(variables: tuple[str, ...], schema: Mapping[str, Any], info: FieldInfo) -> SettingRow:
    return SettingRow(
        variables,
        type=_type_of(schema),
        is_secret=is_secret(info),
        example=next(iter(info.examples or ()), None),
        is_default_computed=info.default_factory is not None,
    )


def _type_of(schema: Mapping[str, Any]) -> str:
    """Describe the JSON Schema of a setting in words; null is left out, because a variable cannot be null."""
    for choice in schema.get("anyOf", ()):
        if choice.get("type") != "null":
            return _type_of(choice)
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    words = {
        "boolean": "`true` or `false`",
        "integer": "whole number",
        "number": "number",
        "array": "list with commas",
        "string": "path" if schema.get("format") == "path" else "text",
    }
    return words[schema["type"]] + _bounds_of(schema)


def _bounds_of(schema: Mapping[str, Any]) -> str:
    words = {"exclusiveMinimum": "above", "minimum": "from", "maximum": "to"}
    bounds = " ".join(f"{word} {schema[name]:,}" for name, word in words.items() if name in schema)
    return f", {bounds}" if bounds else ""


def _default_of(info: FieldInfo) -> str | None:
    if info.is_required():
        return None
    default: object = info.default
    if info.default_factory is not None or default is None or is_secret(info) or default == ():
        return ""
    if isinstance(default, bool):
        return str(default).lower()
    return f"{default:g}" if isinstance(default, float) else str(default)
