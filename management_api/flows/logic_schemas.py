"""Logic of flows, bodies and responses: conditions and rules of screens, variables (logic, Model)."""

import re
from collections.abc import Iterable
from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field, ValidationError
from pydantic_core import InitErrorDetails

from common.rules.conditions import CUSTOM_PREFIX, Condition
from common.rules.formulas import MAX_FORMULA_LENGTH, FormulaError, parse_formula
from management_api.flows.logic import ANSWERS_PREFIX, VARIABLES_PREFIX
from management_api.flows.targeting import (
    ConditionInput,
    ConditionOutput,
    attributes_schema,
    condition_schema,
    conditions_to_json,
    parse_condition,
)
from management_api.http.fields import REQUIRED, IdText, Rule, field_error, list_up_to, text_of_pattern
from management_api.http.requests import RequestModel
from management_api.http.responses import ResponseModel

_PREFIXES = (CUSTOM_PREFIX, ANSWERS_PREFIX, VARIABLES_PREFIX)
#: Of one list, and the rules of one screen.
MAX_LOGIC_CONDITIONS = MAX_RULES = 20
MAX_VARIABLES = 30

_RULE_ID = r"[a-z0-9_]{1,32}"
_VARIABLE_NAME = r"[a-z][a-z0-9_]{0,31}"


def _parse_condition(value: object) -> Condition:
    condition = parse_condition(value, _PREFIXES)
    name = condition.attribute.removeprefix(VARIABLES_PREFIX)
    if name != condition.attribute and not re.fullmatch(_VARIABLE_NAME, name):
        raise field_error(f"must name a variable by {_VARIABLE_NAME}")
    return condition


_CONDITION_SCHEMA: Final = condition_schema(
    "One condition on a device, an answer or a variable; all of a list must hold. A missing value fails every operator"
    " but `not_exists`, `neq` and `not_in`.",
    attributes_schema(CUSTOM_PREFIX, ANSWERS_PREFIX, variables=_VARIABLE_NAME),
    [{"attribute": "answers.goal", "operator": "eq", "value": "lose"}],
)
LogicCondition = Annotated[Condition, ConditionInput("LogicCondition", _CONDITION_SCHEMA, _parse_condition)]
LogicConditionView = Annotated[dict[str, Any], ConditionOutput("LogicCondition", _CONDITION_SCHEMA)]
LogicConditions = Annotated[list[LogicCondition], list_up_to(MAX_LOGIC_CONDITIONS)]


class ScreenRuleBody(RequestModel):
    """A rule that leads from a screen to a later one."""

    id: Annotated[str, text_of_pattern(_RULE_ID, "must have 1 to 32 of the characters a-z, 0-9 and _")] | None = None
    when: Annotated[LogicConditions, REQUIRED] = Field(description="Without a condition the rule always holds.")
    go_to: Annotated[IdText, REQUIRED] = Field(description="The id of a later screen, or `end`.")


class ScreenRuleView(ResponseModel):
    """A rule that leads from a screen to a later one."""

    id: str
    when: list[LogicConditionView]
    go_to: str


def _with_ids(rules: list[ScreenRuleBody]) -> list[ScreenRuleBody]:
    """Return rules that all have an id. One without gets the same as before in the same place, if it is free."""
    taken = [rule.id for rule in rules if rule.id is not None]
    if len(set(taken)) < len(taken):
        raise field_error("must not have two rules of one id")
    return [rule.model_copy(update={"id": rule.id or _free_id(taken, place)}) for place, rule in enumerate(rules, 1)]


def _free_id(taken: list[str], place: int) -> str:
    while (made := f"rule_{place}") in taken:
        place += 1
    taken.append(made)
    return made


ScreenRules = Annotated[list[ScreenRuleBody], list_up_to(MAX_RULES), AfterValidator(_with_ids)]


def rules_to_json(rules: Iterable[ScreenRuleBody]) -> list[dict[str, Any]]:
    """Return rules as they are stored."""
    return [{"id": rule.id, "when": conditions_to_json(rule.when), "go_to": rule.go_to} for rule in rules]


def _formula(value: object) -> str:
    if not isinstance(value, str) or len(value) > MAX_FORMULA_LENGTH:
        raise field_error(f"must be a string of at most {MAX_FORMULA_LENGTH} characters")
    return value


class Variable(RequestModel):
    """A value that clients compute from answers, attributes and earlier variables."""

    name: Annotated[str, text_of_pattern(_VARIABLE_NAME, f"must match {_VARIABLE_NAME}"), REQUIRED] = Field(
        examples=["bmi"]
    )
    formula: Annotated[str, Rule(_formula, {"maxLength": MAX_FORMULA_LENGTH}), REQUIRED] = Field(
        examples=["answers.weight / pow(answers.height / 100, 2)"]
    )


def _check_variables(variables: list[Variable]) -> list[Variable]:
    names = [variable.name for variable in variables]
    errors: list[InitErrorDetails] = []
    for place, variable in enumerate(variables):
        if variable.name in names[:place]:
            errors.append(_error(place, "name", "must differ from the other names"))
        try:
            parse_formula(variable.formula, names[:place], names[place:])
        except FormulaError as error:
            errors.append(_error(place, "formula", str(error)))
    if errors:
        raise ValidationError.from_exception_data("Variables", errors)
    return variables


def _error(place: int, member: str, message: str) -> InitErrorDetails:
    return InitErrorDetails(type=field_error(message), loc=(place, member), input=None)


Variables = Annotated[list[Variable], list_up_to(MAX_VARIABLES), AfterValidator(_check_variables)]
