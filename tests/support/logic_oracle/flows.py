"""The way through a flow with logic, implemented from docs/logic.md alone; imports nothing of the service."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.support.logic_oracle.formulas import is_same, value_of
from tests.support.logic_oracle.texts import Shown, filled
from tests.support.offline_sdk import matching

Json = Mapping[str, Any]

_MEMBERS = ("platform", "appVersion", "osVersion", "locale", "country", "deviceId")
_OPERATORS = {
    *("eq", "neq", "in", "not_in", "contains", "starts_with", "ends_with", "gt", "gte", "lt", "lte", "exists"),
    *("not_exists", "semver_eq", "semver_gt", "semver_gte", "semver_lt", "semver_lte"),
}


def walked(flow: Json) -> dict[str, Any]:
    """Return what there is to see after the steps of a flow."""
    walk = Walk(flow)
    shares = [walk.progress]
    for step in flow["steps"]:
        walk.do(step)
        shares.append(walk.progress)
    texts = [[walk.text(text), walk.text(text, is_html=True)] for text in flow.get("texts", []) if walk.path]
    return {
        "path": walk.path,
        "answers": walk.answers,
        "variables": walk.variables,
        "progress": walk.progress,
        "ended": walk.ended,
        "views": walk.views,
        "texts": texts,
        "shares": shares,
    }


class Walk:
    """One visit of a flow: steps of a user, and what there is to see after them."""

    def __init__(self, flow: Json) -> None:
        self._screens: Sequence[Json] = flow["screens"]
        self._variables: Sequence[Json] = flow.get("variables", [])
        self._context: Json = flow.get("context", {})
        self._today: str = flow.get("today", "2026-01-01")
        self._language: str = flow.get("language", "en")
        self._app_name: str = flow.get("appName", "")
        self._given: dict[str, Any] = {}
        self.path: list[str] = []
        self.views: list[dict[str, Any]] = []
        self.ended = False
        self.progress = 0.0
        self._forward()

    def do(self, step: Json) -> None:
        """Take one step of a user. After the end nothing happens."""
        if self.ended:
            return
        match step["do"]:
            case "answer":
                assert step["screen"] == self.path[-1]
                self._given[step["screen"]] = step["value"]
            case "skip":
                self._given.pop(self.path[-1], None)
                self._forward()
            case "forward":
                self._forward()
            case "back" if len(self.path) > 1:
                self._view(self.path.pop(), None, is_back=True)
                self.progress = self._share()

    @property
    def answers(self) -> dict[str, Any]:
        """The answers on the path by their keys."""
        given = [(screen, self._given[screen["id"]]) for screen in self._on_path() if self._is_given(screen)]
        return {key: value for screen, answer in given for key, value in _values_of(screen, answer).items()}

    @property
    def variables(self) -> dict[str, Any]:
        """The variables that are not missing."""
        values = self._values()
        names = [variable["name"] for variable in self._variables]
        return {name: values[f"variables.{name}"] for name in names if values.get(f"variables.{name}") is not None}

    def text(self, text: str, *, is_html: bool = False) -> str:
        """Return a text of the present screen as it is shown."""
        values = {"app_name": self._app_name, **self._values()}
        labels = {
            f"answers.{_key(screen)}": {option["value"]: option["label"] for option in screen["content"]["options"]}
            for screen in self._on_path()
            if "options" in screen["content"] and self._is_given(screen)
        }
        return filled(text, Shown(values, labels, self._language), is_html=is_html)

    def _on_path(self) -> Iterator[Json]:
        return (screen for screen in self._screens if screen["id"] in self.path)

    def _is_given(self, screen: Json) -> bool:
        return self._given.get(screen["id"]) is not None

    def _values(self) -> dict[str, Any]:
        values = {name: self._context[name] for name in _MEMBERS if self._context.get(name) is not None}
        values |= {f"attributes.{name}": value for name, value in self._context.get("attributes", {}).items()}
        values |= {f"answers.{key}": value for key, value in self.answers.items()}
        for variable in self._variables:
            values[f"variables.{variable['name']}"] = value_of(variable["formula"], values, self._today)
        return values

    def _forward(self) -> None:
        values = self._values()
        place = self._place(self.path[-1]) if self.path else -1
        target, rule_id = place + 1, None
        for rule in self._screens[place].get("next", []) if self.path else []:
            goal = len(self._screens) if rule["goTo"] == "end" else self._place(rule["goTo"])
            if goal > place and all(holds(condition, values) for condition in rule["when"]):
                target, rule_id = goal, rule["id"]
                break
        while target < len(self._screens):
            screen = self._screens[target]
            if all(holds(condition, values) for condition in screen.get("showIf", [])):
                before = self.path[-1] if self.path else None
                self.path.append(screen["id"])
                self._view(before, rule_id)
                self.progress = max(self.progress, self._share())
                return
            target += 1
        self.ended = True
        self.progress = self.progress if self.path else self._share()

    def _view(self, before: str | None, rule_id: str | None, *, is_back: bool = False) -> None:
        view = {"from_screen_id": before, "rule": rule_id, "step": len(self.path)}
        self.views.append({**view, "is_back": True} if is_back else view)

    def _place(self, screen_id: str) -> int:
        return next((place for place, screen in enumerate(self._screens) if screen["id"] == screen_id), -1)

    def _share(self) -> float:
        values = self._values()
        counted = [screen for screen in self._screens if screen.get("settings", {}).get("counts") is not False]
        shown = [screen for screen in counted if screen["id"] in self.path]
        place = self._place(self.path[-1]) if self.path else -1
        coming = [screen for screen in counted if self._place(screen["id"]) > place and self._may_come(screen, values)]
        both = len(shown) + len(coming)
        return len(shown) / both if both else 1.0

    def _may_come(self, screen: Json, values: Json) -> bool:
        conditions = screen.get("showIf", [])
        if all(holds(condition, values) for condition in conditions):
            return True
        return any(self._is_open(condition["attribute"], values) for condition in conditions)

    def _is_open(self, name: str, values: Json) -> bool:
        """Return whether a value depends on an answer not yet given."""
        if name.startswith("answers."):
            return values.get(name) is None
        formulas = [one["formula"] for one in self._variables if name == f"variables.{one['name']}"]
        return any(self._is_open(inner, values) for formula in formulas for inner in _names_in(formula))


def _names_in(formula: str) -> list[str]:
    outside_of_texts = re.sub(r'"(?:[^"\\]|\\.)*"', " ", formula)
    return re.findall(r"[A-Za-z_]\w*\.\w+", outside_of_texts)


def _values_of(screen: Json, answer: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Return an answer by its keys; the answer to a consent is the list of the ticked boxes."""
    if screen["type"] == "consent":
        return {box["name"]: box["name"] in answer for box in screen["content"]["items"]}
    return {_key(screen): answer}


