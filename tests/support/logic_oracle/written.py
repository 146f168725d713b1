"""Vectors of logic that were written by hand, without their results."""

from collections.abc import Sequence
from typing import Any

TODAY = "2026-11-27"
VALUES: dict[str, Any] = {
    "answers.goal": "lose",
    "answers.areas": ["sleep", "food"],
    "answers.one": ["food"],
    "answers.none": [],
    "answers.weight": 82.5,
    "answers.height": 178,
    "answers.name": "ada <b>lovelace</b>",
    "answers.born": "1995-06-05",
    "answers.empty": "",
    "attributes.age": 31,
    "attributes.plan": "pro",
    "attributes.trial": True,
    "variables.share": 0.256,
    "variables.price": 1234.5,
    "variables.day": "2027-03-01",
    "platform": "ios",
    "appVersion": "2.10.0",
    "locale": "de-AT",
    "country": "AT",
    "app_name": "R&D",
}

FORMULAS = [
    *("1 + 2 * 3", "(1 + 2) * 3", "-2 - -3", "7 / 2", "1 / 0", "0 / 0", "1e308 * 10", ".5 + 0.25", "0 * -1"),
    *("answers.weight / pow(answers.height / 100, 2)", "round(answers.weight / pow(answers.height / 100, 2), 1)"),
    *("answers.missing", "answers.missing + 1", "coalesce(answers.missing, 5)", "coalesce(answers.missing)"),
    *('coalesce(1 / 0, answers.goal + 1, "last")', "coalesce(answers.goal, 1 / 0)", 'coalesce(answers.empty, "x")'),
    *('if(answers.goal == "lose", 1, 1 / 0)', 'if(answers.goal == "gain", 1, 2)', "if(answers.missing, 1, 2)"),
    *("if(1, 2, 3)", 'if(attributes.trial, "yes", "no")', "true and false", "true or false and false"),
    *("not true == false", "(not true) == false", "not not true", "false and answers.missing", "true and 1"),
    *("not 1", "1 == 1", '1 == "1"', "true == 1", "answers.areas == answers.areas", 'answers.one == "food"'),
    *('"a" < "b"', '"Z" < "a"', '"\uffff" < "\U0001f600"', '1 < "2"', "true < false", "2 >= 2"),
    *("answers.born < today()", "1 != 2", '"a" + "b"', "round(2.5)", "round(-2.5)", "round(1234.567, -2)"),
    *("round(1.005, 2)", "round(1, 0.5)", "round(1, 16)", "floor(-1.5)", "ceil(-0.5)", "abs(-3)", "min(3, 1, 2)"),
    *("max(1)", 'max(1, "2")', "pow(2, 10)", "pow(-8, 0.5)", "pow(0, -1)", "pow(10, 400)"),
    *('contains(answers.areas, "sleep")', "contains(answers.areas, 1)", 'contains(answers.goal, "os")'),
    *("contains(answers.goal, 1)", 'contains(answers.none, "x")', "contains(1, 1)", "count(answers.areas)"),
    *("count(answers.none)", "count(answers.goal)", 'concat("a", 1, true)', 'concat(0.1 + 0.2, " ", 1e21)'),
    *('concat(1e-7, " ", -1e-6, " ", 123456789012345680000)', "concat(answers.areas)", "concat(answers.missing)"),
    *('lookup(answers.goal, "gain", 1, "lose", 2, 3)', "lookup(answers.goal, 1, 1, 3)"),
    *('lookup(answers.missing, "a", 1, 2)', 'lookup(answers.goal, "gain", 1 / 0, "lose", 2, 3)', "today()"),
    *('date_add(today(), 1, "day")', 'date_add("2026-01-31", 1, "month")', 'date_add("2024-02-29", 12, "month")'),
    *('date_add("2026-03-31", -1, "month")', 'date_add(today(), -2, "week")', 'date_add("2026-02-30", 1, "day")'),
    *('date_add(today(), 0.5, "day")', 'date_add(today(), 1, "year")', 'date_add("9999-12-31", 1, "day")'),
    *('date_add("0001-01-31", -1, "month")', 'date_add("0099-12-31", 2, "month")', 'date_add(answers.goal, 1, "day")'),
    *('days_between("2026-01-01", "2026-12-31")', "days_between(today(), answers.born)", "days_between(today(), 1)"),
    *('"a \\"b\\" \\\\"', 'platform == "ios"', "osVersion", 'coalesce(osVersion, "none")', "attributes.age >= 18"),
]

