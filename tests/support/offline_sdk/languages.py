"""Languages, implemented from docs/bucketing.md; imports nothing of the service."""

from collections.abc import Mapping, Sequence


def matched_locale(locales: Sequence[str], aliases: Mapping[str, str], wanted: str | None) -> str:
    """Return the locale of the project that a tag matches."""
    found = {locale.lower(): locale for locale in locales}
    subtags = (wanted or "").replace("_", "-").lower().split("-") if len(wanted or "") <= 64 else []
    found = {alias.lower(): locale for alias, locale in aliases.items()} | found
    while subtags:
        tag = "-".join(subtags)
        if tag in found:
            return found[tag]
        subtags.pop()
        if subtags and len(subtags[-1]) == 1:
            subtags.pop()
    return locales[0]
