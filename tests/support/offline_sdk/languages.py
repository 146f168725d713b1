"""Languages, implemented from docs/bucketing.md; imports nothing of the service."""

from collections.abc import Mapping, Sequence
from typing import Any


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


def overlaid(screen: Mapping[str, Any], settings: Mapping[str, Any], locale: str) -> dict[str, Any]:
    """Return a screen of the configuration with the texts of a locale, without its localizations."""
    content = screen["content"]
    for tag in reversed(_with_shorter(settings, locale)):
        for pointer, text in screen.get("localizations", {}).get(tag, {}).items():
            content = _with_text(content, [_unescaped(name) for name in pointer.split("/")[1:]], text)
    return {**{name: value for name, value in screen.items() if name != "localizations"}, "content": content}


def _with_shorter(settings: Mapping[str, Any], locale: str) -> list[str]:
    tags = [locale.rsplit("-", cut)[0] for cut in range(locale.count("-") + 1)]
    return [tag for tag in tags if tag in settings["locales"] and tag != settings["defaultLocale"]]


def _unescaped(name: str) -> str:
    return name.replace("~1", "/").replace("~0", "~")


def _with_text(value: Any, names: Sequence[str], text: str) -> Any:  # noqa: ANN401 - JSON
    if not names:
        return text if isinstance(value, str) else value
    name, *others = names
    if isinstance(value, dict) and name in value:
        return {**value, name: _with_text(value[name], others, text)}
    if isinstance(value, list):
        place = _place(value, name)
        return [_with_text(item, others, text) if index == place else item for index, item in enumerate(value)]
    return value


def _place(items: Sequence[Any], name: str) -> int | None:
    names = [_name(item) for item in items]
    if name in names:
        return names.index(name)
    place = int(name) if name.isdigit() and str(int(name)) == name else -1
    is_named = 0 <= place < len(items) and names[place] is not None and names.index(names[place]) == place
    return None if is_named or not 0 <= place < len(items) else place


def _name(item: Any) -> str | None:  # noqa: ANN401 - JSON
    if not isinstance(item, dict):
        return None
    values = [item.get(member) for member in ("value", "product_id", "name")]
    texts = [
        value if isinstance(value, str) else f"{value:g}"
        for value in values
        if value not in (None, "") and isinstance(value, str | int | float) and not isinstance(value, bool)
    ]
    return texts[0] if texts else None