_LONG = "{{ variables.day }} {{variables.price}} {{answers.areas}} {{variables.share:percent}}"
_FORMS = "{{variables.price:integer}} {{variables.price:currency(EUR)}} {{variables.day:month}}"
_DOLLARS = "{{variables.price:currency(USD)}} {{answers.weight:currency(usd)}}"
_CASES = "{{answers.goal:title}} {{answers.goal:upper}} {{attributes.plan:lower}} {{answers.name:title}}"
_ABSENT = "[{{answers.missing}}] [{{answers.missing| friend }}] [{{answers.empty|nothing}}] [{{answers.none|none}}]"
_NO_NAMES = (
    "{{unknown}} {{ }} {{osVersion}} {{answers}} {{answers.a b}} {{ {{locale}} }} \\{{locale}} {locale} {{locale"
)
TEXTS: Sequence[tuple[str, str, bool]] = [
    *(
        (text, language, False)
        for text in (_LONG, _FORMS, _DOLLARS, _CASES, _ABSENT, _NO_NAMES)
        for language in ("en", "de")
    ),
    *((f"{{{{{name}}}}}", "en", False) for name in ("app_name", "platform", "locale", "country", "appVersion")),
    ("{{ app_name : upper | x }}", "en", False),
    ("{{answers.one}} {{attributes.trial}} {{attributes.age}}", "de", False),
    ("{{answers.goal:number}} {{variables.price:date}} {{answers.born:percent}}", "en", False),
    ("{{variables.price:unknown}} {{answers.weight:currency(EURO)}}", "en", False),
    ("<p>{{answers.name}} &amp; {{app_name}} {{answers.missing|a &amp; b}}</p>", "en", True),
    ('<a href="https://x.example/{{locale}}" title="{{app_name}}">\\{{locale}}</a>', "en", True),
]


def _condition(attribute: str, operator: str, value: Any = None) -> dict[str, Any]:  # noqa: ANN401 - JSON
    return {"attribute": attribute, "operator": operator, **({} if value is None else {"value": value})}


CONDITIONS = [
    _condition("answers.areas", "contains", "sleep"),
    _condition("answers.areas", "contains", "lee"),
    _condition("answers.goal", "contains", "os"),
    _condition("answers.areas", "in", ["food", "sport"]),
    _condition("answers.areas", "in", ["sport"]),
    _condition("answers.areas", "not_in", ["sport"]),
    _condition("answers.areas", "not_in", ["sleep"]),
    _condition("answers.areas", "eq", "sleep"),
    _condition("answers.areas", "neq", "sleep"),
    _condition("answers.one", "eq", "food"),
    _condition("answers.one", "neq", "food"),
    _condition("answers.areas", "exists"),
    _condition("answers.none", "exists"),
    _condition("answers.none", "not_exists"),
    _condition("answers.none", "not_in", ["food"]),
    _condition("answers.areas", "starts_with", "s"),
    _condition("answers.areas", "gt", 1),
    _condition("answers.weight", "gte", 82.5),
    _condition("answers.weight", "eq", "82.5"),
    _condition("answers.missing", "neq", "x"),
    _condition("answers.missing", "eq", "x"),
    _condition("variables.share", "lt", 0.3),
    _condition("variables.missing", "not_exists"),
    _condition("answers.name", "starts_with", "ada"),
    _condition("answers.name", "ends_with", "</b>"),
    _condition("attributes.age", "gt", 30),
    _condition("attributes.age", "lte", 31),
    *(_condition("appVersion", f"semver_{order}", "2.10") for order in ("eq", "gt", "gte", "lt", "lte")),
    _condition("appVersion", "semver_gt", "2.9"),
    _condition("appVersion", "semver_lt", "3"),
    _condition("answers.areas", "ends_with", "d"),
    *(_condition("answers.areas", operator, 1) for operator in ("gte", "lt", "lte")),
    *(_condition("answers.areas", f"semver_{order}", "1.0.0") for order in ("eq", "gt", "gte", "lt", "lte")),
    _condition("answers.areas", "not_exists"),
    _condition("answers.goal", "resembles", "lose"),
    _condition("mood", "neq", "x"),
]

