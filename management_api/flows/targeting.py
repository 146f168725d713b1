"""Targeting of a flow, a percentage and conditions: bodies and responses (contract, sections 3 and 5)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Final, Self

import msgspec
from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationError
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, InitErrorDetails, core_schema

from common.rules.bucketing import BUCKETS
from common.rules.conditions import (
    CUSTOM_PREFIX,
    DEVICE_ATTRIBUTES,
    MAX_CONDITIONS,
    MAX_NAME_LENGTH,
    MAX_TEXT_LENGTH,
    MAX_VALUES,
    OPERATORS,
    Condition,
    ValueType,
    condition_error,
)
from management_api.http.fields import Rule, field_error, list_up_to, missing
from management_api.http.requests import RequestModel
from management_api.http.responses import ResponseModel, is_none

Schema = Mapping[str, Any]

_NUMBER, _LABEL = r"(?:0|[1-9][0-9]*)", r"(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)"
_SEMANTIC_VERSION = (
    rf"^{_NUMBER}(?:\.{_NUMBER}(?:\.{_NUMBER})?)?"
    rf"(?:-{_LABEL}(?:\.{_LABEL})*)?"
    r"(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$"
)
_TEXT: Schema = {"type": "string", "maxLength": MAX_TEXT_LENGTH}
_SCALAR: Schema = {"anyOf": [_TEXT, {"type": ["number", "boolean"]}]}
_DEVICE: Schema = {"enum": sorted(DEVICE_ATTRIBUTES)}


def _list_of(item: Schema) -> Schema:
    return {"type": "array", "items": item, "minItems": 1, "maxItems": MAX_VALUES}


#: The values of the operators that compare any attribute in the same way.
_VALUES: Mapping[ValueType, Schema] = {
    ValueType.TEXT: {**_TEXT, "minLength": 1},
    ValueType.NUMBER: {"type": "number"},
    ValueType.VERSION: {**_TEXT, "pattern": _SEMANTIC_VERSION},
    ValueType.NONE: {"type": "null"},
}


def _form(attribute: Schema, takes: ValueType, value: Schema) -> Schema:
    names = [name for name, operator in OPERATORS.items() if operator.takes is takes]
    return {
        "type": "object",
        "properties": {"attribute": attribute, "operator": {"enum": names}, "value": value},
        "required": ["attribute", "operator", *["value"] * (takes is not ValueType.NONE)],
        "additionalProperties": False,
    }


def condition_schema(description: str, custom: Schema, examples: Sequence[Mapping[str, Any]]) -> Schema:
    """Return the values of each operator, by attribute: those of the device are strings, others are of any type."""
    return {
        "description": description,
        "anyOf": [
            _form(_DEVICE, ValueType.SCALAR, _TEXT),
            _form(_DEVICE, ValueType.LIST, _list_of(_TEXT)),
            _form(custom, ValueType.SCALAR, _SCALAR),
            _form(custom, ValueType.LIST, _list_of(_SCALAR)),
            *(_form({"anyOf": [_DEVICE, custom]}, takes, value) for takes, value in _VALUES.items()),
        ],
        "examples": list(examples),
    }


_ANY_NAME = rf"[\s\S]{{1,{MAX_NAME_LENGTH}}}"


def attributes_schema(*prefixes: str, **names: str) -> Schema:
    """Return the schema of the attributes that begin with one of the prefixes; `names` has the patterns of others."""
    patterns = [(prefix, _ANY_NAME) for prefix in prefixes] + [(f"{name}.", pattern) for name, pattern in names.items()]
    choices = "|".join(f"{prefix.replace('.', '[.]')}{name}" for prefix, name in patterns)
    return {"type": "string", "pattern": f"^{choices if len(patterns) == 1 else f'(?:{choices})'}$"}


def conditions_to_json(conditions: Sequence[Condition]) -> list[dict[str, Any]]:
    """Return conditions as JSON; those of `exists` and `not_exists` have no value."""
    documents: list[dict[str, Any]] = [msgspec.to_builtins(condition) for condition in conditions]
    return [{name: value for name, value in document.items() if value is not None} for document in documents]


BUCKETS_PER_PERCENT = BUCKETS // 100
MAX_ROUNDING_ERROR = 1e-6


def _percentage(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 100:  # noqa: PLR2004 - per cent
        raise field_error("must be a number from 0 to 100")
    # A product of doubles, such as 0.57 * 100, may miss the hundredth by a rounding error.
    if abs(value * BUCKETS_PER_PERCENT - round(value * BUCKETS_PER_PERCENT)) > MAX_ROUNDING_ERROR:
        raise field_error("must have at most two decimals")
    return float(value)


def parse_condition(value: object, prefixes: Sequence[str] = (CUSTOM_PREFIX,)) -> Condition:
    """Return a condition. Raises ValidationError, and the error of a field for one that cannot be stored."""
    if isinstance(value, dict):
        absent = [name for name in ("attribute", "operator") if value.get(name) is None]
        if absent:
            raise ValidationError.from_exception_data(
                "Condition", [InitErrorDetails(type=missing(), loc=(name,), input=None) for name in absent]
            )
    try:
        condition = msgspec.convert(value, Condition)
    except msgspec.ValidationError:
        raise field_error("must be an object of an attribute, an operator and, where it takes one, a value") from None
    error = condition_error(condition, prefixes)
    if error:
        raise field_error(error)
    return condition


class _ConditionForm:
    """Gives an annotated type the schema of a condition, as one component of the document."""

    def __init__(self, name: str, schema: Schema) -> None:
        self._name = name
        self._schema = schema

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        pointer = handler(core)
        described = handler.resolve_ref_schema(pointer)
        described.clear()
        described.update(self._schema)
        return pointer


class ConditionInput(_ConditionForm):
    """Annotates a condition in a body."""

    def __init__(self, name: str, schema: Schema, parse: Callable[[object], Condition]) -> None:
        super().__init__(name, schema)
        self._parse = parse

    def __get_pydantic_core_schema__(self, _source: object, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            self._parse, ref=self._name, json_schema_input_schema=core_schema.dict_schema()
        )


class ConditionOutput(_ConditionForm):
    """Annotates a condition in a response, as it is stored."""

    def __get_pydantic_core_schema__(self, _source: object, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.dict_schema(ref=self._name)


CONDITION_SCHEMA: Final[Schema] = condition_schema(
    "One condition on a device; all of a list must hold. A missing attribute fails every operator but `not_exists`,"
    " `neq` and `not_in`. A `locale` also matches by prefix: `pt` stands for `pt-BR`.",
    attributes_schema(CUSTOM_PREFIX),
    [{"attribute": "appVersion", "operator": "semver_gte", "value": "2.1.0"}],
)
TargetingCondition = Annotated[Condition, ConditionInput("Condition", CONDITION_SCHEMA, parse_condition)]
ConditionView = Annotated[dict[str, Any], ConditionOutput("Condition", CONDITION_SCHEMA)]

Percentage = Annotated[float, Rule(_percentage, {"minimum": 0, "maximum": 100, "multipleOf": 0.01})]
Conditions = Annotated[list[TargetingCondition], list_up_to(MAX_CONDITIONS)]


def buckets_of(percentage: float) -> int:
    """Return a percentage in buckets of 10,000."""
    return round(percentage * BUCKETS_PER_PERCENT)


def percentage_of(buckets: int) -> int | float:
    """Return buckets of 10,000 as a percentage; a whole percentage is an integer."""
    whole, rest = divmod(buckets, BUCKETS_PER_PERCENT)
    return buckets / BUCKETS_PER_PERCENT if rest else whole


class TargetingBody(RequestModel):
    """The `targeting` of a flow; on PUT a member that is absent stays as it is."""

    percentage: Percentage = 100.0
    conditions: Conditions = Field(default_factory=list)

    def members(self) -> dict[str, Any]:
        """Return the members of the targeting of a document that the body has."""
        members: dict[str, Any] = {}
        if "percentage" in self.model_fields_set:
            members["percentage"] = percentage_of(buckets_of(self.percentage))
        if "conditions" in self.model_fields_set:
            members["conditions"] = conditions_to_json(self.conditions)
        return members


class TargetingView(ResponseModel):
    """The `targeting` of a flow; a whole percentage is an integer."""

    percentage: int | float = Field(
        json_schema_extra={"minimum": 0, "maximum": 100}, description="The share of devices that can get it."
    )
    conditions: list[ConditionView]
    conditions_omitted: bool | None = Field(
        default=None,
        exclude_if=is_none,
        description="True in a list that leaves out large conditions: read the flow by its id. Absent otherwise.",
    )

    @classmethod
    def from_document(cls, targeting: Mapping[str, Any]) -> Self:
        """Return the targeting of a document; conditions of None are large ones that a list leaves out."""
        is_omitted = targeting["conditions"] is None
        return cls(
            percentage=targeting["percentage"],
            conditions=targeting["conditions"] or [],
            conditions_omitted=True if is_omitted else None,
        )
