"""The texts of a flow by locale, and the flow with marks in their places."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import orjson

from common.rules.locales import fallbacks
from common.wire.localized_bodies import DIRECTION, LOCALE, WORDS, mark, mark_prefix
from common.wire.page_document import sanitize_html
from common.wire.public_responses import PublicScreen, ScreenType
from common.wire.screen_contents import texts_of, with_texts
from publisher.locales import direction_of
from publisher.project_records import FlowRecord, ProjectRecord

_HTML = "/html"
#: The id of a flow, and whether its draft is meant.
FlowKey = tuple[str, bool]


@dataclass(frozen=True, slots=True)
class TranslatedFlow:
    """A flow whose translated texts, tag of the locale and direction are marks, and the texts of each number.

    `of_page` is the flow for its page, whose HTML is sanitized. `base` has the texts of the default locale, `texts`
    those of the other locales where they differ in number from the base.
    """

    prefix: str
    flow: FlowRecord
    of_page: FlowRecord
    base: dict[int, str]
    texts: dict[str, dict[int, str]]

    @property
    def locale(self) -> str:
        """The mark of the tag of the locale."""
        return mark(self.prefix, LOCALE)

    @property
    def direction(self) -> str:
        """The mark of the direction."""
        return mark(self.prefix, DIRECTION)

    @property
    def words(self) -> str:
        """The mark of the address of the words; empty without words."""
        return mark(self.prefix, WORDS) if self.base[WORDS] else ""


def chosen_flows(project: ProjectRecord) -> dict[FlowKey, FlowRecord]:
    """Return the flows that a rule may choose, and the drafts of QA devices."""
    flows = {(flow.id, False): flow for flow in project.active_flows}
    flows |= {
        (variant.flow.id, False): variant.flow for experiment in project.experiments for variant in experiment.variants
    }
    return flows | {(override.flow.id, override.is_draft): override.flow for override in project.overrides}


def translated_flows(project: ProjectRecord, words: Mapping[str, str]) -> dict[FlowKey, TranslatedFlow]:
    """Return the flows and drafts of a project with more than one locale, with marks in place of their texts.

    `words` has the addresses of the words of pages by locale; it is empty without pages.
    """
    if len(project.locales) == 1:
        return {}
    flows = {(record.flow.id, record.is_draft): record.flow for record in project.pages} | chosen_flows(project)
    return {key: translate(flow, project.locales, words) for key, flow in sorted(flows.items())}


def translate(flow: FlowRecord, locales: Sequence[str], words: Mapping[str, str]) -> TranslatedFlow:
    """Return a flow of a project with these locales, the default first, with marks."""
    prefix = mark_prefix(orjson.dumps([screen.content for screen in flow.screens]).decode())
    base, *others = (
        {LOCALE: locale, DIRECTION: direction_of(locale), WORDS: words.get(locale, "")} for locale in locales
    )
    texts = dict(zip(locales[1:], others, strict=True))
    screens, of_page = [], []
    for screen in flow.screens:
        found = dict(_translated(screen, locales))
        originals = texts_of(screen.type, screen.content) if found else {}
        numbers = {pointer: len(base) + place for place, pointer in enumerate(found)}
        for pointer, number in numbers.items():
            base[number] = originals[pointer]
            for locale, text in found[pointer].items():
                texts[locale][number] = text
        marked = with_texts(screen.content, {pointer: mark(prefix, number) for pointer, number in numbers.items()})
        shown = marked
        if screen.type is ScreenType.CUSTOM and _HTML in numbers:
            number = len(base)
            base[number] = sanitize_html(originals[_HTML])
            for locale, text in found[_HTML].items():
                texts[locale][number] = sanitize_html(text)
            shown = {**marked, "html": mark(prefix, number)}
        screens.append(_without_translations(screen, marked))
        of_page.append(_without_translations(screen, shown))
    return TranslatedFlow(
        prefix, replace(flow, screens=tuple(screens)), replace(flow, screens=tuple(of_page)), base, texts
    )


def _translated(screen: PublicScreen, locales: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each pointer that has a translation, with the texts of the locales that have one or fall back to one."""
    pointers = dict.fromkeys(pointer for texts in screen.localizations.values() for pointer in texts)
    for pointer in pointers:
        found = {}
        for locale in locales[1:]:
            chain = (screen.localizations.get(tag, {}).get(pointer) for tag in fallbacks(locale, locales))
            text = next((text for text in chain if text), None)
            if text is not None:
                found[locale] = text
        yield pointer, found


def _without_translations(screen: PublicScreen, content: dict[str, object]) -> PublicScreen:
    return msgspec.structs.replace(screen, content=content, localizations={})


def served_texts(screen: dict[str, Any], locales: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the texts of a screen that are served, by locale and pointer: of languages and texts that are there."""
    stored = screen.get("localizations", {})
    named = [locale for locale in locales[1:] if locale in stored]
    texts = texts_of(screen["type"], screen["content"]) if named else {}
    served = {
        locale: {pointer: text for pointer in texts if (text := stored[locale].get(pointer, {}).get("text"))}
        for locale in named
    }
    return {locale: found for locale, found in served.items() if found}