_GOAL: dict[str, Any] = {
    "id": "goal",
    "type": "question_single_choice",
    "content": {"options": [{"value": "lose", "label": "Lose weight"}, {"value": "gain", "label": "Gain muscle"}]},
}
_AREAS: dict[str, Any] = {
    "id": "areas",
    "type": "question_multiple_choice",
    "content": {"options": [{"value": "sleep", "label": "Sleep"}, {"value": "food", "label": "Food"}]},
}
_WEIGHT: dict[str, Any] = {
    "id": "weight",
    "type": "question_picker",
    "content": {"picker": "weight", "answer_key": "kilograms"},
}


def _screen(screen_id: str, **members: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    return {"id": screen_id, "type": "welcome", "content": {}, **members}


def _rule(rule_id: str, go_to: str, *when: dict[str, Any]) -> dict[str, Any]:
    return {"id": rule_id, "when": list(when), "goTo": go_to}


def _flow(name: str, screens: list[dict[str, Any]], *steps: dict[str, Any] | str, **members: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    taken = [{"do": step} if isinstance(step, str) else step for step in steps]
    return {"name": name, "screens": screens, "variables": [], "context": {}, "today": TODAY, "steps": taken, **members}


def _answer(screen_id: str, value: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    return {"do": "answer", "screen": screen_id, "value": value}


_LOSE, _GAIN = _condition("answers.goal", "eq", "lose"), _condition("answers.goal", "eq", "gain")
_BRANCHES = [
    {**_GOAL, "next": [_rule("to_food", "food", _GAIN)]},
    {**_WEIGHT, "next": [_rule("done", "last")]},
    _screen("food", showIf=[_GAIN]),
    _screen("last"),
]
_IS_LIGHT = {"attribute": "variables.light", "operator": "eq", "value": True}
_LIGHT = {"name": "light", "formula": "coalesce(answers.kilograms < 60, false)"}
_CONSENT = {
    "id": "terms",
    "type": "consent",
    "content": {"items": [{"name": "terms", "label": "Terms", "required": True}, {"name": "news", "label": "News"}]},
}
_TICKED, _NOT_TICKED = _condition("answers.news", "eq", True), _condition("answers.news", "eq", False)  # noqa: FBT003 - JSON
FLOWS: list[dict[str, Any]] = [
    _flow("the first path", _BRANCHES, _answer("goal", "lose"), "forward", _answer("weight", 80), "forward"),
    _flow("the second path", _BRANCHES, _answer("goal", "gain"), "forward", "forward", "forward"),
    _flow(
        "back over a branch",
        _BRANCHES,
        *(_answer("goal", "lose"), "forward", _answer("weight", 80), "back", _answer("goal", "gain"), "forward"),
    ),
    _flow(
        "an answer is there again when its screen is reached again",
        _BRANCHES,
        *(_answer("goal", "lose"), "forward", _answer("weight", 80), "forward", "back", "back", "forward"),
    ),
    _flow("back on the first screen does nothing", _BRANCHES, "back"),
    _flow("no step counts behind the end", _BRANCHES, *["forward"] * 3, "back", "forward"),
    _flow("a skipped question loses its answer", _BRANCHES, _answer("goal", "gain"), "skip"),
    _flow("no first screen", [_screen("a", showIf=[_condition("platform", "eq", "ios")], next=[_rule("r", "end")])]),
    _flow(
        "the first screen that is shown",
        [_screen("a", showIf=[_condition("locale", "eq", "de")]), _screen("b")],
        context={"locale": "fr"},
    ),
    _flow(
        "a passed screen's rules are not read",
        [
            _screen("a", next=[_rule("r1", "b")]),
            _screen("b", showIf=[_condition("country", "eq", "DE")], next=[_rule("r2", "end")]),
            _screen("c"),
        ],
        "forward",
    ),
    _flow("an end", [_screen("a", next=[_rule("r", "end")]), _screen("b")], "forward"),
    _flow(
        "targets that are not later are ignored",
        [_screen("a"), _screen("b", next=[_rule("r1", "a"), _rule("r2", "b"), _rule("r3", "gone")]), _screen("c")],
        *("forward", "forward"),
    ),
    _flow(
        "the first rule that holds decides",
        [
            _screen("a", next=[_rule("r1", "d", _LOSE), _rule("r2", "c"), _rule("r3", "b")]),
            *(_screen(screen_id) for screen_id in "bcd"),
        ],
        "forward",
    ),
    _flow(
        "an operator of a newer service fails",
        [_screen("a", next=[_rule("r1", "c", _condition("platform", "resembles", "ios"))]), *map(_screen, "bc")],
        "forward",
        context={"platform": "ios"},
    ),
    _flow(
        "a variable decides",
        [_WEIGHT, _screen("a", showIf=[_IS_LIGHT]), _screen("b")],
        *(_answer("weight", 55), "forward"),
        variables=[_LIGHT],
    ),
    _flow(
        "a screen that depends on an answer through a variable may come",
        [_screen("start"), _WEIGHT, _screen("a", showIf=[_IS_LIGHT]), _screen("b")],
        variables=[_LIGHT],
    ),
    _flow(
        "a list of answers",
        [_AREAS, _screen("a", showIf=[_condition("answers.areas", "contains", "food")]), _screen("b")],
        *(_answer("areas", ["sleep", "food"]), "forward"),
    ),
    _flow(
        "screens that do not count",
        [
            _screen("a", settings={"counts": False}, next=[_rule("r", "c", _LOSE)]),
            *(_screen("b"), _screen("c", settings={"counts": False}), _screen("d")),
        ],
        "forward",
    ),
    _flow(
        "progress does not fall on the way forward",
        [_GOAL, *(_screen(screen_id, showIf=[_LOSE]) for screen_id in "abc"), _screen("d")],
        *(_answer("goal", "gain"), "forward"),
    ),
    _flow(
        "progress falls on the way back",
        [
            _screen("a"),
            *(_screen(screen_id, showIf=[_condition("platform", "eq", "web")]) for screen_id in "bc"),
            _screen("d"),
        ],
        *("forward", "back"),
    ),
    _flow(
        "an app tells whether a permission is granted",
        [
            {"id": "camera", "type": "permissions", "content": {"permission": "camera"}},
            _screen("no", showIf=[_condition("answers.camera", "neq", "granted")]),
            _screen("yes"),
        ],
        *(_answer("camera", "granted"), "forward"),
    ),
    _flow(
        "a product and a method of a sign-up",
        [
            {"id": "pay", "type": "paywall", "content": {"products": ["yearly", "monthly"], "answer_key": "product"}},
            {
                "id": "account",
                "type": "signup",
                "content": {},
                "showIf": [_condition("answers.product", "eq", "yearly")],
            },
            _screen("mail", showIf=[_condition("answers.account", "in", ["email"])]),
        ],
        *(_answer("pay", "yearly"), "forward", _answer("account", "email"), "forward"),
    ),
    _flow(
        "each box of a consent is an answer",
        [_CONSENT, _screen("news", showIf=[_TICKED]), _screen("no", showIf=[_NOT_TICKED]), _screen("last")],
        *(_answer("terms", ["terms"]), "forward", "forward"),
        variables=[{"name": "both", "formula": "answers.terms and answers.news"}],
    ),
    _flow(
        "a ticked box leads elsewhere",
        [{**_CONSENT, "next": [_rule("to_end", "end", _NOT_TICKED)]}, _screen("news", showIf=[_TICKED])],
        *(_answer("terms", ["terms", "news"]), "forward"),
        variables=[{"name": "both", "formula": "answers.terms and answers.news"}],
    ),
    _flow(
        "a consent that was not answered has no values",
        [_CONSENT, _screen("news", showIf=[_TICKED]), _screen("no", showIf=[_NOT_TICKED]), _screen("last")],
        "skip",
    ),
]
