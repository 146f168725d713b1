"""Problems of the logic of a document (logic, Model): codes and fields."""

from typing import Any

import pytest

from common.errors import MAX_DETAILS, ConflictError, InvalidRequestError
from management_api.flows.lifecycle.logic_problems import check_written, logic_errors, logic_warnings
from management_api.flows.lifecycle.validation import option_values

Screen = dict[str, Any]


def condition(attribute: str, operator: str = "eq", value: object = "a") -> dict[str, Any]:
    return {"attribute": attribute, "operator": operator, "value": value}


def rule(go_to: str, *when: dict[str, Any]) -> dict[str, Any]:
    return {"id": "r", "when": list(when), "go_to": go_to}


def a_screen(screen_id: str, kind: str = "custom", **members: object) -> Screen:
    return {"id": screen_id, "type": kind, "content": {}, **members}


def choice(screen_id: str, kind: str = "question_single_choice", **members: object) -> Screen:
    return a_screen(screen_id, kind, **{"content": {"options": ["a", {"value": "b"}]}, **members})


def errors(*screens: Screen) -> list[tuple[str, str]]:
    return [(detail.field, detail.code) for detail in logic_errors(screens)]


def warnings(*screens: Screen, formulas: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    variables = [{"name": f"v{place}", "formula": formula} for place, formula in enumerate(formulas)]
    document = {"screens": list(screens), "variables": variables}
    return [(detail.field, detail.code) for detail in logic_warnings(document, option_values)]


def test_rule_leads_to_a_later_screen_or_the_end() -> None:
    assert errors(a_screen("a", next=[rule("c"), rule("end")]), a_screen("b"), a_screen("c")) == []
    assert errors(a_screen("a"), a_screen("b", next=[rule("a"), rule("b"), rule("x")])) == [
        ("/screens/b/next/0/go_to", "BACKWARD_JUMP"),
        ("/screens/b/next/1/go_to", "BACKWARD_JUMP"),
        ("/screens/b/next/2/go_to", "UNKNOWN_SCREEN"),
    ]


def test_screen_without_a_path_to_it_is_unreachable() -> None:
    held = condition("platform")
    assert warnings(a_screen("a", next=[rule("c")]), a_screen("b"), a_screen("c")) == [
        ("/screens/b", "UNREACHABLE_SCREEN")
    ]
    assert warnings(a_screen("a", next=[rule("end")]), a_screen("b")) == [("/screens/b", "UNREACHABLE_SCREEN")]
    # A condition may not hold, so the screen behind is shown in place of its own.
    assert warnings(a_screen("a", next=[rule("c", held)]), a_screen("b"), a_screen("c")) == []
    assert warnings(a_screen("a", show_if=[held], next=[rule("end")]), a_screen("b")) == []
    assert (
        warnings(a_screen("a", next=[rule("b")]), a_screen("b", show_if=[held], next=[rule("end")]), a_screen("c"))
        == []
    )


def test_rule_behind_one_that_always_holds_is_never_used() -> None:
    rules = [rule("b", condition("platform")), rule("b"), rule("end")]
    assert warnings(a_screen("a", next=rules), a_screen("b")) == [("/screens/a/next/2", "RULE_NEVER_USED")]


def test_answer_must_be_asked_before_it_is_used() -> None:
    by_key = choice("a", content={"answer_key": "goal", "options": ["a", "b"]})
    used = [condition("answers.goal"), condition("answers.later", "exists", None), condition("variables.v0")]
    assert warnings(by_key, a_screen("b", show_if=used), a_screen("later", "question_text"), formulas=("1",)) == [
        ("/screens/b/show_if/1/attribute", "UNKNOWN_ANSWER")
    ]
    # The rules of a screen know its own answer, its condition does not.
    own = choice("a", show_if=[condition("answers.a")], next=[rule("end", condition("answers.a"))])
    assert warnings(own, a_screen("b")) == [("/screens/a/show_if/0/attribute", "UNKNOWN_ANSWER")]
    assert warnings(a_screen("a"), formulas=("answers.a + variables.v0",)) == [
        ("/variables/0/formula", "UNKNOWN_ANSWER")
    ]
    assert warnings(a_screen("a", show_if=[condition("variables.x")])) == [
        ("/screens/a/show_if/0/attribute", "UNKNOWN_ANSWER")
    ]
    # The app gives answers of its own on the screens that it draws.
    assert warnings(a_screen("n", "native"), a_screen("b", show_if=[condition("answers.user")])) == []


def test_condition_on_a_choice_compares_with_its_options() -> None:
    wrong = [
        *(condition("answers.a", operator, "c") for operator in ("eq", "neq")),
        *(condition("answers.a", operator, ["a", "c"]) for operator in ("in", "not_in")),
    ]
    fine = [condition("answers.a"), condition("answers.a", "in", ["a", "b"]), condition("answers.a", "contains", "c")]
    found = warnings(choice("a"), a_screen("b", show_if=[*fine, *wrong]))
    assert found == [(f"/screens/b/show_if/{place}/value", "OPTION_UNKNOWN") for place in range(3, 7)]
    several = choice("a", "question_multiple_choice")
    assert warnings(several, a_screen("b", show_if=[condition("answers.a", "contains", "c")])) == [
        ("/screens/b/show_if/0/value", "OPTION_UNKNOWN")
    ]


def test_wrong_targets_are_named_up_to_a_limit() -> None:
    screens = [a_screen("a", next=[rule("x")] * (MAX_DETAILS + 1)), a_screen("b")]
    with pytest.raises(InvalidRequestError) as own:
        check_written(screens, "a", "{}.{}".format)
    assert len(own.value.details) == MAX_DETAILS
    with pytest.raises(ConflictError) as others:
        check_written(screens, "b", "{}.{}".format)
    assert len(others.value.details) == MAX_DETAILS
