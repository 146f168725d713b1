"""The state of each translation of a document, and its variables (languages, Model)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from common.wire.screen_contents import texts_of

Json = Mapping[str, Any]

#: A variable in a text; a backslash in front keeps the braces.
_VARIABLE = re.compile(r"(?<!\\)\{\{\s*([^{}|:]*?)\s*(?::\s*([^{}|]*?)\s*)?(?:\|[^{}]*)?\}\}")


class TranslationState(StrEnum):
    """The state of a translation: an outdated one was made of another base text. It is served."""

    MISSING = "missing"
    OUTDATED = "outdated"
    DONE = "done"


class TranslationRow(NamedTuple):
    """A text of a screen with its translation into one language; an empty `text` is missing."""

    screen_id: str
    screen_name: str | None
    pointer: str
    base: str
    text: str
    state: TranslationState
    #: Whether a machine has made the translation, and it is not confirmed yet.
    is_machine: bool = False

    @property
    def key(self) -> str:
        """The name of the text in files."""
        return f"{self.screen_id}{self.pointer}"


class TranslatedScreen:
    """A screen of a document with the texts that can be translated and are not empty, which are found once."""

    def __init__(self, screen: Json) -> None:
        self._screen = screen
        self._texts = {pointer: text for pointer, text in texts_of(screen["type"], screen["content"]).items() if text}

    def rows(self, locale: str) -> Iterator[TranslationRow]:
        """Yield the texts with their translations into a language."""
        screen = self._screen
        stored = self._stored(locale)
        for pointer, base in self._texts.items():
            found = stored.get(pointer, {})
            text = found.get("text", "")
            is_machine = bool(text) and found.get("machine") is True
            done = TranslationState.DONE if found.get("source") == base else TranslationState.OUTDATED
            state = done if text else TranslationState.MISSING
            yield TranslationRow(screen["id"], screen["name"], pointer, base, text, state, is_machine)

    def counts(self, locale: str) -> "Counts":
        """Return the numbers of texts by their states. The time is that of the translations, not of the texts."""
        texts = self._texts
        stored = self._stored(locale).items()
        present = [(texts[pointer], found) for pointer, found in stored if pointer in texts and found.get("text")]
        done = sum(found.get("source") == base for base, found in present)
        return Counts(len(texts), done, len(texts) - len(present), len(present) - done)

    def _stored(self, locale: str) -> Mapping[str, Json]:
        found: Mapping[str, Json] = self._screen.get("localizations", {}).get(locale, {})
        return found


class Counts(NamedTuple):
    """The number of all texts, and of those in each state."""

    total: int = 0
    done: int = 0
    missing: int = 0
    outdated: int = 0


def translated_screens(document: Json) -> list[TranslatedScreen]:
    """Return the screens of a document in their order."""
    return [TranslatedScreen(screen) for screen in document["screens"]]


def rows_of(document: Json, locale: str) -> Iterator[TranslationRow]:
    """Yield the texts of a document that are not empty, in the order of its screens, with their translations."""
    for screen in translated_screens(document):
        yield from screen.rows(locale)


def counts_of(screens: Sequence[TranslatedScreen], locales: Iterable[str]) -> dict[str, Counts]:
    """Return the sums of the counts of screens for each language."""
    return {
        locale: Counts(*map(sum, zip(Counts(), *(screen.counts(locale) for screen in screens), strict=True)))
        for locale in locales
    }


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
