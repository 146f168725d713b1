"""Logic of flows: the rules of screens, and the names of screens in a document (logic, Model)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from common.rules.formulas import rename_in
from management_api.db.models.documents import without_empty_members

ANSWERS_PREFIX, VARIABLES_PREFIX = "answers.", "variables."
#: The target of a rule that completes the flow.
END = "end"

#: A name of an answer in a text of a screen: `{{answers.goal}}`, `{{ answers.goal : upper | you }}`.
_ANSWER_IN_TEXT = re.compile(r"(?P<before>\{\{\s*)answers\.(?P<key>[^\s:|{}]+)(?=\s*(?:[:|]|\}\}))")

Json = Mapping[str, Any]


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
            "localizations": _texts_renamed(screen.get("localizations", {}), ids),
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
    return without_empty_members({**document, "screens": screens, "variables": variables})


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
