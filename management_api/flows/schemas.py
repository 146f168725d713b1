"""Bodies and responses of flows and of targeting, a percentage and conditions (contract, sections 3 and 5)."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Final, Self

import msgspec
from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationError
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, InitErrorDetails, core_schema
from sqlalchemy import Row

from common.rules.bucketing import BUCKETS
from common.rules.conditions import (
    CUSTOM_PREFIX,
    DEVICE_ATTRIBUTES,
    MAX_CONDITIONS,
    MAX_NAME_LENGTH,
    MAX_TEXT_LENGTH,
    MAX_VALUES,
    Condition,
    condition_error,
)
from management_api.db.models.flows import FlowStatus
from management_api.http.fields import (
    REQUIRED,
    FlowDescription,
    FlowName,
    IdText,
    Rule,
    SearchText,
    field_error,
    list_up_to,
    missing,
    one_of,
    whole_number_between,
)
from management_api.http.pagination import PageQuery
from management_api.http.requests import RequestModel
from management_api.http.responses import (
    CompletionRate,
    Count,
    ETagModel,
    ResponseModel,
    Timestamp,
    is_none,
    rows_as_dicts,
)
from management_api.screens.schemas import ScreenInFlowBody, ScreenSummary, ScreenWithContent
from management_api.settings import MAX_SCREENS_PER_FLOW

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
_CUSTOM: Schema = {
    "type": "string",
    "pattern": rf"^{CUSTOM_PREFIX.replace('.', '[.]')}[\s\S]{{1,{MAX_NAME_LENGTH}}}$",
}
_ANY: Schema = {"anyOf": [_DEVICE, _CUSTOM]}


def _list_of(item: Schema) -> Schema:
    return {"type": "array", "items": item, "minItems": 1, "maxItems": MAX_VALUES}


def _form(attribute: Schema, operators: Sequence[str], value: Schema) -> Schema:
    return {
        "type": "object",
        "properties": {"attribute": attribute, "operator": {"enum": list(operators)}, "value": value},
        "required": ["attribute", "operator", "value"],
        "additionalProperties": False,
    }


_PRESENCE = _form(_ANY, ("exists", "not_exists"), {"type": "null"})

#: The values of each operator, by attribute: those of the device are strings, an app's own are of any type.
CONDITION_SCHEMA: Final[Schema] = {
    "description": (
        "One condition on a device; all of a list must hold. A missing attribute fails every operator but `not_exists`,"
        " `neq` and `not_in`. A `locale` also matches by prefix: `pt` stands for `pt-BR`."
    ),
    "anyOf": [
        _form(_DEVICE, ("eq", "neq"), _TEXT),
        _form(_DEVICE, ("in", "not_in"), _list_of(_TEXT)),
        _form(_CUSTOM, ("eq", "neq"), _SCALAR),
        _form(_CUSTOM, ("in", "not_in"), _list_of(_SCALAR)),
        _form(_ANY, ("contains", "starts_with", "ends_with"), {**_TEXT, "minLength": 1}),
        _form(_ANY, ("gt", "gte", "lt", "lte"), {"type": "number"}),
        _form(
            _ANY,
            ("semver_eq", "semver_gt", "semver_gte", "semver_lt", "semver_lte"),
            {**_TEXT, "pattern": _SEMANTIC_VERSION},
        ),
        {**_PRESENCE, "required": ["attribute", "operator"]},
    ],
    "examples": [{"attribute": "appVersion", "operator": "semver_gte", "value": "2.1.0"}],
}


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


def _condition(value: object) -> Condition:
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
    error = condition_error(condition)
    if error:
        raise field_error(error)
    return condition


class _ConditionSchema:
    """Gives an annotated type the schema of a condition, as one component of the document."""

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        pointer = handler(core)
        described = handler.resolve_ref_schema(pointer)
        described.clear()
        described.update(CONDITION_SCHEMA)
        return pointer


class _ConditionInput(_ConditionSchema):
    def __get_pydantic_core_schema__(self, _source: object, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            _condition, ref="Condition", json_schema_input_schema=core_schema.dict_schema()
        )


class _ConditionOutput(_ConditionSchema):
    def __get_pydantic_core_schema__(self, _source: object, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.dict_schema(ref="Condition")


TargetingCondition = Annotated[Condition, _ConditionInput()]
#: A condition in a response, as it is stored.
ConditionView = Annotated[dict[str, Any], _ConditionOutput()]

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

    def columns(self) -> dict[str, Any]:
        """Return the columns of a flow that the body has."""
        columns: dict[str, Any] = {}
        if "percentage" in self.model_fields_set:
            columns["rollout_buckets"] = buckets_of(self.percentage)
        if "conditions" in self.model_fields_set:
            columns["conditions"] = conditions_to_json(self.conditions)
        return columns


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
    def from_columns(cls, rollout_buckets: int, conditions: list[dict[str, Any]] | None) -> Self:
        """Return the targeting; conditions of None are large ones that a list leaves out."""
        return cls(
            percentage=percentage_of(rollout_buckets),
            conditions=conditions or [],
            conditions_omitted=True if conditions is None else None,
        )


Status = Annotated[FlowStatus, one_of(FlowStatus)]
#: The range of PostgreSQL's integer.
Priority = Annotated[int, whole_number_between(-(2**31), 2**31 - 1)]


#: Of one request; far above the quota of flows.
MAX_ORDERED_FLOWS = 10_000


class FlowPart(StrEnum):
    """The members of flows that are left out unless they are requested."""

    DRAFT = "draft"


class FlowListQuery(PageQuery):
    """GET /flows. The `evaluation_order` is that of priorities, the highest first; archived flows are the last."""

    sortable = PageQuery.sortable | {"evaluation_order"}
    aliases: ClassVar[Mapping[str, str]] = {"projectId": "project_id"}

    project_id: Annotated[IdText, REQUIRED]
    status: Status | None = None
    search: SearchText | None = None
    include: Annotated[FlowPart, one_of(FlowPart)] | None = Field(
        default=None, description="`draft`: each flow has `has_draft` and `version` too."
    )


class FlowQuery(RequestModel):
    """GET /flows/{flow_id}."""

    include: Annotated[FlowPart, one_of(FlowPart)] | None = Field(
        default=None, description="`draft`: the flow has `has_draft` and `version` too."
    )


class FlowFields(RequestModel):
    """The members that POST and PUT share."""

    description: FlowDescription | None = None
    status: Status = Field(default=FlowStatus.DRAFT, examples=["active"])
    theme_id: IdText | None = None
    priority: Priority = 0
    targeting: TargetingBody = Field(
        default=TargetingBody(),
        examples=[
            {
                "percentage": 50,
                "conditions": [{"attribute": "appVersion", "operator": "semver_gte", "value": "2.1.0"}],
            }
        ],
    )
    is_default: bool = False

    def columns(self) -> dict[str, Any]:
        """Return the columns that the body has; POST leaves the others to the defaults of the table."""
        columns = self.model_fields_set - {"project_id", "screens", "targeting", "is_default"}
        return {name: getattr(self, name) for name in columns} | self.targeting.columns()


class FlowCreateBody(FlowFields):
    """POST /flows."""

    aliases: ClassVar[Mapping[str, str]] = {"projectId": "project_id", "themeId": "theme_id"}

    project_id: Annotated[IdText, REQUIRED] = Field(examples=["proj_01h455vb4pex5vsknk084sn02q"])
    name: Annotated[FlowName, REQUIRED] = Field(examples=["Welcome"])
    screens: Annotated[list[ScreenInFlowBody], list_up_to(MAX_SCREENS_PER_FLOW)] = Field(
        default_factory=list,
        examples=[[{"type": "welcome", "name": "Hello", "content": {"title": "Welcome aboard"}, "settings": {}}]],
    )


class FlowUpdateBody(FlowFields):
    """PUT /flows/{flow_id}; absent members stay as they are."""

    aliases: ClassVar[Mapping[str, str]] = {"themeId": "theme_id"}
    read_only = frozenset({"screens", "project_id", "projectId"})

    name: Annotated[FlowName, REQUIRED] = ""


class FlowOrderBody(RequestModel):
    """PUT /projects/{project_id}/flows/order."""

    flow_ids: Annotated[list[IdText], list_up_to(MAX_ORDERED_FLOWS), REQUIRED] = Field(
        examples=[["flow_01h455vb4pex5vsknk084sn02q"]]
    )


class FlowOrderView(ETagModel):
    """The order of evaluation of a project's flows."""

    flow_ids: list[str] = Field(description="The flows that are not archived, the first one first.")


