"""Logic of flows, bodies and responses: which screens are shown, and which one is the next (logic, Model)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field, ValidationError
from pydantic_core import InitErrorDetails

from common.rules.conditions import CUSTOM_PREFIX, Condition
from management_api.db.models.documents import without_empty_logic
from management_api.flows.formulas import MAX_FORMULA_LENGTH, FormulaError, check_formula, rename_in
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

ANSWERS_PREFIX, VARIABLES_PREFIX = "answers.", "variables."
_PREFIXES = (CUSTOM_PREFIX, ANSWERS_PREFIX, VARIABLES_PREFIX)
#: Of one list, and the rules of one screen.
MAX_LOGIC_CONDITIONS = MAX_RULES = 20
MAX_VARIABLES = 30
#: The target of a rule that completes the flow.
END = "end"

_RULE_ID = r"[a-z0-9_]{1,32}"
_VARIABLE_NAME = r"[a-z][a-z0-9_]{0,31}"
#: A name of an answer in a text of a screen: `{{answers.goal}}`, `{{ answers.goal : upper | you }}`.
_ANSWER_IN_TEXT = re.compile(r"(?P<before>\{\{\s*)answers\.(?P<key>[^\s:|{}]+)(?=\s*(?:[:|]|\}\}))")

Json = Mapping[str, Any]


def _parse_condition(value: object) -> Condition:
    condition = parse_condition(value, _PREFIXES)
    name = condition.attribute.removeprefix(VARIABLES_PREFIX)
    if name != condition.attribute and not re.fullmatch(_VARIABLE_NAME, name):
        raise field_error(f"must name a variable by {_VARIABLE_NAME}")
    return condition


_CONDITION_SCHEMA: Final = condition_schema(
    "One condition on a device, an answer or a variable; all of a list must hold. A missing value fails every operator"
    " but `not_exists`, `neq` and `not_in`.",
    attributes_schema(*_PREFIXES),
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
            check_formula(variable.formula, names[:place], names[place:])
        except FormulaError as error:
            errors.append(_error(place, "formula", str(error)))
    if errors:
        raise ValidationError.from_exception_data("Variables", errors)
    return variables


def _error(place: int, member: str, message: str) -> InitErrorDetails:
    return InitErrorDetails(type=field_error(message), loc=(place, member), input=None)


Variables = Annotated[list[Variable], list_up_to(MAX_VARIABLES), AfterValidator(_check_variables)]


# --- other ids of screens ---------------------------------------------------------------------------------------------


def with_screen_ids_renamed(
    document: Json, ids: Mapping[str, str], in_formulas: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return a document with other ids of screens, in its rules, conditions, formulas and texts too.

    The answer of a question without an `answer_key` has the id of its screen. `in_formulas` are the ids of formulas,
    whose names have fewer characters.
    """
    screens = [
        {
            **screen,
            "id": ids.get(screen["id"], screen["id"]),
            "content": _texts_renamed(screen["content"], ids),
            "show_if": _conditions_renamed(screen.get("show_if", ()), ids),
            "next": [
                {
                    **rule,
                    "when": _conditions_renamed(rule["when"], ids),
                    "go_to": ids.get(rule["go_to"], rule["go_to"]),
                }
                for rule in screen.get("next", ())
            ],
        }
        for screen in document["screens"]
    ]
    renamed = partial(_renamed_answer, ids if in_formulas is None else in_formulas)
    variables = [
        {**variable, "formula": rename_in(variable["formula"], renamed)} for variable in document.get("variables", ())
    ]
    return without_empty_logic({**document, "screens": screens, "variables": variables})


def _renamed_answer(ids: Mapping[str, str], attribute: str) -> str:
    key = attribute.removeprefix(ANSWERS_PREFIX)
    return attribute if key == attribute else f"{ANSWERS_PREFIX}{ids.get(key, key)}"


def _conditions_renamed(conditions: Sequence[Json], ids: Mapping[str, str]) -> list[dict[str, Any]]:
    return [{**condition, "attribute": _renamed_answer(ids, condition["attribute"])} for condition in conditions]


def _texts_renamed(value: Any, ids: Mapping[str, str]) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(value, str):
        return _ANSWER_IN_TEXT.sub(
            lambda found: f"{found['before']}{ANSWERS_PREFIX}{ids.get(found['key'], found['key'])}", value
        )
    if isinstance(value, list):
        return [_texts_renamed(item, ids) for item in value]
    if isinstance(value, dict):
        return {name: _texts_renamed(item, ids) for name, item in value.items()}
    return value


def rules_of(screens: Sequence[Json]) -> Iterator[tuple[int, int, Json]]:
    """Yield each rule of the screens of a document, behind the place of its screen and its own place in the screen."""
    for place, screen in enumerate(screens):
        for index, rule in enumerate(screen.get("next", ())):
            yield place, index, rule
