"""The translations of a flow in a folder: a file for each language, with texts by the keys of screens and pointers."""

from collections.abc import Iterator, Mapping
from typing import Any

from cli.flows.files import FolderError, Members
from common.wire.screen_contents import texts_of
from management_api.db.models.documents import LOCALIZATIONS

_TRANSLATION = frozenset({"text", "source"})


def translations_of(document: Mapping[str, Any]) -> dict[str, Members]:
    """Return the content of the file of each language of a document."""
    files: dict[str, Members] = {}
    for screen in document["screens"]:
        for locale, texts in screen.get(LOCALIZATIONS, {}).items():
            file = files.setdefault(locale, {})
            for pointer, translation in sorted(texts.items()):
                file[f"{screen['id']}{pointer}"] = {name: translation[name] for name in ("text", "source")}
    return files


def with_translations(document: Mapping[str, Any], locale: str, file: object) -> Members:
    """Return a document with the translations of a file. Raises FolderError, whose messages name members."""
    if not isinstance(file, dict):
        raise FolderError("must be an object")
    screens = {screen["id"]: dict(screen) for screen in document["screens"]}
    messages: list[str] = []
    for key, value in file.items():
        screen_key, slash, rest = key.partition("/")
        screen = screens.get(screen_key)
        if screen is None or not slash:
            messages.append(f"{key}: must begin with the key of a screen of the flow")
            continue
        translation = {"text": value} if isinstance(value, str) else value
        messages += [f"{key}: {problem}" for problem in _problems(translation)]
        if messages:
            continue
        pointer = f"/{rest}"
        base = texts_of(screen["type"], screen["content"]).get(pointer, "")
        localizations = screen.get(LOCALIZATIONS, {})
        texts = {**localizations.get(locale, {}), pointer: {"source": base, **translation}}
        screen[LOCALIZATIONS] = {**localizations, locale: texts}
    if messages:
        raise FolderError(*messages)
    return {**document, "screens": list(screens.values())}


def _problems(translation: object) -> Iterator[str]:
    if not isinstance(translation, dict) or "text" not in translation:
        yield "must be a text, or an object with text and source"
    elif not translation.keys() <= _TRANSLATION or not all(isinstance(text, str) for text in translation.values()):
        yield "must have no members but the texts text and source"
