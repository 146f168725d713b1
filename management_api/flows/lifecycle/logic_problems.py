"""Problems of the logic of a document: errors forbid a publication or a direct write, warnings do not (logic)."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import partial
from typing import Any

from common.errors import MAX_DETAILS, ConflictError, Detail, InvalidRequestError
from common.rules.formulas import names_in
from common.wire.public_responses import ScreenType
from management_api.flows.logic import ANSWERS_PREFIX, END, VARIABLES_PREFIX, rules_of
from management_api.screens.contents import box_names

Json = Mapping[str, Any]

#: The types of screens that give an answer.
ASKING = frozenset({
    *(ScreenType.QUESTION_TEXT, ScreenType.QUESTION_SINGLE_CHOICE, ScreenType.QUESTION_MULTIPLE_CHOICE),
    *(ScreenType.QUESTION_PICKER, ScreenType.PERMISSIONS, ScreenType.SIGNUP, ScreenType.PAYWALL),
    ScreenType.CONSENT,
})  # fmt: skip
#: In place of the key of an answer: a screen that the app draws gives any.
_ANY = "*"
#: In place of the id of a screen.
ALL_SCREENS = ""
_CHOICES = frozenset({ScreenType.QUESTION_SINGLE_CHOICE, ScreenType.QUESTION_MULTIPLE_CHOICE})
#: The operators that compare a whole answer with a value, or with each of a list.
_COMPARING = frozenset({"eq", "neq", "in", "not_in"})


class LogicProblem(StrEnum):
    """The codes of problems of logic."""

    UNKNOWN_SCREEN = "UNKNOWN_SCREEN"
    BACKWARD_JUMP = "BACKWARD_JUMP"
    UNREACHABLE_SCREEN = "UNREACHABLE_SCREEN"
    UNKNOWN_ANSWER = "UNKNOWN_ANSWER"
    RULE_NEVER_USED = "RULE_NEVER_USED"
    OPTION_UNKNOWN = "OPTION_UNKNOWN"


def answer_keys(screen: Json) -> list[str]:
    """Return the keys of the answers that a screen gives; a consent has one for each box."""
    if screen["type"] == ScreenType.CONSENT:
        return [name for name in box_names(screen["content"]) if name]
    if screen["type"] not in ASKING:
        return []
    key = screen["content"].get("answer_key")
    return [key if isinstance(key, str) and key else str(screen["id"])]


def jump_errors(screens: Sequence[Json], field: Callable[[int, int], str]) -> Iterator[tuple[str, Detail]]:
    """Yield the id of a screen with a wrong target, and the error; `field` names the target of a rule."""
    places = {screen["id"]: place for place, screen in enumerate(screens)}
    for place, index, rule in rules_of(screens):
        target = rule["go_to"]
        if target == END or places.get(target, place) > place:
            continue
        if target in places:
            code, message = LogicProblem.BACKWARD_JUMP, "must be a screen behind this one"
        else:
            code, message = LogicProblem.UNKNOWN_SCREEN, "must be a screen of the flow, or end"
        yield screens[place]["id"], Detail(field(place, index), code, message)


def logic_errors(screens: Sequence[Json]) -> Iterator[Detail]:
    """Yield the errors of a document; the fields are JSON pointers in which screens are named by their ids."""
    for _, detail in jump_errors(screens, lambda place, index: f"/screens/{screens[place]['id']}/next/{index}/go_to"):
        yield detail


def check_written(screens: Sequence[Json], written: str | None, field: Callable[[int, int], str]) -> None:
    """Check the targets of rules after a direct write of a screen's rules, of all of them, or of none.

    `written` is the id of the screen whose rules the request has, or ALL_SCREENS. Raises
    InvalidRequestError for these, and ConflictError if a rule of another screen would lead nowhere or backward.
    """
    wrong = list(jump_errors(screens, field))
    if not wrong:
        return
    own = [detail for screen_id, detail in wrong if written in (ALL_SCREENS, screen_id)]
    if own:
        raise InvalidRequestError(own[:MAX_DETAILS])
    wrong = wrong[:MAX_DETAILS]
    names = ", ".join(dict.fromkeys(screen_id for screen_id, _ in wrong))
    details = [Detail(f"screens.{screen_id}.next", detail.code, detail.message) for screen_id, detail in wrong]
    raise ConflictError(f"The rules of other screens need their targets behind them: {names}", details)


def logic_warnings(document: Json, option_values: Callable[[Json], Collection[str]]) -> Iterator[Detail]:
    """Yield the warnings of a document; `option_values` returns the values of the options of a content."""
    screens = document["screens"]
    reached = _reachable(screens)
    #: The screens in front, by the keys of their answers, and the values of their options.
    asked: dict[str, Json] = {}
    known = {variable["name"] for variable in document.get("variables", ())}
    unknown_options = partial(_option_warnings, asked, option_values)
    for place, screen in enumerate(screens):
        path = f"/screens/{screen['id']}"
        if place not in reached:
            yield Detail(path, LogicProblem.UNREACHABLE_SCREEN, "is a screen that no path leads to")
        yield from _condition_warnings(f"{path}/show_if", screen.get("show_if", ()), asked, known)
        yield from unknown_options(f"{path}/show_if", screen.get("show_if", ()))
        asked |= dict.fromkeys(answer_keys(screen), screen)
        if screen["type"] == ScreenType.NATIVE:
            asked[_ANY] = screen
        is_decided = False
        for index, rule in enumerate(screen.get("next", ())):
            if is_decided:
                message = "is never used, because a rule in front of it always holds"
                yield Detail(f"{path}/next/{index}", LogicProblem.RULE_NEVER_USED, message)
            is_decided = is_decided or not rule["when"]
            yield from _condition_warnings(f"{path}/next/{index}/when", rule["when"], asked, known)
            yield from unknown_options(f"{path}/next/{index}/when", rule["when"])
    for index, variable in enumerate(document.get("variables", ())):
        for name in names_in(variable["formula"]):
            yield from _answer_warnings(f"/variables/{index}/formula", name, asked, known)


def _condition_warnings(
    path: str, conditions: Sequence[Json], asked: Collection[str], variables: Collection[str]
) -> Iterator[Detail]:
    for index, condition in enumerate(conditions):
        yield from _answer_warnings(f"{path}/{index}/attribute", condition["attribute"], asked, variables)


def _option_warnings(
    asked: Mapping[str, Json], option_values: Callable[[Json], Collection[str]], path: str, conditions: Sequence[Json]
) -> Iterator[Detail]:
    for index, condition in enumerate(conditions):
        attribute, operator = condition["attribute"], condition["operator"]
        screen = asked.get(attribute.removeprefix(ANSWERS_PREFIX)) if attribute.startswith(ANSWERS_PREFIX) else None
        if screen is None or screen["type"] not in _CHOICES:
            continue
        is_member = operator == "contains" and screen["type"] == ScreenType.QUESTION_MULTIPLE_CHOICE
        if operator in _COMPARING or is_member:
            value, options = condition["value"], option_values(screen["content"])
            unknown = [item for item in (value if isinstance(value, list) else [value]) if str(item) not in options]
            if unknown:
                message = f"compares with {unknown[0]!r}, which is the value of no option"
                yield Detail(f"{path}/{index}/value", LogicProblem.OPTION_UNKNOWN, message)


def _answer_warnings(path: str, name: str, asked: Collection[str], variables: Collection[str]) -> Iterator[Detail]:
    is_answer = name.startswith(ANSWERS_PREFIX)
    if is_answer and name.removeprefix(ANSWERS_PREFIX) not in asked and _ANY not in asked:
        yield Detail(path, LogicProblem.UNKNOWN_ANSWER, f"names {name}, which no earlier screen asks for")
    if name.startswith(VARIABLES_PREFIX) and name.removeprefix(VARIABLES_PREFIX) not in variables:
        yield Detail(path, LogicProblem.UNKNOWN_ANSWER, f"names {name}, which is no variable of the flow")


def _reachable(screens: Sequence[Json]) -> set[int]:
    """Return the places of the screens that some path leads to. Any condition may hold, or not."""
    places = {screen["id"]: place for place, screen in enumerate(screens)}
    reached = set(_shown_from(screens, 0))
    # Rules lead forward only, so that a screen is complete when it is visited.
    for place, screen in enumerate(screens):
        if place not in reached:
            continue
        is_decided = False
        for rule in screen.get("next", ()):
            target = len(screens) if rule["go_to"] == END else places.get(rule["go_to"], 0)
            if target <= place:
                continue
            reached.update(_shown_from(screens, target))
            is_decided = not rule["when"]
            if is_decided:
                break
        if not is_decided:
            reached.update(_shown_from(screens, place + 1))
    return reached


def _shown_from(screens: Sequence[Json], place: int) -> Iterator[int]:
    """Yield the places of the screens that can be shown for a target: those behind a conditional one, too."""
    for at in range(place, len(screens)):
        yield at
        if not screens[at].get("show_if"):
            return
