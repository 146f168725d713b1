"""The aliases and the directions of a project's locales, from CLDR's likely subtags."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal, NamedTuple

from babel.core import get_global

#: Codes that mean the same language. CLDR and systems disagree on which one is in use.
_PAIRS = (("iw", "he"), ("in", "id"), ("no", "nb"), ("tl", "fil"))
_RIGHT_TO_LEFT = frozenset({"Arab", "Hebr", "Thaa", "Nkoo", "Syrc", "Rohg", "Adlm"})
_SCRIPT_LENGTH = 4


class _Likely(NamedTuple):
    """The usual script of a language, and the scripts of its regions that usually have another one."""

    usual: str
    regions: dict[str, str]


def direction_of(locale: str) -> Literal["ltr", "rtl"]:
    """Return the direction of the script of a locale."""
    return "rtl" if _script_of(locale) in _RIGHT_TO_LEFT else "ltr"


def aliases_of(locales: Sequence[str]) -> dict[str, str]:
    """Return the tags that lead to another locale of the project. None of them is a locale of the project."""
    known = {locale.lower() for locale in locales}
    aliases: dict[str, str] = {}

    def add(alias: str, locale: str) -> None:
        if alias.lower() not in known:
            aliases.setdefault(alias, locale)

    for language in dict.fromkeys(_language_of(locale) for locale in locales):
        for alias, locale in _aliases_of_language(
            language, [locale for locale in locales if _language_of(locale) == language]
        ):
            add(alias, locale)
    for one, other in (*_PAIRS, *(pair[::-1] for pair in _PAIRS)):
        if one in locales or one in aliases:
            add(other, aliases.get(one, one))
    return dict(sorted(aliases.items()))


def _aliases_of_language(language: str, own: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the aliases that lead to the locales of one language."""
    by_script = {_script_of(locale): locale for locale in reversed(own)}
    likely = _likely_of(language)
    yield language, by_script.get(likely.usual, own[0])
    for script, first in by_script.items():
        if script:
            yield f"{language}-{script}", language if script == likely.usual and language in own else first
    for region, script in likely.regions.items():
        if script in by_script:
            yield f"{language}-{region}", by_script[script]


def _language_of(locale: str) -> str:
    return locale.partition("-")[0]


def _script_of(locale: str) -> str:
    """Return the script that a tag names, else the likely one."""
    language, *others = locale.split("-")
    for subtag in others:
        if len(subtag) == 1:
            break
        if len(subtag) == _SCRIPT_LENGTH and subtag.isalpha():
            return subtag
    likely = _likely_of(language)
    return next((likely.regions[subtag] for subtag in others if subtag in likely.regions), likely.usual)


def _likely_of(language: str) -> _Likely:
    return _by_language().get(language) or _Likely("", {})


@cache
def _by_language() -> dict[str, _Likely]:
    likely = {key: value.split("_") for key, value in get_global("likely_subtags").items()}
    usual = {key: parts[1] for key, parts in likely.items() if "_" not in key}
    regions: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for key, (_, script, _) in likely.items():
        language, _, subtag = key.partition("_")
        if subtag and len(subtag) < _SCRIPT_LENGTH and script != usual.get(language):
            regions[language][subtag] = script
    return {language: _Likely(script, regions.get(language, {})) for language, script in usual.items()}