def _key(screen: Json) -> str:
    return str(screen["content"].get("answer_key") or screen["id"])


def holds(condition: Json, values: Json) -> bool:
    """Return whether a condition holds for values by their names."""
    attribute, operator = condition["attribute"], condition["operator"]
    is_known = attribute in _MEMBERS or attribute.split(".")[0] in {"answers", "attributes", "variables"}
    if not is_known or operator not in _OPERATORS:
        return False
    value = values.get(attribute)
    if isinstance(value, list):
        return _list_holds(value, operator, condition.get("value"))
    if attribute in _MEMBERS:
        return matching.holds(condition, {attribute: value})
    return matching.holds({**condition, "attribute": "attributes.it"}, {"attributes": {"it": value}})


def _list_holds(items: Sequence[Any], operator: str, value: Any) -> bool:  # noqa: ANN401 - JSON
    if not items:
        return operator in {"neq", "not_in", "not_exists"}
    wanted = value if isinstance(value, list) else [value]
    equal = [is_same(item, one) for item in items for one in wanted if one is not None]
    match operator:
        case "contains" | "in":
            return any(equal)
        case "not_in":
            return not any(equal)
        case "eq" | "neq":
            return (len(items) == 1 and equal[0]) is (operator == "eq")
    return operator == "exists"
