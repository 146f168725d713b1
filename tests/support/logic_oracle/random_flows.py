"""Random flows with logic, and random steps of users through them."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from tests.support.logic_oracle.flows import Walk

Json = Mapping[str, Any]

_OPTIONS = [
    {"value": "lose", "label": "The way of {{app_name}}"},
    {"value": "gain", "label": "Gain, not {{answers.k0|nothing}}"},
    {"value": "keep", "label": "Keep"},
]
_CONTENTS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "text": ("question_text", {}),
    "one": ("question_single_choice", {"options": _OPTIONS}),
    "many": ("question_multiple_choice", {"options": _OPTIONS}),
    "number": ("question_picker", {"picker": "number"}),
    "date": ("question_picker", {"picker": "date"}),
    "time": ("question_picker", {"picker": "time"}),
    "height": ("question_picker", {"picker": "height"}),
    "permission": ("permissions", {"permission": "camera"}),
    "signup": ("signup", {}),
    "paywall": ("paywall", {"products": ["yearly", "monthly"]}),
    "welcome": ("welcome", {}),
    "consent": ("consent", {"items": [{"name": name, "label": name} for name in ("news", "k1")]}),
}
_LEAVES: Mapping[str, Sequence[str]] = {
    "number": ["0", "2", "-3", "0.5", "1e2", "attributes.age"],
    "text": ['"lose"', '"a \\"b\\" \\\\"', '""', "platform", "attributes.plan"],
    "boolean": ["true", "false"],
    "date": ['"2026-01-31"', "today()", '"2024-02-29"'],
}
_TEXTS = [
    "{{answers.%s|nobody}}",
    "{{ variables.v0 : integer | - }} of {{app_name}}",
    "\\{{locale}} {{locale}} {{attributes.plan:upper|free}} {{unknown}}",
    '<a href="https://x/{{locale}}" title="{{answers.%s}}">{{ variables.v1:title }}</a>',
    "{{answers.%s:date}} {{answers.%s:month|no month}}",
]


def random_walk(random: Random) -> dict[str, Any]:
    """Return a flow with a context, steps through it, and texts to show after them."""
    count = random.randint(1, 8)
    kinds = [random.choice(list(_CONTENTS)) for _ in range(count)]
    keys = [f"k{random.randint(0, count)}" if random.random() < 0.5 else f"s{place}" for place in range(count)]
    variables = _variables(random, keys)
    screens = [_screen(random, place, kinds, keys, len(variables)) for place in range(count)]
    flow: dict[str, Any] = {
        "screens": screens,
        "variables": variables,
        "context": _context(random),
        "appName": "R&D <Co>",
        "language": random.choice(["en", "de"]),
        "today": random.choice(["2026-01-31", "2028-02-29", "2026-11-27"]),
    }
    texts = [text.replace("%s", random.choice(keys)) for text in _TEXTS]
    return {**flow, "steps": _steps(random, flow, kinds), "texts": texts}


def random_answer(random: Random, kind: str) -> Any:  # noqa: ANN401 - JSON
    """Return an answer to a screen of that kind."""
    values = [option["value"] for option in _OPTIONS]
    match kind:
        case "one":
            return random.choice(values)
        case "many":
            return [value for value in values if random.random() < 0.5] or [random.choice(values)]
        case "consent":
            return [name for name in ("news", "k1") if random.random() < 0.5]
        case "number":
            return random.randint(0, 100)
        case "height":
            return random.randint(100, 230)
    given = {
        "text": ["Ada", "lose", "Zoë & <b>Bob</b>", "42"],
        "date": ["1995-06-05", "2026-01-31", "2024-02-29"],
        "time": ["07:30", "23:05"],
        "permission": ["asked", "granted", "denied"],
        "signup": ["email", "apple", "sign_in"],
        "paywall": ["yearly", "monthly"],
    }
    return random.choice(given[kind])


def _screen(random: Random, place: int, kinds: Sequence[str], keys: Sequence[str], variables: int) -> dict[str, Any]:
    kind, content = _CONTENTS[kinds[place]]
    own_key = {} if keys[place] == f"s{place}" else {"answer_key": keys[place]}
    screen: dict[str, Any] = {"id": f"s{place}", "type": kind, "content": {**content, **own_key}}
    if random.random() < 0.2:
        screen["settings"] = {"counts": False}
    if random.random() < 0.4:
        screen["showIf"] = [_condition(random, kinds, keys, variables) for _ in range(random.randint(1, 2))]
    targets = [f"s{later}" for later in range(place + 1, len(kinds))] + ["end"]
    if random.random() < 0.5 or place == 0:
        if random.random() < 0.1:
            targets = ["s0", "gone"]
        screen["next"] = [
            {
                "id": f"r{number}",
                "when": [_condition(random, kinds, keys, variables) for _ in range(random.randint(0, 2))],
                "goTo": random.choice(targets),
            }
            for number in range(random.randint(1, 3))
        ]
    return screen


def _condition(random: Random, kinds: Sequence[str], keys: Sequence[str], variables: int) -> dict[str, Any]:
    place = random.randrange(len(kinds))
    if variables and random.random() < 0.3:
        name, value = f"variables.v{random.randrange(variables)}", random.choice([0, 10, "lose", True])
    elif random.random() < 0.15:
        name, value = random.choice(
            [("platform", "ios"), ("locale", "de"), ("attributes.plan", "pro"), ("attributes.age", 30), ("new", "x")]
        )
    elif kinds[place] == "consent":
        name, value = f"answers.{random.choice(['news', 'k1'])}", random.choice([True, False])
    else:
        kind = kinds[place]
        answer = "x" if kind == "welcome" else random_answer(random, kind)
        name, value = f"answers.{keys[place]}", answer[0] if isinstance(answer, list) else answer
    operators = {
        str: ["eq", "neq", "in", "not_in", "contains", "starts_with", "exists", "not_exists", "later"],
        int: ["eq", "neq", "in", "gt", "gte", "lt", "lte", "exists"],
        bool: ["eq", "neq", "not_exists"],
    }
    operator = random.choice(operators[type(value)])
    if operator in {"exists", "not_exists"}:
        return {"attribute": name, "operator": operator}
    return {"attribute": name, "operator": operator, "value": [value] if operator in {"in", "not_in"} else value}


def _variables(random: Random, keys: Sequence[str]) -> list[dict[str, str]]:
    return [
        {"name": f"v{place}", "formula": random_formula(random, keys, place, random.randint(1, 3))}
        for place in range(random.randint(0, 4))
    ]


def random_formula(random: Random, keys: Sequence[str], earlier: int, depth: int, kind: str = "") -> str:
    """Return a formula of the grammar, of that kind as a rule. Its value may be missing."""
    kind = kind if kind and random.random() < 0.95 else random.choice(list(_LEAVES))

    def part(inner: str = kind) -> str:
        return random_formula(random, keys, earlier, depth - 1, inner)

    if depth <= 0:
        names = [f"answers.{random.choice(keys)}", *(f"variables.v{place}" for place in range(earlier))]
        leaf = random.choice(_LEAVES[kind])
        return random.choice([leaf, leaf, f"coalesce({random.choice(names)}, {leaf})", *names[:1]])
    common: list[Callable[[], str]] = [
        lambda: f"if({part('boolean')}, {part()}, {part()})",
        lambda: f"coalesce({part()}, {part()})",
        lambda: f'lookup({part("text")}, "lose", {part()}, 2, {part()}, {part()})',
    ]
    numbers: list[Callable[[], str]] = [
        lambda: f"({part()} {random.choice(['+', '-', '*', '/'])} {part()})",
        lambda: f"round({part()}, {random.randint(-2, 3)})",
        lambda: f"{random.choice(['floor', 'ceil', 'abs', 'round', '-'])}({part()})",
        lambda: f"{random.choice(['min', 'max'])}({part()}, {part()})",
        lambda: f"pow({part('')}, 2)" if depth == 1 else "pow(2, 10)",
        lambda: f"days_between({part('date')}, {part('date')})",
        lambda: f"count(answers.{random.choice(keys)})",
    ]
    booleans: list[Callable[[], str]] = [
        lambda: f"{part('number')} {random.choice(['==', '!=', '<', '<=', '>', '>='])} {part('number')}",
        lambda: f"{part('text')} {random.choice(['==', '!=', '<', '>'])} {part('text')}",
        lambda: f"(not {part('text')} == {part('text')} and ({part()}) or not ({part()}))",
        lambda: f"contains({part('text')}, {part('text')})",
    ]
    forms: dict[str, list[Callable[[], str]]] = {
        "number": numbers,
        "boolean": booleans,
        "text": [lambda: f"concat({part('')}, {part()})"],
        "date": [lambda: f'date_add({part()}, {random.randint(-14, 14)}, "{random.choice(["day", "week", "month"])}")'],
    }
    form = random.choice([*forms[kind], *forms[kind], *common])()
    return f"({form})" if kind == "boolean" else form


def _context(random: Random) -> dict[str, Any]:
    members = {"platform": "ios", "locale": "de-AT", "appVersion": "2.1.0", "country": "AT"}
    context: dict[str, Any] = {name: value for name, value in members.items() if random.random() < 0.6}
    attributes = {name: value for name, value in (("plan", "pro"), ("age", 30)) if random.random() < 0.6}
    return {**context, "attributes": attributes} if attributes else context


def _steps(random: Random, flow: Json, kinds: Sequence[str]) -> list[dict[str, Any]]:
    walk = Walk(flow)
    steps: list[dict[str, Any]] = []
    for _ in range(random.randint(1, 16)):
        if walk.ended:
            break
        screen_id = walk.path[-1]
        kind = kinds[int(screen_id[1:])]
        step: dict[str, Any] = {"do": random.choice(["forward", "forward", "forward", "skip", "back"])}
        if kind != "welcome" and random.random() < 0.5:
            step = {"do": "answer", "screen": screen_id, "value": random_answer(random, kind)}
        steps.append(step)
        walk.do(step)
    return steps
