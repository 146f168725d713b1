"""The grammar of formulas (logic, Formulas and texts): a formula is stored only if every client can read it."""

import pytest

from common.rules.formulas import FormulaError, names_in, parse_formula, rename_in

ACCEPTED = [
    "answers.weight / pow(answers.height / 100, 2)",
    'if(answers.goal == "lose", "a \\"b\\" \\\\", concat("x", 1))',
    'lookup(answers.a, "a", 1, "b", .5, 1e-3)',
    "not contains(answers.tags, attributes.tag) and true or platform != locale",
    "- -01 + round((1 + variables.earlier) * 2.50)",
    "answers.class\n+ answers.lambda",
    'today() < date_add("2026-01-31", 1, "month")',
]
REFUSED = [
    ("", 1, "a value is expected"),
    ("1 +", 3, "not a formula"),
    ("1 < 2 < 3", 9, "cannot be chained"),
    ("evil(1)", 1, "the functions are if, round"),
    ("today(1)", 1, "today has not 1 arguments"),
    ('lookup(answers.a, "a", 1)', 1, "lookup has not 3 arguments"),
    ("1 + variables.later", 5, "is not computed before this variable"),
    ("variables.own", 1, "is not computed before this variable"),
    ("variables.unknown", 1, "variables.unknown is unknown"),
    ("deviceId", 1, "deviceId is unknown"),
    ("answers.a.b", 1, "is unknown"),
    ("max(1, )", 8, "a value is expected"),
    ("min(*answers.a)", 1, "not a formula"),
    ("(1, 2)", 1, "not a formula"),
    ("[1]", 1, "not expected"),
    ("answers.a = 1", 11, "not expected"),
    ("2 ** 2", 4, "not a formula"),
    ("'text'", 1, "not expected"),
    ('"open', 1, "not expected"),
    ('"\\n"', 1, "not expected"),
    ("1_000", 1, "not expected"),
    ("1e999", 1, "too large"),
    ("1 if true else 2", 3, "not a formula"),
    ('("max")(1)', 1, "the functions are"),
    ("(" * 250, 201, "not a formula"),
    ("- " * 249 + "1", 1, "at most 200 parts"),
]


@pytest.mark.parametrize("formula", ACCEPTED)
def test_formula_of_the_grammar_is_accepted(formula: str) -> None:
    parse_formula(formula, {"earlier"}, {"own", "later"})


@pytest.mark.parametrize(("formula", "character", "reason"), REFUSED, ids=range(len(REFUSED)))
def test_other_formula_is_refused_with_the_position(formula: str, character: int, reason: str) -> None:
    with pytest.raises(FormulaError) as refused:
        parse_formula(formula, {"earlier"}, {"own", "later"})
    assert str(refused.value).startswith(f"must be a formula, but has an error at character {character}: ")
    assert reason in str(refused.value)


def test_names_are_found_and_changed_outside_of_texts_only() -> None:
    formula = 'concat("answers.a", answers.a, platform, attributes.a)'
    assert names_in(formula) == ["answers.a", "attributes.a"]
    changed = rename_in(formula, lambda name: "answers.b" if name == "answers.a" else name)
    assert changed == 'concat("answers.a", answers.b, platform, attributes.a)'
