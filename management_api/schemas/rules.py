"""A rule of the wire: how a value is checked, and the JSON Schema that says the same to whoever reads the document."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema


@dataclass(frozen=True, eq=False)
class Rule:
    """Annotates a type. `check` sees the value before pydantic does, and raises `complaint(...)` (`texts.py`).

    `schema` is laid over what pydantic says of the type by itself. `replaces` is for types that pydantic cannot read:
    then the check gives the finished value, and the schema is all there is.
    """

    check: Callable[[Any], Any]
    schema: Mapping[str, Any]
    replaces: bool = False

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Put the check in front."""
        if self.replaces:
            return core_schema.no_info_plain_validator_function(self.check)
        return core_schema.no_info_before_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Say what the check accepts."""
        return dict(self.schema) if self.replaces else {**handler(core), **self.schema}