class FlowPriorityView(ETagModel):
    """The priority that a flow has got."""

    id: str
    priority: int


class FlowStatsView(ResponseModel):
    """The statistics of a flow."""

    total_views: Count = Field(description="Its flow_started events; a device may start it again.")
    completion_rate: CompletionRate


class FlowView(ETagModel):
    """A flow."""

    id: str
    project_id: str
    name: str
    description: str | None
    status: FlowStatus = Field(
        description="Devices get active flows only, but for variants of experiments and QA devices."
    )
    is_default: bool = Field(description="Whether it is the project's default flow.")
    theme_id: str | None = Field(
        description="The theme of its screens; null for the default theme of the project, or the app's own looks."
    )
    priority: int = Field(description="Flows with a higher priority are evaluated first.")
    targeting: TargetingView
    screens: tuple[ScreenSummary, ...]
    stats: FlowStatsView
    created_at: Timestamp
    updated_at: Timestamp

    @classmethod
    def from_row(cls, flow: Row[Any], screens: Sequence[Mapping[str, Any]], stats: FlowStatsView) -> Self:
        """Return the response from the columns of a flow with `is_default`, its screens and its statistics."""
        [columns] = rows_as_dicts([flow])
        targeting = TargetingView.from_columns(flow.rollout_buckets, flow.conditions)
        parts = {"targeting": targeting, "screens": screens, "stats": stats}
        return cls.model_validate(columns | parts)


class ListedFlowView(FlowView):
    """A flow, with `include=draft` also the state of its draft."""

    has_draft: bool | None = Field(
        default=None, exclude_if=is_none, description="Whether there is a draft beside it; with `include=draft`."
    )
    version: int | None = Field(
        default=None,
        exclude_if=is_none,
        description="The number of the live version; with `include=draft`, unless it has none yet.",
    )


class FlowViewWithContent(ListedFlowView):
    """A flow whose screens have content and settings."""

    screens: tuple[ScreenWithContent, ...]
