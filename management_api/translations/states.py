"""The state of each translation of a document, and its variables (languages, Model)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from common.wire.screen_contents import texts_of

Json = Mapping[str, Any]

#: A variable in a text; a backslash in front keeps the braces.
_VARIABLE = re.compile(r"(?<!\\)\{\{\s*([^{}|:]*?)\s*(?::\s*([^{}|]*?)\s*)?(?:\|[^{}]*)?\}\}")


class TranslationState(StrEnum):
    """The state of a translation: an outdated one was made of another base text. It is served."""

    MISSING = "missing"
    OUTDATED = "outdated"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class TranslationRow:
    """A text of a screen with its translation into one language; an empty `text` is missing."""

    screen_id: str
    screen_name: str | None
    pointer: str
    base: str
    text: str
    state: TranslationState
    #: Whether a machine has translated it, and nobody has confirmed it yet.
    is_machine: bool = False

    @property
    def key(self) -> str:
        """The name of the text in files."""
        return f"{self.screen_id}{self.pointer}"


def rows_of(document: Json, locale: str) -> Iterator[TranslationRow]:
    """Yield the texts of a document that are not empty, in the order of its screens, with their translations."""
    for screen in document["screens"]:
        translations = screen.get("localizations", {}).get(locale, {})
        for pointer, base in texts_of(screen["type"], screen["content"]).items():
            if base:
                stored = translations.get(pointer, {})
                text = stored.get("text", "")
                done = TranslationState.DONE if stored.get("source") == base else TranslationState.OUTDATED
                state = done if text else TranslationState.MISSING
                is_machine = bool(text) and stored.get("machine") is True
                yield TranslationRow(screen["id"], screen["name"], pointer, base, text, state, is_machine)


def counts_of(document: Json, locale: str) -> dict[str, int]:
    """Return the number of all texts of a document, and of those in each state."""
    states = [row.state for row in rows_of(document, locale)]
    return {"total": len(states), **{state.value: states.count(state) for state in TranslationState}}


def mismatches(document: Json, locales: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the id of the screen, the locale and the pointer of each served translation that breaks a variable."""
    for screen in document["screens"]:
        localizations = screen.get("localizations", {})
        texts = texts_of(screen["type"], screen["content"]) if localizations else {}
        for locale in locales[1:]:
            for pointer, stored in localizations.get(locale, {}).items():
                is_served = pointer in texts and stored["text"]
                if is_served and variables_of(stored["text"]) != variables_of(stored["source"]):
                    yield screen["id"], locale, pointer


def variables_of(text: str) -> set[tuple[str, str]]:
    """Return the names and formats of the variables in a text. Their order, number and fallbacks do not matter."""
    return set(_VARIABLE.findall(text))
