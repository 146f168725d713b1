"""The locales of a project: canonical tags of BCP 47 whose language CLDR knows."""

import re
from collections.abc import Sequence
from functools import cache

from babel.core import Locale, get_global

from management_api.http.fields import Rule, field_error

MAX_LOCALES = 40
#: As long as the `locale` of an event may be.
MAX_TAG_LENGTH = 35
#: RFC 5646, section 2.1, without grandfathered tags and tags for private use alone.
_TAG = re.compile(
    r"(?P<language>[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?"
    r"(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*(?:-[0-9a-wy-z](?:-[a-z0-9]{2,8})+)*(?:-x(?:-[a-z0-9]{1,8})+)?",
    re.IGNORECASE,
)
#: Subtags that name no language.
_NO_LANGUAGES = frozenset({"und", "mul", "zxx", "mis"})


def canonical_tag(value: object) -> str:
    """Return a tag in canonical case (RFC 5646, section 2.1.1). Raises `field_error`."""
    tag = value.strip() if isinstance(value, str) else ""
    found = _TAG.fullmatch(tag) if len(tag) <= MAX_TAG_LENGTH else None
    if found is None:
        raise field_error("must be a BCP 47 language tag, as pt-BR")
    language, *others = tag.lower().split("-")
    if language not in _languages():
        raise field_error("must have a known language")
    singleton = next((place for place, subtag in enumerate(others) if len(subtag) == 1), len(others))
    return "-".join((language, *(_in_case(subtag) for subtag in others[:singleton]), *others[singleton:]))


def _in_case(subtag: str) -> str:
    if len(subtag) == 4 and subtag.isalpha():  # noqa: PLR2004 - a script
        return subtag.title()
    return subtag.upper() if len(subtag) == 2 else subtag  # noqa: PLR2004 - a region


@cache
def _languages() -> frozenset[str]:
    named: Sequence[str] = tuple(Locale("en").languages)
    known = (*named, *get_global("likely_subtags"), *get_global("language_aliases"))
    return frozenset(key.partition("_")[0] for key in known) - _NO_LANGUAGES


def _locales(value: object) -> list[str]:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_LOCALES:
        raise field_error(f"must be an array of 1 to {MAX_LOCALES} language tags")
    tags = [canonical_tag(item) for item in value]
    if len(set(tags)) != len(tags):
        raise field_error("must not name a locale twice")
    return tags


LOCALE_RULE = Rule(
    canonical_tag,
    {"description": "A BCP 47 language tag; it is stored in canonical case", "maxLength": MAX_TAG_LENGTH},
)
LOCALES_RULE = Rule(_locales, {"minItems": 1, "maxItems": MAX_LOCALES})
