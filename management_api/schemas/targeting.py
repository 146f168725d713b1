"""Whom a flow is for, as the interface says it: a percentage and conditions (contract, sections 3 and 5)."""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from pydantic import Field

from common.rules.bucketing import BUCKETS
from common.rules.conditions import MAX_CONDITIONS, Condition, condition_error
from management_api.schemas.condition_schema import CONDITION_SCHEMA
from management_api.schemas.envelope import PlainView, ResponseModel
from management_api.schemas.parsing import RequestModel
from management_api.schemas.rules import Rule
from management_api.schemas.texts import complaint
from management_api.schemas.values import list_up_to

BUCKETS_PER_PERCENT = BUCKETS // 100
ROUNDING_NOISE = 1e-6


def _percentage(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 100:  # noqa: PLR2004 - per cent
        raise complaint("must be a number from 0 to 100")
    # What is computed in doubles, as 0.57 * 100 is, may miss the hundredth that is meant by a little.
    if abs(value * BUCKETS_PER_PERCENT - round(value * BUCKETS_PER_PERCENT)) > ROUNDING_NOISE:
        raise complaint("must have at most two decimals")
    return float(value)


def _condition(value: object) -> Condition:
    try:
        condition = msgspec.convert(value, Condition)
    except msgspec.ValidationError:
        raise complaint("must be an object of an attribute, an operator and, where it takes one, a value") from None
    error = condition_error(condition)
    if error:
        raise complaint(error)
    return condition


TargetingCondition = Annotated[Condition, Rule(_condition, CONDITION_SCHEMA, replaces=True)]


Percentage = Annotated[float, Rule(_percentage, {"minimum": 0, "maximum": 100, "multipleOf": 0.01})]
Conditions = Annotated[list[TargetingCondition], list_up_to(MAX_CONDITIONS)]


def buckets_of(percentage: float) -> int:
    """Give a percentage in buckets of 10,000."""
    return round(percentage * BUCKETS_PER_PERCENT)


def percentage_of(buckets: int) -> int | float:
    """Give buckets of 10,000 as a percentage; a whole one is an integer."""
    whole, rest = divmod(buckets, BUCKETS_PER_PERCENT)
    return buckets / BUCKETS_PER_PERCENT if rest else whole


class TargetingBody(RequestModel):
    """The `targeting` of a flow; on PUT a member that is absent stays as it is."""

    percentage: Percentage = 100.0
    conditions: Conditions = Field(default_factory=list)

    @property
    def rollout_buckets(self) -> int:
        """The percentage in buckets of 10,000."""
        return buckets_of(self.percentage)


class TargetingView(ResponseModel):
    """The `targeting` of a flow as it is shown; a whole percentage is an integer."""

    percentage: int | float
    conditions: Sequence[dict[str, Any]]

    @classmethod
    def of(cls, rollout_buckets: int, conditions: Sequence[dict[str, Any]]) -> PlainView:
        """Turn buckets back into a percentage."""
        return {"percentage": percentage_of(rollout_buckets), "conditions": conditions}
